package resume

import (
	"math"
	"strings"
	"unicode/utf8"
)

// indentedList is a list whose marks are drawn and no text, as in pages that browsers print.
type indentedList struct {
	last  *span   // the last line of its last item; nil outside a list
	right float64 // where the lines of the column end at most
}

// rightmost returns where the last of some spans ends.
func rightmost(spans []span) float64 {
	right := math.Inf(-1)
	for _, s := range spans {
		right = max(right, s.right)
	}
	return right
}

// has reports whether a line is of the list: closely below its last one and as far from the left.
func (l indentedList) has(s span) bool {
	return l.last != nil && math.Abs(s.left-l.last.left) < 1 && l.last.bottom-s.top < adjacentLine*s.height()
}

// continues reports whether a line is one more of the last item: it begins with no capital letter, as items
// do, and its first word did not fit on the line above.
func (l indentedList) continues(s span) bool {
	if !l.has(s) || strings.HasSuffix(l.last.text, ".") || isCapital(s.text) {
		return false
	}
	word := (s.right - s.left) * float64(utf8.RuneCountInString(firstWord(s.text))+1) / float64(utf8.RuneCountInString(s.text))
	return l.last.right+word > l.right
}
