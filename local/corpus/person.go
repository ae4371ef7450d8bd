package main

import (
	"strings"
	"time"
)

// person is one entry of a seed file: the facts that the reader should find.
type person struct {
	ID, Name, Email, Phone, E164, LinkedIn, GitHub, Location, Title, Summary string
	Jobs                                                                     []job
	Education                                                                []study
	Skills, Languages                                                        []string
	Style                                                                    style
}

// job is one job. Dates are YYYY or YYYY-MM; a current job has no end.
type job struct {
	Title, Company, Location, Start, End string
	Bullets                              []string
}

type study struct{ School, Degree, Start, End string }

// style is how a person writes. Head is the letter of a job's head in every layout.
type style struct {
	Date, To, Now, Head     string
	Exp, Edu, Skl, Lng, Sum string // headings
	Skills                  string // comma, bars, bullets or lines
}

// formatDate returns YYYY-MM in the person's format, and a year alone as it is.
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

// fillPattern replaces {T}, {C}, {L} and {D} by a job's title, company, location and dates.
func (p person) fillPattern(pattern string, j job) string {
	return strings.NewReplacer("{T}", j.Title, "{C}", j.Company, "{L}", j.Location, "{D}", p.formatPeriod(j.Start, j.End)).Replace(pattern)
}
