package resume

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/background"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
)

// mustRead reads a file that is meant to be readable.
func mustRead(t *testing.T, content []byte) document.Document {
	t.Helper()
	doc, err := Read(context.Background(), content)
	if err != nil {
		t.Fatalf("Read: %v", err)
	}
	return doc
}

// kindOf returns the kind of a failure, and the error's text where it is none.
func kindOf(err error) document.Kind {
	var f *document.Failure
	switch {
	case err == nil:
		return ""
	case errors.As(err, &f):
		return f.Kind
	}
	return document.Kind("no failure: " + err.Error())
}

func TestSamplesAreUnderstood(t *testing.T) {
	t.Parallel()
	maya := Fields{
		Name: "Maya Okafor", Emails: []string{"maya.okafor@example.com"},
		LinkedIn: []string{"https://www.linkedin.com/in/maya-okafor"}, GitHub: []string{"https://github.com/mayaokafor-demo"},
		Experiences: []jobs.Experience{
			{Title: "Staff Backend Engineer", Company: "Northwind Robotics", Start: dates.Month{Year: 2021, Month: 3}, Current: true},
			{Title: "Senior Software Engineer", Company: "Bluefin Payments", Start: dates.Month{Year: 2017, Month: 6}, End: dates.Month{Year: 2021, Month: 2}},
		},
		Title: "Staff Backend Engineer", Company: "Northwind Robotics",
		Education: []background.Education{{School: "Lakeside University", Degree: "BSc Computer Science", Start: dates.Month{Year: 2013}, End: dates.Month{Year: 2017}}},
		Skills:    []string{"Go", "Python", "PostgreSQL", "Apache Kafka", "Kubernetes", "AWS", "Terraform"}, Years: 9.1,
	}
	tests := []struct {
		file string
		kind filetype.Type
		want Fields
	}{
		{"maya-okafor.libreoffice.pdf", filetype.PDF, maya},
		{"maya-okafor.chromium.pdf", filetype.PDF, maya},
		{"jonas-lindqvist.docx", filetype.DOCX, Fields{
			Name: "Jonas Lindqvist", Emails: []string{"jonas.lindqvist@example.org"},
			LinkedIn: []string{"https://www.linkedin.com/in/jonas-lindqvist"}, GitHub: []string{"https://github.com/jlindqvist-demo"},
			Experiences: []jobs.Experience{
				{Title: "Lead Product Designer", Company: "Fjällstad Mobility AB", Start: dates.Month{Year: 2020, Month: 1}, Current: true},
				{Title: "UX Designer", Company: "Tidewater Health", Start: dates.Month{Year: 2015, Month: 8}, End: dates.Month{Year: 2019, Month: 12}},
			},
			Title: "Lead Product Designer", Company: "Fjällstad Mobility AB", Years: 10.9,
			Education: []background.Education{{School: "Västerhamn University", Degree: "MA Interaction Design", Start: dates.Month{Year: 2013}, End: dates.Month{Year: 2015}}},
			Skills:    []string{"Figma", "Design Systems", "User Research", "Prototyping", "HTML", "CSS"},
		}},
		{"priya-raman.txt", filetype.Text, Fields{
			Name: "Priya Raman", Emails: []string{"priya.raman@example.com"},
			LinkedIn: []string{"https://www.linkedin.com/in/priya-raman-demo"},
			Experiences: []jobs.Experience{
				{Title: "Finance Director", Company: "Marigold Textiles Ltd", Start: dates.Month{Year: 2019, Month: 4}, Current: true},
				{Title: "Financial Controller", Company: "Oakbridge Retail Ltd", Start: dates.Month{Year: 2014, Month: 1}, End: dates.Month{Year: 2019, Month: 3}},
			},
			Title: "Finance Director", Company: "Marigold Textiles Ltd", Years: 12.5,
			Education: []background.Education{{School: "Thornfield University", Degree: "MSc Accounting", Start: dates.Month{Year: 2012}, End: dates.Month{Year: 2013}}},
		}},
		{"viktor-halvorsen.libreoffice.pdf", filetype.PDF, Fields{
			Name: "Viktor Halvorsen", Emails: []string{"viktor.halvorsen@example.org"},
			LinkedIn: []string{"https://www.linkedin.com/in/viktor-halvorsen"}, GitHub: []string{"https://github.com/vhalvorsen-demo"},
			Experiences: []jobs.Experience{
				{Title: "Senior Data Analyst", Company: "Copperline Energy", Start: dates.Month{Year: 2021, Month: 3}, Current: true},
				{Title: "Data Analyst", Company: "Meadow Foods", Start: dates.Month{Year: 2017, Month: 6}, End: dates.Month{Year: 2021, Month: 2}},
			},
			Title: "Senior Data Analyst", Company: "Copperline Energy", Years: 9.1,
			Education: []background.Education{{School: "Hillcrest College", Degree: "BSc Statistics", Start: dates.Month{Year: 2012}, End: dates.Month{Year: 2016}}},
			Skills:    []string{"SQL", "R", "Python", "dbt", "Tableau"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			t.Parallel()
			doc := mustRead(t, readSample(tt.file))
			if doc.Type != tt.kind {
				t.Errorf("type %q, want %q", doc.Type, tt.kind)
			}
			ignored := cmp.Options{cmpopts.IgnoreFields(Fields{}, "Confidence", "Warnings"), cmpopts.IgnoreFields(jobs.Experience{}, "Description", "Location")}
			if diff := cmp.Diff(tt.want, Extract(doc, asOf), ignored); diff != "" {
				t.Errorf("fields (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSamplesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		file, says string
		want       document.Kind
	}{
		{"tomas-novak.scan.pdf", "text layer", document.NoTextLayer},
		{"maya-okafor.locked.pdf", "password", document.Encrypted},
	}
	for _, tt := range tests {
		_, err := Read(context.Background(), readSample(tt.file))
		if kindOf(err) != tt.want || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("Read(%s): %v; want %s, and a message with %q", tt.file, err, tt.want, tt.says)
		}
	}
}

func TestReadRefusesLargeFiles(t *testing.T) {
	t.Parallel()
	if _, err := Read(context.Background(), make([]byte, document.MaxFile+1)); kindOf(err) != document.TooLarge {
		t.Errorf("Read of 9 MiB and a byte: %v, want too_large", err)
	}
}

// A cancelled context is the caller's doing: no failure of the file, so that the work is tried again.
func TestReadEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, file := range []string{"maya-okafor.libreoffice.pdf", "jonas-lindqvist.docx"} {
		if _, err := Read(ctx, readSample(file)); !errors.Is(err, context.Canceled) || kindOf(err) == document.ResourceLimit {
			t.Errorf("Read(%s) with a cancelled context: %v, want context.Canceled", file, err)
		}
	}
}
