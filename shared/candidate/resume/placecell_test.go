package resume

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJoinHeadsBesidePlaces(t *testing.T) {
	t.Parallel()
	const whole = "Engineer,\tTern Ltd\tLeeds, United Kingdom|2014 – 2016|• Made barrels"
	const joined = "Engineer,\tTern Ltd\tLeeds, United Kingdom\t2014 – 2016|• Made barrels"
	for name, test := range map[string]struct{ lines, want string }{
		"an employer that wraps": {
			"Engineer,\tBluestem Ltd\tLeeds, United Kingdom|Maritime\t2019 – 2021|• Made casks",
			"Engineer,\tBluestem Ltd Maritime\tLeeds, United Kingdom\t2019 – 2021|• Made casks"},
		"a title that wraps, behind an employer, where another head's dates are alone": {
			whole + "|Tern Ltd,\tArchives\tLeeds, United Kingdom|Clerk\t2011 – 2013",
			joined + "|Tern Ltd,\tArchives Clerk\tLeeds, United Kingdom\t2011 – 2013"},
		"dates alone below a town of any name": {
			"Engineer,\tTern Ltd\tWickling|2014 – 2016", "Engineer,\tTern Ltd\tWickling\t2014 – 2016"},
		"a title of its own beside the dates": {
			"Bluestem Ltd\tLeeds, United Kingdom|Cooper\t2019 – 2021", ""},
		"an employer of its own beside the dates": {
			"Cooper\tLeeds, United Kingdom|Bluestem Ltd\t2019 – 2021", ""},
		"dates above the heads": {
			"2019 – 2021|Engineer,\tTern Ltd\tLeeds, United Kingdom|2014 – 2016|Clerk,\tBluestem Ltd\tLeeds, United Kingdom", ""},
		"text": {
			whole + "|• Sold them to Leeds, and made\tLeeds|more\t2011 – 2013", joined + "|• Sold them to Leeds, and made\tLeeds|more\t2011 – 2013"},
	} {
		if test.want == "" {
			test.want = test.lines
		}
		if diff := cmp.Diff(strings.Split(test.want, "|"), joinHeadsBesidePlaces(strings.Split(test.lines, "|"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
