package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// checkCommand looks for truths in the files' texts, by other means than the reader's.
type checkCommand struct {
	setFlags
}

// Run prints the values that a file's text does not say, and how many were looked for.
func (c checkCommand) Run() error {
	truths, err := readTruths(c.folder())
	if err != nil {
		return err
	}
	files := 0
	values := 0
	missing := 0
	for _, t := range truths {
		if !slices.Contains([]string{"pdf", "html", "txt", "md"}, t.Format) {
			continue
		}
		text, err := extractText(t)
		if err != nil {
			return fmt.Errorf("%s: %w", t.File, err)
		}
		files++
		for _, value := range t.listValues() {
			values++
			if !isWithin(value, text) {
				missing++
				fmt.Printf("%s does not say %q\n", filepath.Base(t.File), value)
			}
		}
	}
	fmt.Printf("%d of %d values are not in their files (%d files)\n", missing, values, files)
	return nil
}

// extractText returns a file's text without the reader: a PDF file's by pdftotext.
func extractText(t truth) (string, error) {
	if t.Format == "pdf" {
		out, err := exec.Command("pdftotext", "-layout", t.File, "-").Output()
		return string(out), err
	}
	content, err := os.ReadFile(t.File)
	if t.Format == "html" {
		return stripPage(string(content)), err
	}
	return string(content), err
}

// listValues returns the values of a truth that a file shows as they are.
func (t truth) listValues() []string {
	values := slices.Concat([]string{t.Name, t.Email}, t.Skills)
	for _, j := range t.Jobs {
		values = append(values, j.Title, j.Company)
	}
	for _, e := range t.Studies {
		values = append(values, e.School, e.Degree)
	}
	return slices.DeleteFunc(values, func(value string) bool { return value == "" })
}
