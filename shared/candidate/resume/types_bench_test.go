package resume

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkTypes reads every file of a type of the tuning set to fields, in processor time, and
// reports the peak memory of the process: run one type at a time. Where pdftotext is installed it
// reads the same PDF files.
func BenchmarkTypes(b *testing.B) {
	for _, kind := range []string{"pdf", "docx", "rtf"} {
		b.Run(kind, func(b *testing.B) {
			files, err := filepath.Glob("testdata/corpus/tuning/*." + kind)
			if err != nil || len(files) == 0 {
				b.Fatal("no files", err)
			}
			var text, fields []time.Duration
			for b.Loop() {
				text, fields = measureFiles(b, files)
			}
			reportMillis(b, "text", text)
			reportMillis(b, "fields", fields)
			b.ReportMetric(peakMemory(), "peak-MB")
			if kind == "pdf" {
				if theirs := pdftotext(files); len(theirs) > 0 {
					reportMillis(b, "pdftotext", theirs)
				}
			}
		})
	}
}

// measureFiles returns the processor time of each file to its text, and from there to its fields.
func measureFiles(b *testing.B, files []string) (text, fields []time.Duration) {
	b.Helper()
	for i, file := range append(files[:1:1], files...) {
		content, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		begun := processorTime()
		doc, err := Read(context.Background(), content)
		if err != nil {
			b.Fatal(err)
		}
		read := processorTime()
		Extract(doc, asOf)
		if i > 0 { // the first one compiles the PDF engine
			text = append(text, read-begun)
			fields = append(fields, processorTime()-begun)
		}
	}
	return text, fields
}

func reportMillis(b *testing.B, name string, times []time.Duration) {
	b.Helper()
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2])/1e6, name+"-p50-cpu-ms")
	b.ReportMetric(float64(times[len(times)*99/100])/1e6, name+"-p99-cpu-ms")
	b.ReportMetric(sum(times).Seconds()*1000/float64(len(times)), name+"-cpu-ms")
}

// peakMemory returns the peak memory of this process in MB, or 0 where there is no /proc.
func peakMemory() (mb float64) {
	status, _ := os.ReadFile("/proc/self/status")
	_, line, _ := strings.Cut(string(status), "VmHWM:")
	_, _ = fmt.Sscan(line, &mb)
	return mb / 1024
}
