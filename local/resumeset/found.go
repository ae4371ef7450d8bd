package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

// found is what a parser found in a file, in the form of `go run ./local resume --json`.
type found struct {
	Name       string             `json:"name"`
	Emails     []string           `json:"emails"`
	LinkedIn   string             `json:"linkedinUrl"`
	Jobs       []foundJob         `json:"experiences"`
	Studies    []truthStudy       `json:"education"`
	Skills     []string           `json:"skills"`
	Languages  []string           `json:"languages"`
	Confidence map[string]float64 `json:"confidence"`

	text    string        // of the file, if this reader read it
	elapsed time.Duration // processor time of reading it
	title   string        // of the current job
	company string
}

// foundJob is one job; dates are YYYY, YYYY-MM or "".
type foundJob struct {
	Title     string `json:"title"`
	Company   string `json:"company"`
	Start     string `json:"start"`
	End       string `json:"end"`
	IsCurrent bool   `json:"isCurrent"`
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

// readFindings returns what another parser found, from a file of its own. A missing one
// says that it found nothing.
func readFindings(dir, file string) (found, error) {
	content, err := os.ReadFile(filepath.Join(dir, filepath.Base(file)+".json"))
	if errors.Is(err, os.ErrNotExist) {
		return found{}, nil
	}
	if err != nil {
		return found{}, err
	}
	var f found
	if err := json.Unmarshal(content, &f); err != nil {
		return found{}, err
	}
	for _, j := range f.Jobs {
		if f.title+f.company == "" && (j.IsCurrent || j.End == "") {
			f.title, f.company = j.Title, j.Company
		}
	}
	return f, nil
}
