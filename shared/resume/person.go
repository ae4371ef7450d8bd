package resume

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

const topLines = 3 // a name without other evidence must stand this high

var (
	nameLabel = regexp.MustCompile(`(?i)^(?:(?:full )?name\s*[:：]|(?:resume|résumé|curriculum vitae|cv)(?:\s+(?:of|for)\b|\s*[:–—-]))\s*`)
	notInName = wordSet(`resume résumé curriculum vitae cv lebenslauf page phone email e-mail mobile tel address linkedin github website portfolio
		university college school institute street road avenue january february march april june july august september october november december`)
	nameParticles = wordSet(`de da do dos das del della di du la le van von der den ter ten zu al el bin binti bint ibn y e af av`)
)

// findName looks for a line in the shape of a name. One that shares a word with an
// e-mail address or profile of the resume wins; else it must stand at the very
// top. A name is never made from an address.
func findName(blocks []block, f Fields) string {
	proof := strings.Join(slices.Concat(f.Emails, f.LinkedIn), " ")
	var atTop string
	seen := 0
	for _, b := range blocks {
		for _, line := range b.lines {
			if seen++; seen > maxHeaderLines {
				return atTop
			}
			for _, piece := range pieces(nameLabel.ReplaceAllString(line, "")) {
				if !isNameShaped(piece) {
					continue
				}
				if isProvenBy(piece, proof) {
					return writtenName(piece)
				}
				if atTop == "" && seen <= topLines && b.section == header {
					atTop = writtenName(piece)
				}
			}
		}
	}
	return atTop
}

// isProvenBy asks for one word of three letters or more.
func isProvenBy(name, proof string) bool {
	return slices.ContainsFunc(strings.Fields(identity.Name(name)), func(word string) bool {
		return len(word) >= 3 && strings.Contains(proof, word)
	})
}

// isNameShaped: two to five words of letters that begin like names, none of which belongs to titles, headings or places.
func isNameShaped(piece string) bool {
	if _, ok := headingOf(piece); ok || isPlace(piece) || isTitle(piece) || legalForm.MatchString(piece) {
		return false
	}
	words := strings.Fields(piece)
	if len(words) == 1 {
		return isCaselessName(piece)
	}
	return len(words) >= 2 && len(words) <= 5 && !slices.ContainsFunc(words, func(w string) bool { return !isNameWord(w) })
}

// isCaselessName: Chinese, Japanese and Korean names are one word of two to five characters.
func isCaselessName(word string) bool {
	letters := []rune(word)
	return len(letters) >= 2 && len(letters) <= 5 && !slices.ContainsFunc(letters, func(r rune) bool {
		return !unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
	})
}

func isNameWord(word string) bool {
	low := strings.ToLower(strings.Trim(word, ".()"))
	if notInName[low] || strings.ContainsFunc(low, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune("'’-.\u200c\u200d", r)
	}) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, "('’"))
	return nameParticles[low] || unicode.IsLetter(first) && !unicode.IsLower(first)
}

// writtenName gives words in capitals their usual form: "O'BRIEN-LEE" is O'Brien-Lee.
func writtenName(name string) string {
	if name != strings.ToUpper(name) {
		return name
	}
	start := true
	return strings.Map(func(r rune) rune {
		defer func() { start = !unicode.IsLetter(r) && !unicode.IsMark(r) }()
		if start {
			return r
		}
		return unicode.ToLower(r)
	}, name)
}
