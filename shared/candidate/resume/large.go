package resume

import (
	"cmp"
	"slices"
	"strings"
)

const (
	maxLarge    = 10 // texts in large letters that are kept
	maxSameSize = 3  // texts of the size of a name; headings are more
)

// findLargeTexts returns the texts of a page in letters larger than most, the largest first. Lines
// of one size closely below each other are a text too, before each of them, and so are two words.
func findLargeTexts(spans []span) []string {
	usual, count := medianSize(spans), make(map[float64]int)
	var large []span
	for _, s := range spans {
		if s.size > headline*usual && len(s.text) <= 2*maxHeading {
			large = append(large, s)
			count[s.size]++
		}
	}
	large = slices.DeleteFunc(large, func(s span) bool { return count[s.size] > maxSameSize })
	slices.SortStableFunc(large, func(a, b span) int {
		return cmp.Or(cmp.Compare(b.size, a.size), cmp.Compare(b.middle(), a.middle()), cmp.Compare(a.left, b.left))
	})
	var texts []string
	for i, s := range large[:min(len(large), maxLarge)] {
		if i+1 < len(large) && !isSameLine(s, large[i+1]) && (continuesHeadline(s, large[i+1]) || isAlone(s, large[i+1])) {
			texts = append(texts, joinWrapped(s.text, large[i+1].text))
		}
		texts = append(texts, strings.ReplaceAll(s.text, lineEndHyphen, "-"))
	}
	return texts
}

// isAlone reports whether s is one word closely above one that is smaller: "MAYA", "Okafor".
func isAlone(s, below span) bool {
	gap := s.bottom - below.top
	return !strings.ContainsAny(s.text+below.text, " \t") && gap > -s.height() && gap < adjacentLine*s.height() && below.left < s.right && s.left < below.right
}
