package ingest

import (
	"slices"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
)

// A resume has at least minWords words of letters, and no character makes up more than maxShare
// of its text, or of its letters (contract, Resume files).
const (
	minWords = 5
	maxShare = 0.95
)

// wordlessMessage is public, and becomes a part of a sentence.
const wordlessMessage = "the file has fewer than five words, or hardly anything but one character; send a resume with text"

// unspaced are the scripts that write words without spaces between them.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

// isWordless reports whether a document cannot be a resume, whatever its language.
func isWordless(d resume.Document) bool {
	words := 0
	all := frequencies{}
	letters := frequencies{}
	for _, line := range slices.Concat(d.Blocks...) {
		inside := false
		for _, r := range line {
			switch { // a word is a run of letters and their marks, or a letter of an unspaced script
			case !unicode.IsLetter(r) && !unicode.IsMark(r):
				inside = false
			case !inside, unicode.IsLetter(r) && unicode.In(r, unspaced...):
				words++
				inside = true
			}
			if !unicode.IsSpace(r) {
				all[r]++
			}
			if unicode.IsLetter(r) {
				letters[r]++
			}
		}
	}
	return words < minWords || all.maxShare() > maxShare || letters.maxShare() > maxShare
}

// frequencies counts each character of a text.
type frequencies map[rune]int

func (f frequencies) maxShare() float64 {
	total := 0
	most := 0
	for _, n := range f {
		total += n
		most = max(most, n)
	}
	return float64(most) / float64(max(total, 1))
}
