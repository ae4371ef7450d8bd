package page

import (
	"slices"
	"unicode/utf8"
)

const (
	minSpacedLetters = 5    // words of a run, most of them letters, that show its letters to be set apart
	widestLetterGap  = 0.22 // of the text's height; a space is wider
	wordOverLetters  = 2.2  // of a letter gap: the least gap between words with letters set apart
)

// letterGap returns the widest gap between the letters of a run with letters set apart, of its
// height: 0.17 for "S k i l l s", which pdfium reads as six words. It returns 0 for other runs.
// Words there are two letter gaps and a space apart, which also identifies wider letter gaps.
func letterGap(words []Span) float64 {
	letters := 0
	widest := 0.0
	narrowest := 0.0
	gaps := make([]float64, 0, len(words))
	for i, w := range words {
		if utf8.RuneCountInString(w.Text) <= 2 {
			letters++
		}
		if i == 0 {
			continue
		}
		gap := w.gapAfter(words[i-1])
		gaps = append(gaps, gap)
		switch {
		case gap <= widestLetterGap:
			widest = max(widest, gap)
		case narrowest == 0 || gap < narrowest:
			narrowest = gap
		}
	}
	switch {
	case letters < minSpacedLetters || 4*letters < 3*len(words):
		return 0
	case narrowest == 0 || widest > 0 && narrowest >= wordOverLetters*widest:
		return widest
	case letters == len(words):
		return gapBelowJump(gaps)
	}
	return 0
}

// gapBelowJump returns the widest gap between letters if those between words are much wider than
// all of them, else 0.
func gapBelowJump(gaps []float64) float64 {
	slices.Sort(gaps)
	for i := 1; i < len(gaps); i++ {
		if gaps[i] >= 2*gaps[i-1] {
			return gaps[i-1]
		}
	}
	return 0
}

// gapAfter returns the gap between a word and the one on its left, of its height.
func (s Span) gapAfter(left Span) float64 { return (s.Left - left.Right) / s.Height() }
