package pdf

import (
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/page"
)

// Characters come as pdfium returns them beside right-to-left text, with the left and right ends
// of their glyphs.
func TestArrangeGlyphs(t *testing.T) {
	t.Parallel()
	at := func(char rune, left, right float64) glyphRune {
		return glyphRune{char, page.Box{Left: left, Right: right, Top: 10}}
	}
	for name, tt := range map[string]struct {
		glyphs []glyphRune
		want   string
	}{
		"one glyph for lam and alef":              {[]glyphRune{at('ا', 30, 34), at('أ', 22, 30), at('ل', 22, 30), at('و', 16, 22), at('ل', 12, 16)}, "الأول"},
		"alef and lam of two glyphs":              {[]glyphRune{at('أ', 26, 30), at('ل', 22, 26), at('م', 16, 22)}, "ألم"},
		"two halves of a glyph, turned":           {[]glyphRune{at('ا', 22, 26), at('ل', 26, 30), at('م', 16, 22)}, "لام"},
		"a letter and its sign, twice":            {[]glyphRune{at('ل', 30, 34), at('ً', 26, 28), at('ي', 28, 30), at('ً', 25, 29), at('ي', 25, 29), at('ا', 20, 25)}, "ليًا"},
		"a vowel sign before its letter":          {[]glyphRune{at('ظ', 20, 28), at('ً', 14, 17), at('ف', 17, 20), at('ا', 11, 14)}, "ظفًا"},
		"letters as they stand, but for the end":  {[]glyphRune{at('ف', 10, 14), at('ظ', 14, 18), at('و', 18, 22), at('م', 22, 26), at('ً', 11, 13), at('ا', 6, 10)}, "موظفًا"},
		"lam and alef of one glyph as they stand": {[]glyphRune{at('ة', 10, 14), at('ا', 18, 22), at('ل', 18, 22), at('و', 22, 26)}, "ولاة"},
		"pieces of an address from the end":       {[]glyphRune{at('o', 20, 25), at('r', 25, 30), at('.', 15, 20), at('1', 10, 15), at('a', 0, 5), at('b', 5, 10)}, "ab1.or"},
		"an address in the order it is read":      {[]glyphRune{at('a', 0, 5), at('b', 5, 10), at('.', 10, 15)}, "ab."},
	} {
		if got := arrangeGlyphs(tt.glyphs); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
