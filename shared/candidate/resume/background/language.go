package background

import (
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

var languageLine = words.Expression(`(?i)^(?:spoken |foreign )?(?:languages?|sprachen|langues|idiomas|lingue|языки)\s*[:：]\s*`)

// FindLanguages reads the languages sections, and lines that begin with "Languages:".
func FindLanguages(blocks []heading.Block) []string {
	var found []string
	for _, b := range blocks {
		for _, line := range b.Lines {
			if b.Section != words.LanguagesSection && !languageLine().MatchString(line) || b.Section == words.RefereesSection {
				continue
			}
			for _, l := range heading.ParseLanguages(line) {
				found = words.AppendNew(found, l)
			}
		}
	}
	return found
}
