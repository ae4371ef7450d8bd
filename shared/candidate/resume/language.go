package resume

var languageLine = expression(`(?i)^(?:spoken |foreign )?(?:languages?|sprachen|langues|idiomas|lingue|языки)\s*[:：]\s*`)

// findLanguages reads the languages sections, and lines that begin with "Languages:".
func findLanguages(blocks []block) []string {
	var found []string
	for _, b := range blocks {
		for _, line := range b.lines {
			if b.section != languages && !languageLine().MatchString(line) || b.section == referees {
				continue
			}
			for _, l := range parseLanguages(line) {
				found = appendNew(found, l)
			}
		}
	}
	return found
}

// parseLanguages returns the languages that a line names, in English.
func parseLanguages(line string) []string {
	var found []string
	tokens := scanTokens(line)
	for at := 0; at < len(tokens); {
		meaning, next := vocabulary().tongues.find(tokens, at)
		if next > at {
			found = appendNew(found, vocabulary().tongueNames[meaning])
		}
		at = max(at+1, next)
	}
	return found
}
