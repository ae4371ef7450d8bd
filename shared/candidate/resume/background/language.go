package background

import (
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/expression"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/section"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

var languageLine = expression.New(`(?i)^(?:spoken |foreign )?(?:languages?|sprachen|langues|idiomas|lingue|языки)\s*[:：]\s*`)

// FindLanguages reads the languages sections, and lines that begin with "Languages:".
func FindLanguages(blocks []heading.Block) []string {
	var found []string
	for _, b := range blocks {
		for _, line := range b.Lines {
			if b.Section != section.Languages && !languageLine().MatchString(line) || b.Section == section.Referees {
				continue
			}
			for _, l := range heading.ParseLanguages(line) {
				found = words.AppendNew(found, l)
			}
		}
	}
	return found
}
