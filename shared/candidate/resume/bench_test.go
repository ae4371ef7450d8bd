package resume

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"maya-okafor.libreoffice.pdf", "maya-okafor.chromium.pdf", "jonas-lindqvist.docx", "priya-raman.txt"} {
		b.Run(name, func(b *testing.B) {
			content := readSample(name)
			if _, err := Read(context.Background(), content); err != nil { // compiles the sandbox outside the measurement
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				doc, err := Read(context.Background(), content)
				if err != nil || Extract(doc, asOf).Name == "" {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCorpus prints the figures of the parser, by set and layout, beside the
// plain baseline's. It prints by itself, since a benchmark's log ends after ten lines.
func BenchmarkCorpus(b *testing.B) {
	for _, set := range []string{"tuning", "heldout"} {
		for _, part := range []string{"", ".simple.", ".right.", ".sidebar.", ".table."} {
			b.Run(set+part, func(b *testing.B) {
				var ours figures
				for b.Loop() {
					ours = measureSet(b, set, part, extractNow)
				}
				printFigures(set+part, ours, measureSet(b, set, part, extractByRegexp))
			})
		}
	}
}

func printFigures(name string, ours, plain figures) {
	fmt.Printf("\n%-18s %8s %10s   %8s %10s   (recall and precision in %%, ours and the baseline's)\n", name, "recall", "baseline", "precis.", "baseline")
	for _, field := range figureFields {
		o := ours[field]
		p := plain[field]
		fmt.Printf("  %-16s %8.1f %10.1f   %8.1f %10.1f\n", field, 100*o.recall(), 100*p.recall(), 100*o.precision(), 100*p.precision())
	}
	fmt.Printf("  %-16s %8.3f %10.3f\n", "skills F1", ours["skills"].f1(), plain["skills"].f1())
}

// BenchmarkPDF reads every PDF of the tuning set to fields: the median, how many a
// second one core reads, and, where pdftotext is installed, the processor time of both on the same files.
func BenchmarkPDF(b *testing.B) {
	files, err := filepath.Glob("testdata/corpus/tuning/*.pdf")
	if err != nil || len(files) == 0 {
		b.Fatal("no files", err)
	}
	contents := make([][]byte, len(files))
	for i, file := range files {
		contents[i], err = os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
	}
	_, _ = Read(context.Background(), contents[0])
	var fields, text []time.Duration
	for b.Loop() {
		fields = nil
		text = nil
		for _, content := range contents {
			start := time.Now()
			used := processorTime()
			doc, err := Read(context.Background(), content)
			if err != nil {
				b.Fatal(err)
			}
			text = append(text, processorTime()-used)
			Extract(doc, asOf)
			fields = append(fields, time.Since(start))
		}
	}
	b.ReportMetric(float64(median(fields).Microseconds())/1000, "ms-p50-fields")
	b.ReportMetric(float64(median(text).Microseconds())/1000, "cpu-ms-p50-text")
	b.ReportMetric(float64(len(fields))/sum(fields).Seconds(), "files/s")
	if theirs := pdftotext(files); len(theirs) > 0 {
		b.ReportMetric(float64(median(theirs).Microseconds())/1000, "cpu-ms-p50-pdftotext")
		b.ReportMetric(sum(text).Seconds()/sum(theirs).Seconds(), "x-pdftotext-cpu")
	}
}

func pdftotext(files []string) []time.Duration {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		return nil
	}
	var took []time.Duration
	for _, file := range files {
		if c := exec.Command("pdftotext", file, "-"); c.Run() == nil {
			took = append(took, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
		}
	}
	return took
}

func median(list []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(list))[len(list)/2]
}

func sum(list []time.Duration) (total time.Duration) {
	for _, d := range list {
		total += d
	}
	return total
}
