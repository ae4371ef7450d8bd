package personname

import (
	_ "embed"
	"strings"
	"sync"
)

// spellingList has what spellings of names are evened out by, in sections.
//
//go:embed spellings.txt
var spellingList string

func readSpellings(section string) string {
	_, rest, _ := strings.Cut(spellingList, "["+section+"]\n")
	lines, _, _ := strings.Cut(rest, "\n\n")
	return lines
}

// newReplacer returns the replacer of a section, which is made at its first use.
func newReplacer(section string) func() *strings.Replacer {
	return sync.OnceValue(func() *strings.Replacer {
		pairs := strings.Fields(readSpellings(section))
		for i := range pairs {
			pairs[i] = strings.TrimPrefix(pairs[i], "-")
		}
		return strings.NewReplacer(pairs...)
	})
}
