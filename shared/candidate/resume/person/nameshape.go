package person

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const signsInNames = "'’-.\u200c\u200d"

var (
	notInName = words.Set(`resume résumé curriculum vitae cv lebenslauf page phone email e-mail mobile tel address linkedin github website
		portfolio university college school institute street road avenue january february march april june july august september
		october november december and or with for to in on the of at from i'm i’m`)
	nameParticles = words.Set(`de da do dos das del della di du la le las los van von der den ter ten zu zum al el bin binti bint ibn y e
		af av ap ben 't ’t 's ’s op aan`)
	letterPrefix = words.Expression(`^(?:al|el|ad|as|abd|d|l|o|mc|mac|de|van|von)[-'’]\p{Lu}`)
)

// isNameShaped reports whether piece is two to six words that begin like names, none of
// which belongs to titles, headings, skills or places.
func isNameShaped(piece string) bool {
	words := strings.Fields(piece)
	if isNoName(piece) {
		return false
	}
	if len(words) == 1 {
		return isCaselessName(piece)
	}
	return len(words) >= 2 && len(words) <= 6 && hasNameWords(words)
}

func hasNameWords(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return utf8.RuneCountInString(w) > 30 || !isNameWord(w) })
}

// isNoName reports whether piece belongs to titles, headings, skills or places.
func isNoName(piece string) bool {
	_, isSkill := words.SkillsByName()[words.SkillKey(piece)]
	isVitae := words.Vocabulary().VitaeTitles[words.HeadingKey(piece)]
	return isSkill || isVitae || words.IsAny(piece, heading.Is, facts.IsPlace, facts.IsTitle, facts.HasLegalForm)
}

// isCaselessName reports whether word is a Chinese, Japanese or Korean name: two to five
// characters.
func isCaselessName(word string) bool {
	letters := []rune(word)
	return len(letters) >= 2 && len(letters) <= 5 && !slices.ContainsFunc(letters, func(r rune) bool {
		return !unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
	})
}

func isNameWord(word string) bool {
	low := strings.ToLower(strings.Trim(word, ".()[]“”„«»\"‘’'"))
	if notInName[low] || notInName[strings.ToLower(word)] {
		return false
	}
	if low != "" && !hasNameLetters(low) {
		return false
	}
	first := words.FirstRune(strings.TrimLeft(word, "(['’“„«\"‘"))
	isCapital := unicode.IsLetter(first) && !unicode.IsLower(first)
	return isCapital || nameParticles[strings.ToLower(word)] || letterPrefix().MatchString(word)
}

// writtenName returns a name in capitals or small letters in its usual form: "O'BRIEN-LEE" as
// O'Brien-Lee, "MARIA DE LA ROSA" as Maria de la Rosa.
func writtenName(name string) string {
	if isCapitals, isSmall := name == strings.ToUpper(name), name == strings.ToLower(name); isCapitals == isSmall {
		return name
	}
	words := strings.Fields(name)
	for i, w := range words {
		if low := strings.ToLower(w); i > 0 && i+1 < len(words) && nameParticles[low] {
			words[i] = low
		} else {
			words[i] = capitalised(w)
		}
	}
	return strings.Join(words, " ")
}

func capitalised(word string) string {
	start := true
	return strings.Map(func(r rune) rune {
		defer func() { start = !unicode.IsLetter(r) && !unicode.IsMark(r) }()
		if start {
			return unicode.ToTitle(r)
		}
		return unicode.ToLower(r)
	}, word)
}
