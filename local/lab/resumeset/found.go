package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

// found is what the reader found in a file.
type found struct {
	resume.Fields

	jobs    []truthJob
	studies []truthStudy
	text    string // of the file
}

// readingDay ends the current jobs.
var readingDay = time.Date(lastYear, time.June, 15, 0, 0, 0, 0, time.UTC)

// readFile reads a file with the reader that is measured. One that cannot be read is
// found to hold nothing.
func readFile(file string) (found, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return found{}, err
	}
	doc, err := resume.Read(context.Background(), content)
	var unreadable *resume.Failure
	if errors.As(err, &unreadable) {
		return found{}, nil
	}
	if err != nil {
		return found{}, err
	}
	f := found{Fields: resume.Extract(doc, readingDay)}
	for _, e := range f.Experiences {
		f.jobs = append(f.jobs, truthJob{e.Title, e.Company, e.Start.String(), e.End.String()})
	}
	for _, e := range f.Education {
		f.studies = append(f.studies, truthStudy{e.School, e.Degree})
	}
	for _, block := range doc.Blocks {
		f.text += strings.Join(block, "\n") + "\n"
	}
	f.text += strings.Join(doc.Links, "\n")
	return f, nil
}
