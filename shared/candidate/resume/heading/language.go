package heading

import (
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// ParseLanguages returns the languages that a line names, in English.
func ParseLanguages(line string) []string {
	var found []string
	tokens := words.Scan(line)
	for at := 0; at < len(tokens); {
		meaning, next := words.Vocabulary().Tongues.Find(tokens, at)
		if next > at {
			found = words.AppendNew(found, words.Vocabulary().TongueNames[meaning])
		}
		at = max(at+1, next)
	}
	return found
}
