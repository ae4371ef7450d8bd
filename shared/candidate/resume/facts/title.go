package facts

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/expression"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// grade matches what follows a title's noun: "Engineer II", "Teacher Year 6", "Manager EMEA".
var grade = expression.New(`^[\p{Lu}\d.+]+$`)

// isNamedAfterTitle reports whether an English title's noun stands where names have it rather than titles:
// in the genitive, or before other words than areas of work, as in "Chef's Warehouse" and "Butler Foods".
func isNamedAfterTitle(text string) bool {
	words := strings.Fields(behindTheNoun().ReplaceAllString(text, ""))
	isOfSeveral := isComposite().MatchString(text) || AtWord().MatchString(text)
	if len(words) < 2 || isOfSeveral || !isInEnglish(text) {
		return false
	}
	last := words[len(words)-1]
	if IsTitle(last) || grade().MatchString(last) || PersonEnding().MatchString(last) {
		return false
	}
	for i, word := range words[:len(words)-1] {
		if IsTitle(word) {
			return !isWorkArea(strings.Join(words[i+1:], " ")) && strings.ToUpper(words[i+1][:1]) == words[i+1][:1]
		}
	}
	return false
}

// isInEnglish reports whether all titles' nouns of a text are English.
func isInEnglish(text string) bool {
	tokens := words.Scan(text)
	for at := range tokens {
		if words.Vocabulary().TitleWords.FindAt(tokens, at) != words.Vocabulary().EnglishTitles.FindAt(tokens, at) {
			return false
		}
	}
	return true
}

// takeForEmployers takes names with a title's noun for employers beside a fact that is a title.
func takeForEmployers(facts []Fact) {
	isTitled := false
	for _, f := range facts {
		isTitled = isTitled || f.Title && !f.Doubtful
	}
	for i := range facts {
		if isTitled && facts[i].Doubtful {
			facts[i].Title = false
			facts[i].Company = true
			facts[i].Doubtful = false
		}
	}
}
