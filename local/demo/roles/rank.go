package roles

import (
	"math/rand/v2"
	"strings"
)

// The least years of experience that a level asks for. A title that names a rank
// itself, such as "Head of", takes no level.
var (
	levelYears = map[string]int{
		"Junior": 0, "Associate": 1, "": 2, "Regional": 4, "Senior": 5, "Global": 6, "Lead": 6, "Staff": 7, "Principal": 9,
	}
	rankYears = []struct {
		rank  string
		years int
	}{
		{"Chief", 10}, {"VP of", 10}, {"Head of", 8}, {"Director", 8}, {"General", 8}, {"Partner,", 8}, {"Equity Partner", 9}, {"Group", 6}, {"Founding", 4},
		{"Lead", 5}, {"Senior", 5}, {"First", 3}, {"Mid-Level", 3}, {"Representative", 0}, {"Assistant", 0}, {"Associate", 1}, {"Specialist", 2}, {"Executive Business Partner", 4},
	}
)

// drawTitle returns a title of a kind, its level, and the years of experience it asks for.
func drawTitle(r *rand.Rand, k roleKind) (title, level string, years int) {
	level = drawOne(r, words.Levels[families[k.Family].Levels])
	title = drawOne(r, k.Titles)
	years = levelYears[level]
	for _, own := range rankYears {
		if strings.Contains(title, own.rank) {
			level = ""
			years = own.years
			break
		}
	}
	return joinWords(level, title), level, years + r.IntN(3)
}
