package main

import (
	"fmt"
	"slices"
)

// field is a column of the table: what a truth has of it, what was found, and the name
// of its confidence. Empty values are none.
type field struct {
	name, confidence string
	want             func(truth) []string
	got              func(found) []string
}

// fields are the columns in their order. Jobs and their dates are compared as wholes
// (addJobs); their values are for printErrors.
var fields = []field{
	{"name", "name", func(t truth) []string { return []string{t.Name} }, func(f found) []string { return []string{f.Name} }},
	{"e-mail", "emails", func(t truth) []string { return []string{t.Email} }, func(f found) []string { return f.Emails }},
	{"LinkedIn", "linkedinUrl", func(t truth) []string { return []string{t.LinkedIn} }, found.firstLinkedIn},
	{"current title", "", func(t truth) []string { return []string{t.currentJob().Title} }, func(f found) []string { return []string{f.Title} }},
	{"current company", "", func(t truth) []string { return []string{t.currentJob().Company} }, func(f found) []string { return []string{f.Company} }},
	{"jobs", "", func(t truth) []string { return describeJobs(t.Jobs) }, func(f found) []string { return describeJobs(f.jobs) }},
	{"dates", "", func(t truth) []string { return describeJobs(t.Jobs) }, func(f found) []string { return describeJobs(f.jobs) }},
	{"schools", "education", func(t truth) []string { return listSchools(t.Studies) }, func(f found) []string { return listSchools(f.studies) }},
	{"degrees", "education", func(t truth) []string { return listDegrees(t.Studies) }, func(f found) []string { return listDegrees(f.studies) }},
	{"skills", "skills", func(t truth) []string { return t.Skills }, func(f found) []string { return f.Skills }},
	{"languages", "languages", func(t truth) []string { return t.Languages }, func(f found) []string { return f.Languages }},
}

func listFieldNames() []string { return listValues(fields, func(f field) string { return f.name }) }

// listValues returns a value of each of several things.
func listValues[T any](all []T, value func(T) string) []string {
	var values []string
	for _, one := range all {
		values = append(values, value(one))
	}
	return values
}

func isEmpty(value string) bool { return value == "" }

func (f found) firstLinkedIn() []string { return f.LinkedIn[:min(1, len(f.LinkedIn))] }

func listSchools(studies []truthStudy) []string {
	return listValues(studies, func(e truthStudy) string { return e.School })
}

func listDegrees(studies []truthStudy) []string {
	return listValues(studies, func(e truthStudy) string { return e.Degree })
}

func describeJobs(jobs []truthJob) []string {
	return listValues(jobs, func(j truthJob) string { return fmt.Sprintf("%s | %s | %s – %s", j.Title, j.Company, j.Start, j.End) })
}

// currentJob returns the job without an end, if there is one.
func (t truth) currentJob() truthJob {
	if i := slices.IndexFunc(t.Jobs, func(j truthJob) bool { return j.End == "" }); i >= 0 {
		return t.Jobs[i]
	}
	return truthJob{}
}
