package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// measureResumes measures row 12: resumes to text and to fields, by type, and two others that make
// text of the same PDF files.
func measureResumes(b *bench) (figures []figure, err error) {
	for _, kind := range []string{"pdf", "docx", "rtf"} {
		r, err := b.runGo(goBench{pkg: "./shared/candidate/resume", pattern: "^BenchmarkTypes$/^" + kind + "$", time: "2x"})
		if err != nil {
			return figures, err
		}
		name := "Types/" + kind
		if kind == "pdf" {
			others, err := b.readWithPyMuPDF()
			if err != nil {
				return figures, err
			}
			text := r.figure(12, "text of a PDF, mean", "ms CPU", name, "text-cpu-ms", ratioAtMost(2.5))
			figures = append(figures, text.beside("pdftotext", r.at(name, "pdftotext-cpu-ms")))
			text.Goal = told
			figures = append(figures, text.beside("PyMuPDF", others))
		}
		figures = append(figures,
			r.figure(12, "fields of a "+kind+", p50", "ms CPU", name, "fields-p50-cpu-ms", atMost(30)),
			r.figure(12, "fields of a "+kind+", p99", "ms CPU", name, "fields-p99-cpu-ms", told),
			r.figure(12, "peak memory for "+kind, "MB", name, "peak-MB", told))
	}
	return figures, nil
}

// readWithPyMuPDF returns the mean time of PyMuPDF, or nothing if make has not installed it.
func (b *bench) readWithPyMuPDF() ([]float64, error) {
	const python = ".bin/bench-python/bin/python"
	if _, err := os.Stat(".bin/bench-python/.stamp"); err != nil {
		return nil, nil
	}
	files, err := filepath.Glob("shared/candidate/resume/testdata/corpus/tuning/*.pdf")
	if err != nil {
		return nil, err
	}
	out, err := b.run(b.command(".", nil, python, append([]string{peersDir + "/text/text.py"}, files...)...))
	if err != nil {
		return nil, err
	}
	mean, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
	return []float64{mean}, err
}
