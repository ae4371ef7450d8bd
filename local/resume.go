package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json"
	v1 "github.com/go-json-experiment/json/v1"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

// resumeCommand prints what ingestion extracts, for support ("why was this candidate refused?") and for tuning.
type resumeCommand struct {
	Files []string `arg:"" help:"Resume files; - is standard input."`
	JSON  bool     `name:"json" help:"Print one JSON object per line."`
}

// understanding is what --json prints for a file. Dates are YYYY or YYYY-MM, "" if unknown.
type understanding struct {
	File        string              `json:"file"`
	OK          bool                `json:"ok"`
	Error       string              `json:"error,omitempty"` // kind of failure
	Message     string              `json:"message,omitempty"`
	Name        string              `json:"name"`
	Emails      []string            `json:"emails"`
	LinkedInURL string              `json:"linkedinUrl"`
	GitHubURL   string              `json:"githubUrl"`
	Experiences []resume.Experience `json:"experiences"`
	Education   []resume.Education  `json:"education"`
	Skills      []string            `json:"skills"`
	Languages   []string            `json:"languages"`
	Years       float64             `json:"yearsOfExperience"`
	Confidence  map[string]float64  `json:"confidence"`
	Warnings    []string            `json:"warnings"`
}

// Run reads every file, and returns an error at the end if one could not be read.
func (c resumeCommand) Run() error {
	failed := 0
	for _, file := range c.Files {
		u, err := understandFile(file, time.Now())
		if err != nil {
			return err
		}
		if !u.OK {
			failed++
		}
		if c.JSON {
			err = u.writeJSON(os.Stdout)
		} else {
			err = u.printTable(os.Stdout)
		}
		if err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d files could not be read", failed, len(c.Files))
	}
	return nil
}

// understandFile reads one file. One that is no readable resume is a result; an error is a failure of this machine.
func understandFile(file string, now time.Time) (understanding, error) {
	in := os.Stdin
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return understanding{}, err
		}
		defer func() { _ = opened.Close() }()
		in = opened
	}
	content, err := io.ReadAll(io.LimitReader(in, resume.MaxFile+1)) // with one byte more, Read refuses a longer file
	if err != nil {
		return understanding{}, err
	}
	doc, err := resume.Read(context.Background(), content)
	if unreadable, ok := errors.AsType[*resume.Failure](err); ok {
		return understanding{File: file, Error: string(unreadable.Kind), Message: unreadable.Message}, nil
	}
	if err != nil {
		return understanding{}, err
	}
	f := resume.Extract(doc, now)
	return understanding{
		File: file, OK: true, Name: f.Name, Emails: f.Emails,
		LinkedInURL: cmp.Or(f.LinkedIn...), GitHubURL: cmp.Or(f.GitHub...), Experiences: f.Experiences, Education: f.Education,
		Skills: f.Skills, Languages: f.Languages, Years: f.Years, Confidence: f.Confidence, Warnings: f.Warnings,
	}, nil
}

// writeJSON writes one line. Lists that are nil are [] and not null.
func (u understanding) writeJSON(out io.Writer) error {
	line, err := json.Marshal(u, v1.DefaultOptionsV1(), json.FormatNilSliceAsNull(false), json.FormatNilMapAsNull(false))
	if err != nil {
		return fmt.Errorf("encode the fields: %w", err)
	}
	_, err = fmt.Fprintf(out, "%s\n", line)
	return err
}

func (u understanding) printTable(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(w, "%s\n", u.File)
	if !u.OK {
		_, _ = fmt.Fprintf(w, "  %s\t%s\n", u.Error, u.Message)
		return w.Flush()
	}
	row := func(field, value string) {
		sure := ""
		if c, ok := u.Confidence[field]; ok {
			sure = fmt.Sprintf("%.0f %%", 100*c)
		}
		if value != "" {
			_, _ = fmt.Fprintf(w, "  %s\t%s\t%s\n", field, sure, value)
		}
	}
	row("name", u.Name)
	row("emails", strings.Join(u.Emails, ", "))
	row("linkedinUrl", u.LinkedInURL)
	row("githubUrl", u.GitHubURL)
	for _, e := range u.Experiences {
		end := e.End.String()
		if e.Current {
			end = "now"
		}
		row("experiences", fmt.Sprintf("%s – %s  %s, %s  %s", e.Start, end, e.Title, e.Company, e.Location))
	}
	for _, e := range u.Education {
		row("education", strings.Trim(fmt.Sprintf("%s – %s  %s, %s", e.Start, e.End, e.Degree, e.School), " –"))
	}
	row("skills", strings.Join(u.Skills, ", "))
	row("languages", strings.Join(u.Languages, ", "))
	row("yearsOfExperience", fmt.Sprintf("%.1f", u.Years))
	row("warnings", strings.Join(u.Warnings, "; "))
	return w.Flush()
}
