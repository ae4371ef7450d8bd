package pdf

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
)

// glyphRune is a character with the place of the glyph that draws it.
type glyphRune struct {
	char rune
	box  page.Box
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
		if areDrawnFromLeft(glyphs) {
			glyphs = sortFromRight(glyphs)
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

// areDrawnFromLeft reports whether the letters of a word that is read from the right are in order from the left, as
// pdfium leaves some.
func areDrawnFromLeft(glyphs []glyphRune) bool {
	rising := 0
	for i := 1; i < len(glyphs); i++ {
		a := glyphs[i-1]
		b := glyphs[i]
		if !a.isLetterFromRight() || !b.isLetterFromRight() {
			continue
		}
		rising += cmp.Compare(b.box.Left, a.box.Left)
	}
	return rising > 0
}

// sortFromRight returns the characters of a word by the places of their glyphs. Those of one glyph are turned.
func sortFromRight(glyphs []glyphRune) []glyphRune {
	clusters := turnGlyphs(glyphs, areTurned)
	slices.SortStableFunc(clusters, func(a, b []glyphRune) int { return cmp.Compare(middleOf(b), middleOf(a)) })
	return slices.Concat(clusters...)
}

// middleOf returns twice the middle of the first glyph from the left.
func middleOf(glyphs []glyphRune) float64 { return glyphs[0].box.Left + glyphs[0].box.Right }

// turnGlyphs turns the characters of each glyph in place, and returns them by glyph: neighbours that have one box, or are of
// one glyph.
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
func areOneGlyph(a, b glyphRune) bool { return isTurned(a, b) || isMarkBefore(a, b) }

// isTurned reports whether two characters share the box of one glyph, and the first has its left half.
func isTurned(a, b glyphRune) bool {
	isOneLine := a.box.Bottom == b.box.Bottom && a.box.Top == b.box.Top && math.Abs(b.box.Left-a.box.Right) < 0.01
	return isOneLine && a.isFromRight() && b.isFromRight()
}

// areTurned reports whether one of two neighbours is turned against the other.
func areTurned(a, b glyphRune) bool { return isTurned(a, b) || isTurned(b, a) }

func (g glyphRune) isLetterFromRight() bool {
	return g.isFromRight() && !unicode.Is(unicode.Mn, g.char)
}

func (g glyphRune) isFromRight() bool {
	return unicode.In(g.char, unicode.Arabic, unicode.Hebrew, unicode.Mn) && !unicode.IsDigit(g.char)
}

// dropRepeated drops a letter with its vowel sign that follows itself: files may say both of the
// letter's glyph and of the sign's.
func dropRepeated(glyphs []glyphRune) []glyphRune {
	out := glyphs[:0]
	for _, g := range glyphs {
		out = append(out, g)
		if unicode.Is(unicode.Mn, g.char) && repeatsPair(out) {
			out = out[:len(out)-2]
		}
	}
	return out
}

// repeatsPair reports whether the last two characters are those before them, and overlap them.
func repeatsPair(glyphs []glyphRune) bool {
	n := len(glyphs)
	if n < 4 {
		return false
	}
	isSame := glyphs[n-3].char == glyphs[n-1].char && glyphs[n-4].char == glyphs[n-2].char
	return isSame && glyphs[n-2].box.Left < glyphs[n-4].box.Right
}

// isMarkBefore reports whether a vowel sign comes before the letter on its right.
func isMarkBefore(sign, letter glyphRune) bool {
	isLeft := sign.box.Right < letter.box.Right && sign.box.Left < letter.box.Left
	return isLeft && unicode.Is(unicode.Mn, sign.char) && unicode.IsLetter(letter.char)
}
