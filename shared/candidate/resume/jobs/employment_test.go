package jobs

import (
	"testing"
)

func TestDropEmploymentWords(t *testing.T) {
	t.Parallel()
	checkLines(t, dropEmploymentWords, map[string]lineTest{
		"beside each employer":         {"Cooper|Tern Ltd Permanent\t2019 – 2021|Clerk|Wren Internship\t2016 – 2018", "Cooper|Tern Ltd\t2019 – 2021|Clerk|Wren\t2016 – 2018"},
		"between titles and employers": {"Cooper - Full-time, Tern Ltd|2019 – 2021|Clerk - Freelance, Wren|2016 – 2018", "Cooper - Tern Ltd|2019 – 2021|Clerk - Wren|2016 – 2018"},
		"in a title":                   {"Clerk Part-time\t2019 – 2021|Tern Ltd|Cooper\t2016 – 2018|Wren", ""},
	})
}
