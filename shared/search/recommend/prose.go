package recommend

import (
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// maxTerms bounds the terms of a candidate's texts that are looked up.
const maxTerms = 1000

// SkillTerms returns what could be technologies in the texts of a resume and a profile:
// words and pairs of words, folded, each once. Words of one or two letters are left out:
// in a text, "go" and "r" are ordinary words.
func SkillTerms(texts ...string) []string {
	var terms []string
	seen := map[string]bool{}
	add := func(term string) {
		if len(term) > 2 && !seen[term] && len(terms) < maxTerms {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	isSeparator := func(r rune) bool { // no technology is spelled with it
		isPart := unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune(".+#-", r)
		return !isPart
	}
	for _, t := range texts {
		last := ""
		for _, word := range strings.FieldsFunc(text.Fold(t), isSeparator) {
			word = strings.TrimRight(word, ".-")
			if word == "" {
				continue
			}
			add(word)
			if last != "" {
				add(last + " " + word)
			}
			last = word
		}
	}
	return terms
}

// RoleTypesOf returns the role types with all of their words in a job title: "Senior
// Backend Engineer" is a backend_engineer.
func RoleTypesOf(title string) (types []string) {
	words := text.Words(title)
	for _, key := range contract.RoleTypes.Values {
		if !slices.ContainsFunc(strings.Split(key, "_"), func(w string) bool { return !slices.Contains(words, w) }) {
			types = append(types, key)
		}
	}
	return types
}
