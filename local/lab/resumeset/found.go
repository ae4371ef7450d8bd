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
	Name       string
	Emails     []string
	LinkedIn   string
	Jobs       []foundJob
	Studies    []truthStudy
	Skills     []string
	Languages  []string
	Confidence map[string]float64

	text    string        // of the file, if this reader read it
	elapsed time.Duration // processor time of reading it
	title   string        // of the current job
	company string
}

// foundJob is one job; dates are YYYY, YYYY-MM or "".
type foundJob struct {
	Title     string
	Company   string
	Start     string
	End       string
	IsCurrent bool
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
	start := processorTime()
	doc, err := resume.Read(context.Background(), content)
	var unreadable *resume.Failure
	if errors.As(err, &unreadable) {
		return found{elapsed: processorTime() - start}, nil
	}
	if err != nil {
		return found{}, err
	}
	fields := resume.Extract(doc, readingDay)
	f := newFound(fields)
	f.elapsed = processorTime() - start
	for _, block := range doc.Blocks {
		f.text += strings.Join(block, "\n") + "\n"
	}
	f.text += strings.Join(doc.Links, "\n")
	return f, nil
}

func newFound(fields resume.Fields) found {
	f := found{Name: fields.Name, Emails: fields.Emails, Skills: fields.Skills,
		Languages: fields.Languages, Confidence: fields.Confidence, title: fields.Title, company: fields.Company}
	if len(fields.LinkedIn) > 0 {
		f.LinkedIn = fields.LinkedIn[0]
	}
	for _, e := range fields.Experiences {
		f.Jobs = append(f.Jobs, foundJob{e.Title, e.Company, e.Start.String(), e.End.String(), e.Current})
	}
	for _, e := range fields.Education {
		f.Studies = append(f.Studies, truthStudy{e.School, e.Degree})
	}
	return f
}
