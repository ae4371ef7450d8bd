package resume

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDropEmploymentWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ lines, want string }{
		"beside each employer":         {"Cooper|Tern Ltd Permanent\t2019 – 2021|Clerk|Wren Internship\t2016 – 2018", "Cooper|Tern Ltd\t2019 – 2021|Clerk|Wren\t2016 – 2018"},
		"between titles and employers": {"Cooper - Full-time, Tern Ltd|2019 – 2021|Clerk - Freelance, Wren|2016 – 2018", "Cooper - Tern Ltd|2019 – 2021|Clerk - Wren|2016 – 2018"},
		"in a title":                   {"Clerk Part-time\t2019 – 2021|Tern Ltd|Cooper\t2016 – 2018|Wren", ""},
	} {
		if test.want == "" {
			test.want = test.lines
		}
		if diff := cmp.Diff(strings.Split(test.want, "|"), dropEmploymentWords(strings.Split(test.lines, "|"))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
