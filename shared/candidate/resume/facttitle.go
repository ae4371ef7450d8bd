package resume

import "strings"

// grade matches what follows a title's noun: "Engineer II", "Teacher Year 6", "Manager EMEA".
var grade = expression(`^[\p{Lu}\d.+]+$`)

// isNamedAfterTitle reports whether an English title's noun stands where names have it rather than titles:
// in the genitive, or before other words than areas of work, as in "Chef's Warehouse" and "Butler Foods".
func isNamedAfterTitle(text string) bool {
	words := strings.Fields(behindTheNoun().ReplaceAllString(text, ""))
	if len(words) < 2 || isComposite().MatchString(text) || atWord().MatchString(text) || !isInEnglish(text) {
		return false
	}
	last := words[len(words)-1]
	if isTitle(last) || grade().MatchString(last) || personEnding().MatchString(last) {
		return false
	}
	for i, word := range words[:len(words)-1] {
		if isTitle(word) {
			return !isWorkArea(strings.Join(words[i+1:], " ")) && strings.ToUpper(words[i+1][:1]) == words[i+1][:1]
		}
	}
	return false
}

// placeOfWork matches where English titles say that somebody works, and what they do there: "Studio Potter",
// "Farm Hand".
var placeOfWork = expression(`^(?:Church|Court|Dairy|Farm|Gym|Hospital|Kitchen|Lab|Library|Museum|Ranch|School|Shop|Store|Studio|Theat(?:re|er)|Warehouse) (?:\p{Lu}\p{L}+ )?(\p{Lu}\p{L}+)$`)

// isTradeAtPlace reports whether a fact with an organisation's word is a title of unknown words.
func isTradeAtPlace(f fact) bool {
	m := placeOfWork().FindStringSubmatch(f.text)
	return m != nil && !f.title && !f.legal && personEnding().MatchString(m[1]) && !vocabulary().organisations.isIn(scanTokens(m[1]))
}

// isInEnglish reports whether all titles' nouns of a text are English.
func isInEnglish(text string) bool {
	tokens := scanTokens(text)
	for at := range tokens {
		if vocabulary().titleWords.findAt(tokens, at) != vocabulary().englishTitles.findAt(tokens, at) {
			return false
		}
	}
	return true
}

// takeForEmployers takes names with a title's noun for employers beside a fact that is a title.
func takeForEmployers(facts []fact) {
	isTitled := false
	for _, f := range facts {
		isTitled = isTitled || f.title && !f.doubtful
	}
	for i := range facts {
		if isTitled && facts[i].doubtful {
			facts[i].title, facts[i].company, facts[i].doubtful = false, true, false
		}
	}
}
