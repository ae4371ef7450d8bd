package jobs

import (
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
)

// Pages spread the head of a job over elements in many ways; none of them hides the job.
func TestHeadsOnManyLines(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{
		"dates on two lines":            "{T}\n{C}\n{S}\n– {E}",
		"dates and their dash":          "{T}\n{C}\n{S}\n–\n{E}",
		"dates on lines without a dash": "{T}\n{C}\n{S}\n{E}",
		"dates beside each other":       "{T}\n{S}\t{E}\n{C}",
		"a web address between":         "{C}\nhttps://www.acme.example\n{T}\n{S} — {E}",
		"a word alone":                  "{T}\nat\n{C}\n{S} - {E}",
	} {
		var lines []string
		for _, job := range [][4]string{{"Software Engineer", "Acme Robotics", "Mar 2019", "Present"}, {"Office Manager", "Saffron Kitchens", "Jan 2016", "Feb 2019"}} {
			head := strings.NewReplacer("{T}", job[0], "{C}", job[1], "{S}", job[2], "{E}", job[3]).Replace(form)
			lines = append(append(lines, strings.Split(head, "\n")...), "• Led a team of eight people")
		}
		jobs := Parse(lines, document.Markup{})
		if len(jobs) != 2 || jobs[0].Title != "Software Engineer" || jobs[0].Company != "Acme Robotics" || !jobs[0].Current ||
			jobs[1].Title != "Office Manager" || jobs[1].Company != "Saffron Kitchens" || jobs[1].End != (dates.Month{Year: 2019, Month: 2}) {
			t.Errorf("%s: %+v", name, jobs)
		}
	}
}
