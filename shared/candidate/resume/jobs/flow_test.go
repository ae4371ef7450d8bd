package jobs

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJoinFlowingHeads(t *testing.T) {
	t.Parallel()
	const whole = "Cooper at Bright Harbor Credit Union|2014 – 2016|• Made barrels|"
	checkLines(t, joinFlowingHeads, map[string]lineTest{
		"an employer, before its dates":           {"Cooper,\tTern &|Sons Jan 2018 – July 2019", "Cooper,\tTern & Sons\tJan 2018 – July 2019"},
		"an employer, in brackets":                {"Cooper,\tCouncil for Crafts|(North) Jan 2018 – July 2019", "Cooper,\tCouncil for Crafts (North)\tJan 2018 – July 2019"},
		"a title, above a place and dates":        {"Tern Rail, Manager, Learning and|Development – Leeds, UK|• Jan 2018 – July 2019", "Tern Rail, Manager, Learning and Development – Leeds, UK|• Jan 2018 – July 2019"},
		"an employer that fills the line":         {whole + "Welder at Northmoor Bridge Academy|Trust|2010 – 2012", whole + "Welder at Northmoor Bridge Academy Trust|2010 – 2012"},
		"an employer that would fit":              {whole + "Welder at Tern|Trust|2010 – 2012", ""},
		"an employer above each title":            {"Tern|Cooper 2014 – 2016|Bluestem|Welder 2010 – 2012", ""},
		"a whole head below a line of its own":    {"Bluestem Works|Cooper, Tern Ltd 2014 – 2016", ""},
		"a list item, a sentence and other dates": {"• Made barrels and|Cooper 2014 – 2016|Made barrels from seasoned timber of good oak and|Leeds, UK|2010 – 2012", ""},
	})
}

// lineTest holds lines, parted by bars, and what becomes of them; want is "" if nothing does.
type lineTest struct{ lines, want string }

// checkLines checks a step that tidies the lines of a section.
func checkLines(t *testing.T, tidy func(lines []string) []string, tests map[string]lineTest) {
	t.Helper()
	for name, test := range tests {
		if test.want == "" {
			test.want = test.lines
		}
		if diff := cmp.Diff(strings.Split(test.want, "|"), tidy(strings.Split(test.lines, "|"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
