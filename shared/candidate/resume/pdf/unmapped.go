package pdf

import (
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	unmappedGlyph = '\ufffd' // a glyph without text
	reachingGlyph = '\ufffc' // one that reaches over the next letter, as a short i does
	minReach      = 0.3      // of its width
	shortI        = '\u093f' // the vowel sign that is drawn before its consonant and written after it
	repha         = "र्"     // a mark above the letter after it, given with the first letter that has it
	nukta         = '\u093c'
	minTold       = 2 // syllables of a page that show how it gives the short i
)

// markUnmapped marks the glyphs without text in the file that are beside Devanagari letters. Some
// programs give the text of a syllable with its last glyph only; pdfium returns the numbers of the
// others as characters, of any script.
func (p *pdfPage) markUnmapped() {
	for i := range p.text {
		p.markCharacter(i, i-1)
	}
	for i := len(p.text) - 1; i >= 0; i-- {
		p.markCharacter(i, i+1)
	}
	for i := range max(0, len(p.text)-1) {
		if p.text[i] == unmappedGlyph && p.isReaching(i) {
			p.text[i] = reachingGlyph
		}
	}
}

func (p *pdfPage) isReaching(at int) bool {
	glyph, hasGlyph := p.charBox(at)
	next, hasNext := p.charBox(at + 1)
	return hasGlyph && hasNext && next.Left > glyph.Left && glyph.Right-next.Left > minReach*(glyph.Right-glyph.Left)
}

// markCharacter marks a character if it is such a glyph beside a letter or another one.
func (p *pdfPage) markCharacter(at, beside int) {
	r := p.text[at]
	isBesideLetter := beside >= 0 && beside < len(p.text) && isDevanagari(p.text[beside])
	isOther := isDevanagari(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || isLineEndHyphen(r)
	if !isBesideLetter || isOther {
		return
	}
	if !unicode.In(r, unicode.Common, unicode.Inherited, unicode.Latin) || p.is("FPDFText_HasUnicodeMapError", at) {
		p.text[at] = unmappedGlyph
	}
}

func isDevanagari(r rune) bool { return unicode.Is(unicode.Devanagari, r) || r == unmappedGlyph }

// spreadsShortI reports whether a short i of a page is drawn as an unmapped glyph and given with
// the next glyph, for which the file then gives it everywhere.
func spreadsShortI(text []rune) bool {
	told := 0
	for i := 1; i < len(text); i++ {
		if end := syllableEnd(text, i); text[i-1] == reachingGlyph && isConsonant(text[i]) && slices.Contains(text[i:end], shortI) {
			told++
		}
	}
	return told >= minTold
}

// restoreSyllables returns a word without unmapped glyphs. If spread, one that reaches over a syllable
// is its short i, and no other syllable has one.
func restoreSyllables(word []rune, spread bool) string {
	var syllables []string
	var unmapped []rune
	for at := 0; at < len(word); {
		if isUnmapped(word[at]) {
			unmapped = append(unmapped, word[at])
			at++
			continue
		}
		end := syllableEnd(word, at)
		syllable := string(word[at:end])
		last := len(syllables) - 1
		switch isRepha := strings.HasPrefix(syllable, repha); {
		case !spread || !isConsonant(word[at]):
			syllables = append(syllables, syllable)
		case isRepha && len(unmapped) == 0 && last >= 0:
			syllables[last] = repha + syllables[last]
		case isRepha && len(unmapped) > 0:
			unmapped = unmapped[:len(unmapped)-1] // its consonant
			fallthrough
		default:
			syllables = append(syllables, setShortI(syllable, slices.Contains(unmapped, reachingGlyph)))
		}
		at = end
		unmapped = nil
	}
	return strings.Join(syllables, "")
}

func isUnmapped(r rune) bool { return r == unmappedGlyph || r == reachingGlyph }

// setShortI returns a syllable with or without the short i.
func setShortI(syllable string, drawn bool) string {
	if !drawn {
		return strings.ReplaceAll(syllable, string(shortI), "")
	}
	for i, r := range syllable {
		if r >= '\u093e' && r <= '\u094c' || r == '\u0962' {
			return syllable // it has a vowel sign
		}
		if unicode.IsMark(r) && r != nukta && !words.IsVirama(r) {
			return syllable[:i] + string(shortI) + syllable[i:]
		}
	}
	return syllable + string(shortI)
}

// syllableEnd returns the end of the syllable that begins at a character.
func syllableEnd(word []rune, at int) int {
	end := at + 1
	for end < len(word) && (unicode.IsMark(word[end]) || words.IsVirama(word[end-1]) && isConsonant(word[end])) {
		end++
	}
	return end
}

func isConsonant(r rune) bool {
	return r >= '\u0915' && r <= '\u0939' || r >= '\u0958' && r <= '\u095f'
}
