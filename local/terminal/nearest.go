package terminal

import (
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// leastLikeness is how much a name must have of another one to be suggested for it.
const leastLikeness = 0.4

// nearest returns the candidate of the highest score, the first of several; "" if all are unlike.
func nearest(candidates []string, score func(string) float64) string {
	best := ""
	most := 0.0
	for _, candidate := range candidates {
		if s := score(candidate); s > most && s >= leastLikeness {
			best = candidate
			most = s
		}
	}
	return best
}

// likeness returns how many of their words a heading and a column have in common, from 0 to 1.
func likeness(heading, name string) float64 {
	column := splitWords(name, true)
	return max(shareWords(splitWords(heading, false), column), shareWords(splitWords(heading, true), column))
}

func shareWords(heading, column []string) float64 {
	common := 0
	for _, word := range column {
		if slices.ContainsFunc(heading, func(other string) bool { return isLike(word, other) }) {
			common++
		}
	}
	return 2 * float64(common) / float64(len(heading)+len(column))
}

// synonyms are other words for those of columns.
var synonyms = map[string]string{"cv": "resume", "curriculum": "resume", "mail": "email", "profile": "linkedin", "permit": "visa"}

// isLike reports whether a word of a column is another word, an abbreviation or a misspelling of it.
func isLike(word, other string) bool {
	if meant := synonyms[other]; meant != "" {
		other = meant
	}
	if min(len(word), len(other)) < 3 {
		return word == other
	}
	limit := len(word) / 5
	return strings.HasPrefix(word, other) || strings.HasPrefix(other, word) || text.Distance([]byte(word), []byte(other), limit) <= limit
}

// splitWords returns the words of a name in lower case. With camel, a capital letter begins a word.
func splitWords(name string, camel bool) []string {
	var spaced strings.Builder
	before := ' '
	for _, r := range name {
		if camel && unicode.IsUpper(r) && unicode.IsLower(before) {
			spaced.WriteRune(' ')
		}
		spaced.WriteRune(r)
		before = r
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
