package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

type glyphRune struct {
	char rune
	box  page.Box // of the glyph that draws it
}

// readWord returns the text [at, end). Around Arabic and Hebrew words pdfium turns characters by
// their order in the file: those that one glyph draws, as lam with alef, and the pieces of Latin
// words, which the places of their glyphs show.
func (p *pdfPage) readWord(at, end int) string {
	text := strings.ReplaceAll(restoreSyllables(p.text[at:end], p.spread), "\ufffe", rejoin.LineEndHyphen)
	if !p.backwards || end-at < 2 {
		return text
	}
	glyphs := make([]glyphRune, 0, end-at)
	for i := at; i < end; i++ {
		b, ok := p.charBox(i)
		if !ok {
			return text
		}
		glyphs = append(glyphs, glyphRune{p.text[i], b})
	}
	return arrangeGlyphs(glyphs)
}

func arrangeGlyphs(glyphs []glyphRune) string {
	if slices.ContainsFunc(glyphs, func(g glyphRune) bool { return unicode.In(g.char, unicode.Arabic, unicode.Hebrew) }) {
		rising := 0 // positive for a word whose letters pdfium leaves in order from the left
		for i := 1; i < len(glyphs); i++ {
			a := glyphs[i-1]
			b := glyphs[i]
			if a.isLetterFromRight() && b.isLetterFromRight() {
				rising += cmp.Compare(b.box.Left, a.box.Left)
			}
		}
		if rising > 0 {
			clusters := turnGlyphs(glyphs, areTurned)
			slices.SortStableFunc(clusters, func(a, b []glyphRune) int { return cmp.Compare(middleOf(b), middleOf(a)) })
			glyphs = slices.Concat(clusters...)
		} else {
			turnGlyphs(glyphs, areOneGlyph) // also marks that precede their letters
		}
		glyphs = dropRepeated(glyphs)
	} else {
		slices.SortStableFunc(glyphs, func(a, b glyphRune) int { return cmp.Compare(a.box.Left, b.box.Left) })
	}
	var out strings.Builder
	for _, g := range glyphs {
		out.WriteRune(g.char)
	}
	return out.String()
}

// middleOf returns twice the middle of the first glyph from the left.
func middleOf(glyphs []glyphRune) float64 { return glyphs[0].box.Left + glyphs[0].box.Right }

// turnGlyphs turns the characters of each glyph in place, and returns them by glyph: neighbours that have one box, or are of one glyph.
func turnGlyphs(glyphs []glyphRune, areOne func(a, b glyphRune) bool) (clusters [][]glyphRune) {
	for from := 0; from < len(glyphs); {
		to := from + 1
		for to < len(glyphs) && (glyphs[to].box == glyphs[from].box || areOne(glyphs[to-1], glyphs[to])) {
			to++
		}
		slices.Reverse(glyphs[from:to])
		clusters = append(clusters, glyphs[from:to])
		from = to
	}
	return clusters
}

// areOneGlyph reports whether two characters are turned halves of one glyph, or a letter with the vowel sign before it.
func areOneGlyph(a, b glyphRune) bool {
	isLeft := a.box.Right < b.box.Right && a.box.Left < b.box.Left
	isMarkBefore := isLeft && unicode.Is(unicode.Mn, a.char) && unicode.IsLetter(b.char)
	return isMarkBefore || isTurned(a, b)
}

// isTurned reports whether two characters share the box of one glyph, and the first has its left half.
func isTurned(a, b glyphRune) bool {
	isOneLine := a.box.Bottom == b.box.Bottom && a.box.Top == b.box.Top && math.Abs(b.box.Left-a.box.Right) < 0.01
	return isOneLine && a.isFromRight() && b.isFromRight()
}

func areTurned(a, b glyphRune) bool { return isTurned(a, b) || isTurned(b, a) }

func (g glyphRune) isLetterFromRight() bool {
	return g.isFromRight() && !unicode.Is(unicode.Mn, g.char)
}

func (g glyphRune) isFromRight() bool {
	return unicode.In(g.char, unicode.Arabic, unicode.Hebrew, unicode.Mn) && !unicode.IsDigit(g.char)
}

// dropRepeated drops a letter with its vowel sign that follows itself: files may say both of the letter's glyph and of the sign's.
func dropRepeated(glyphs []glyphRune) []glyphRune {
	out := glyphs[:0]
	for _, g := range glyphs {
		out = append(out, g)
		n := len(out)
		if n < 4 || !unicode.Is(unicode.Mn, g.char) {
			continue
		}
		isSame := out[n-3].char == g.char && out[n-4].char == out[n-2].char
		if isSame && out[n-2].box.Left < out[n-4].box.Right {
			out = out[:n-2]
		}
	}
	return out
}

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
		if p.text[i] != unmappedGlyph {
			continue
		}
		glyph, hasGlyph := p.charBox(i)
		next, hasNext := p.charBox(i + 1)
		if hasGlyph && hasNext && next.Left > glyph.Left && glyph.Right-next.Left > minReach*(glyph.Right-glyph.Left) {
			p.text[i] = reachingGlyph
		}
	}
}

// markCharacter marks a character if it is such a glyph beside a letter or another one.
func (p *pdfPage) markCharacter(at, beside int) {
	r := p.text[at]
	isBesideLetter := beside >= 0 && beside < len(p.text) && isDevanagari(p.text[beside])
	isOther := isDevanagari(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || isLineEndHyphen(r)
	if !isBesideLetter || isOther {
		return
	}
	if !unicode.In(r, unicode.Common, unicode.Inherited, unicode.Latin) || p.hasProperty("FPDFText_HasUnicodeMapError", at) {
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
