package background

import (
	"slices"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
)

// A resume without a known heading for its jobs or studies has them under a line that may be one.
func TestEntriesUnderUnknownLines(t *testing.T) {
	t.Parallel()
	const (
		work    = "Team Lead, Northmoor Labs Ltd\n2019 – Present\n• Led nine people.\nClerk, Southmoor Bank\n2015 – 2019\n"
		studies = "BSc Physics\nAshdown University\n2010 – 2014\n"
	)
	for name, test := range map[string]struct {
		text            string
		title, employer string
		degrees         []string
	}{
		"jobs":                      {"Education\n" + studies + "Stations of a life\n" + work, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
		"studies":                   {"Experience\n" + work + "Alma mater\n" + studies, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
		"all":                       {"Stations of a life\n" + work + "Alma mater\n" + studies, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
		"all, the studies first":    {"Alma mater\n" + studies + "Stations of a life\n" + work, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
		"a school of unknown words": {"Education\nTern Hall\nBSc Physics\n2010 – 2014\nRavenspur\nBA History\n2007 – 2010\n", "", "", []string{"BSc Physics", "BA History"}},
		"a known heading":           {"Experience\n" + work + "Education\n" + studies, "Team Lead", "Northmoor Labs Ltd", []string{"BSc Physics"}},
	} {
		blocks := SplitUnheaded(read("Maya Okafor\n"+test.text), document.Markup{})
		var degrees []string
		for _, e := range FindEducation(blocks) {
			degrees = append(degrees, e.Degree)
		}
		var current jobs.Experience
		for _, job := range jobs.Find(blocks, document.Markup{}) {
			if job.Current {
				current = job
			}
		}
		if current.Title != test.title || current.Company != test.employer || !slices.Equal(degrees, test.degrees) {
			t.Errorf("%s: %q at %q, degrees %q", name, current.Title, current.Company, degrees)
		}
	}
}
