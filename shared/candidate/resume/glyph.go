package resume

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// glyphRune is a character with the place of the glyph that draws it.
type glyphRune struct {
	char rune
	box  box
}

// readWord returns the text [at, end). Around Arabic and Hebrew words pdfium turns characters by
// their order in the file: those that one glyph draws, as lam with alef, and the pieces of Latin
// words, which the places of their glyphs show.
func (p *pdfPage) readWord(at, end int) string {
	text := strings.ReplaceAll(restoreSyllables(p.text[at:end], p.spread), "\ufffe", lineEndHyphen)
	if !p.backwards || end-at < 2 {
		return text
	}
	glyphs := make([]glyphRune, 0, end-at)
	for i := at; i < end; i++ {
		b, err := p.charBox(i)
		if err != nil {
			return text
		}
		glyphs = append(glyphs, glyphRune{p.text[i], b})
	}
	return arrangeGlyphs(glyphs)
}

// arrangeGlyphs returns the characters of a word in the order in which they are read.
func arrangeGlyphs(glyphs []glyphRune) string {
	if slices.ContainsFunc(glyphs, func(g glyphRune) bool { return unicode.In(g.char, unicode.Arabic, unicode.Hebrew) }) {
		turnGlyphs(glyphs)
	} else {
		slices.SortStableFunc(glyphs, func(a, b glyphRune) int { return cmp.Compare(a.box.left, b.box.left) })
	}
	var out strings.Builder
	for _, g := range glyphs {
		out.WriteRune(g.char)
	}
	return out.String()
}

// turnGlyphs turns back the characters of each glyph, and marks that stand before their letters.
func turnGlyphs(glyphs []glyphRune) {
	for from := 0; from < len(glyphs); {
		to := from + 1
		for to < len(glyphs) && (glyphs[to].box == glyphs[from].box || isMarkBefore(glyphs[to-1], glyphs[to])) {
			to++
		}
		slices.Reverse(glyphs[from:to])
		from = to
	}
}

// isMarkBefore reports whether a vowel sign comes before the letter that stands right of it.
func isMarkBefore(sign, letter glyphRune) bool {
	return unicode.Is(unicode.Mn, sign.char) && unicode.IsLetter(letter.char) && sign.box.right < letter.box.right && sign.box.left < letter.box.left
}
