package page

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// indentedList is a list with marks that are drawn, not text, as in pages that browsers print.
type indentedList struct {
	last  *Span   // the last line of its last item; nil outside a list
	right float64 // where the lines of the column end at most
}

// rightmost returns where the last of some spans ends.
func rightmost(spans []Span) float64 {
	right := math.Inf(-1)
	for _, s := range spans {
		right = max(right, s.Right)
	}
	return right
}

// has reports whether a line is of the list: closely below its last one and as far from the left.
func (l indentedList) has(s Span) bool {
	return l.last != nil && math.Abs(s.Left-l.last.Left) < 1 && l.last.Bottom-s.Top < adjacentLine*s.Height()
}

// continues reports whether a line is one more of the last item: it begins with no capital letter, as items
// do, and its first word did not fit on the line above.
func (l indentedList) continues(s Span) bool {
	if !l.has(s) || strings.HasSuffix(l.last.Text, ".") || words.IsCapital(s.Text) {
		return false
	}
	word := (s.Right - s.Left) * float64(utf8.RuneCountInString(words.First(s.Text))+1) / float64(utf8.RuneCountInString(s.Text))
	return l.last.Right+word > l.right
}
