package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// resumePackage has the benchmarks of the resume reader, corpus its files.
const resumePackage, corpus = "./shared/candidate/resume", "shared/candidate/resume/testdata/corpus/tuning"

// measureResumes measures row 12: resumes to text and to fields, by type, and two others that make
// text of the same PDF files.
func measureResumes(b *bench) ([]figure, error) {
	var figures []figure
	for _, kind := range []string{"pdf", "docx", "rtf"} {
		results, err := b.runGo(goBench{module: ".", pkg: resumePackage, pattern: "^BenchmarkTypes$/^" + kind + "$", time: "2x"})
		if err != nil {
			return figures, err
		}
		name := "Types/" + kind
		text := lookUp(results, name, "text-cpu-ms")
		if kind == "pdf" {
			others, err := b.readWithPyMuPDF()
			if err != nil {
				return figures, err
			}
			figures = append(figures,
				figure{Row: 12, Name: "text of a PDF, mean", Unit: "ms CPU", Ours: text, Peer: "pdftotext", Theirs: lookUp(results, name, "pdftotext-cpu-ms"), Goal: ratioAtMost(2.5)},
				figure{Row: 12, Name: "text of a PDF, mean", Unit: "ms CPU", Ours: text, Peer: "PyMuPDF", Theirs: others, Note: "told"})
		}
		figures = append(figures,
			figure{Row: 12, Name: "fields of a " + kind + ", p50", Unit: "ms CPU", Ours: lookUp(results, name, "fields-p50-cpu-ms"), Goal: atMost(30)},
			figure{Row: 12, Name: "fields of a " + kind + ", p99", Unit: "ms CPU", Ours: lookUp(results, name, "fields-p99-cpu-ms"), Note: "told"},
			figure{Row: 12, Name: "peak memory for " + kind, Unit: "MB", Ours: lookUp(results, name, "peak-MB"), Note: "told"})
	}
	return figures, nil
}

// readWithPyMuPDF returns the mean time of PyMuPDF, or nothing without Python.
func (b *bench) readWithPyMuPDF() ([]float64, error) {
	if _, err := exec.LookPath("python3"); err != nil {
		return nil, nil
	}
	python := ".bin/bench-python/bin/python"
	if _, err := os.Stat(".bin/bench-python/ready"); err != nil {
		if err := b.installPython(python); err != nil {
			return nil, err
		}
	}
	files, err := filepath.Glob(corpus + "/*.pdf")
	if err != nil {
		return nil, err
	}
	out, err := b.run(b.command(".", nil, python, append([]string{peersDir + "/text/text.py"}, files...)...))
	if err != nil {
		return nil, err
	}
	var times []float64
	if err := json.Unmarshal([]byte(out), &times); err != nil {
		return nil, err
	}
	return []float64{mean(times)}, nil
}

// installPython installs PyMuPDF at its pinned version.
func (b *bench) installPython(python string) error {
	if _, err := b.run(b.command(".", nil, "python3", "-m", "venv", ".bin/bench-python")); err != nil {
		return fmt.Errorf("PyMuPDF needs python3 with venv: %w", err)
	}
	_, err := b.run(b.command(".", nil, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:", "-r", peersDir+"/text/requirements.txt"))
	if err != nil {
		return err
	}
	return os.WriteFile(".bin/bench-python/ready", nil, 0o600)
}

func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// measureUpload measures row 14: what an upload takes of memory.
func measureUpload(b *bench) ([]figure, error) {
	results, err := b.runGo(goBench{module: ".", pkg: "./functions/submissions", pattern: "^BenchmarkUploadMemory$", time: "3x"})
	var figures []figure
	for _, kind := range []string{"pdf", "escaped", "text", "latin"} {
		figures = append(figures, figure{Row: 14, Name: "memory for an upload, " + kind, Unit: "MB per MB", Ours: lookUp(results, "UploadMemory/"+kind, "MB/MB"), Goal: atMost(2.5)})
	}
	return figures, err
}
