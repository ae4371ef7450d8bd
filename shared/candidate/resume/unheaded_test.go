package resume

import (
	"slices"
	"testing"
)

// A resume without a known heading for its jobs or studies has them under a line that may be one.
func TestEntriesUnderUnknownLines(t *testing.T) {
	t.Parallel()
	const (
		jobs    = "Team Lead, Northmoor Labs Ltd\n2019 – Present\n• Led nine people.\nClerk, Southmoor Bank\n2015 – 2019\n"
		studies = "BSc Physics\nAshdown University\n2010 – 2014\n"
	)
	for name, test := range map[string]struct {
		text            string
		title, employer string
		degrees         []string
	}{
		"jobs":                      {"Education\n" + studies + "Stations of a life\n" + jobs, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
		"studies":                   {"Experience\n" + jobs + "Alma mater\n" + studies, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
		"all":                       {"Stations of a life\n" + jobs + "Alma mater\n" + studies, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
		"all, the studies first":    {"Alma mater\n" + studies + "Stations of a life\n" + jobs, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
		"a school of unknown words": {"Education\nTern Hall\nBSc Physics\n2010 – 2014\nRavenspur\nBA History\n2007 – 2010\n", "", "", []string{"BSc Physics", "BA History"}},
		"a known heading":           {"Experience\n" + jobs + "Education\n" + studies, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
	} {
		f := Extract(newDocument("Maya Okafor\n"+test.text), asOf)
		var degrees []string
		for _, e := range f.Education {
			degrees = append(degrees, e.Degree)
		}
		if f.Title != test.title || f.Company != test.employer || !slices.Equal(degrees, test.degrees) {
			t.Errorf("%s: %q at %q, degrees %q", name, f.Title, f.Company, degrees)
		}
	}
}
