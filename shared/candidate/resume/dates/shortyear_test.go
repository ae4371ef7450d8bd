package dates

import (
	"strings"
	"testing"
)

func TestTellYearsApart(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ lines, want string }{
		"beside a range that is no month":           {"2018-22 Cooper|2010-12 Welder", "2018–22 Cooper|2010–12 Welder"},
		"beside a month that is no range":           {"2018-22 Cooper|2019-03 Welder|2010-12 Clerk", ""},
		"without a range that is no month":          {"2010-12 Welder|2005-09 Clerk", ""},
		"in dates of days, and within longer words": {"2018-22 Cooper|2010-12-31|A2010-12", "2018–22 Cooper|2010-12-31|A2010-12"},
	} {
		if test.want == "" {
			test.want = test.lines
		}
		got := ExpandShortYears([][]string{strings.Split(test.lines, "|")})
		if text := strings.Join(got[0], "|"); text != test.want {
			t.Errorf("%s: %q, want %q", name, text, test.want)
		}
	}
}
