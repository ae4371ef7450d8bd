package main

import (
	"strings"
	"time"
)

// person is one entry of a seed file; its facts are what a reader should find.
type person struct {
	ID, Name, Email, Phone, E164, LinkedIn, GitHub, Location, Title, Summary string
	Jobs                                                                     []job
	Education                                                                []study
	Skills, Languages                                                        []string
	Style                                                                    style
}

// Dates are YYYY or YYYY-MM; no end means that the job runs.
type job struct {
	Title, Company, Location, Start, End string
	Bullets                              []string
}

type study struct{ School, Degree, Start, End string }

// style is a person's habits. Head is a letter that picks how jobs are headed.
type style struct {
	Date, To, Now, Head     string
	Exp, Edu, Skl, Lng, Sum string // headings
	Skills                  string // comma, bars, bullets or lines
}

// formatDate writes YYYY-MM in the person's format, and a bare year as it is.
func (p person) formatDate(s string) string {
	if s == "" {
		return p.Style.Now
	}
	if t, err := time.Parse("2006-01", s); err == nil {
		return t.Format(p.Style.Date)
	}
	return s
}

func (p person) formatPeriod(start, end string) string {
	return p.formatDate(start) + p.Style.To + p.formatDate(end)
}

// fillPattern puts a job's facts into a pattern with {T}, {C}, {L} and {D}.
func (p person) fillPattern(pattern string, j job) string {
	return strings.NewReplacer("{T}", j.Title, "{C}", j.Company, "{L}", j.Location, "{D}", p.formatPeriod(j.Start, j.End)).Replace(pattern)
}
