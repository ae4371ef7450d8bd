package page

import (
	"cmp"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
)

const (
	maxLarge    = 10 // texts in large letters that are kept
	maxSameSize = 3  // texts of the size of a name; headings are more
)

// FindLargeTexts returns the texts of a page in letters larger than most, the largest first. Lines
// of one size closely below each other are a text too, before each of them, and so are two words.
func FindLargeTexts(spans []Span) []string {
	usual := medianSize(spans)
	count := make(map[float64]int)
	var large []Span
	for _, s := range spans {
		if s.Size > headline*usual && len(s.Text) <= 2*heading.MaxLength {
			large = append(large, s)
			count[s.Size]++
		}
	}
	large = slices.DeleteFunc(large, func(s Span) bool { return count[s.Size] > maxSameSize })
	slices.SortStableFunc(large, func(a, b Span) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(b.Middle(), a.Middle()), cmp.Compare(a.Left, b.Left))
	})
	var texts []string
	for i, s := range large[:min(len(large), maxLarge)] {
		if i+1 < len(large) && isFirstLine(s, large[i+1]) {
			texts = append(texts, rejoin.Wrapped(s.Text, large[i+1].Text))
		}
		texts = append(texts, strings.ReplaceAll(s.Text, rejoin.LineEndHyphen, "-"))
	}
	return texts
}

// isFirstLine reports whether s is the first line of a text and below is the second.
func isFirstLine(s, below Span) bool {
	return !isSameLine(s, below) && (continuesHeadline(s, below) || isAlone(s, below))
}

// isAlone reports whether s is one word closely above one that is smaller: "MAYA", "Okafor".
func isAlone(s, below Span) bool {
	gap := s.Bottom - below.Top
	isClose := gap > -s.Height() && gap < adjacentLine*s.Height()
	overlaps := below.Left < s.Right && s.Left < below.Right
	return isClose && overlaps && !strings.ContainsAny(s.Text+below.Text, " \t")
}
