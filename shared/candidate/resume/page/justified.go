package page

import (
	"cmp"
	"math"
	"slices"
)

const (
	minStretched = 3    // gaps of one width between words that show that a line is justified
	equalGaps    = 0.12 // of the text's height, by which gaps of one width differ at most
)

// joinJustified joins the words of heads that a justified line sets far apart in a cell beside a
// date, or in a cell of a table. Other words may be a list. Spans are sorted from the top.
func joinJustified(spans []Span) []Span {
	joined := make(map[int]bool)
	starts := make(map[float64]int)
	for _, s := range spans {
		starts[math.Round(s.Left)]++
	}
	for from, to := 0, 0; from < len(spans); from = to {
		var line []int // indexes of its spans, from left to right
		for to = from; to < len(spans) && isSameLine(spans[from], spans[to]); to++ {
			line = append(line, to)
		}
		slices.SortStableFunc(line, func(a, b int) int { return cmp.Compare(spans[a].Left, spans[b].Left) })
		for len(line) > 2 {
			n := countStretched(spans, line)
			isBesideDate := n > minStretched && slices.ContainsFunc(line[n:], func(i int) bool { return spans[i].isDate })
			if isBesideDate || isCell(spans, line, n, starts) {
				for _, i := range line[1:n] {
					spans[line[0]].append(spans[i])
					joined[i] = true
				}
			}
			line = line[1:]
		}
	}
	return deleteJoined(spans, joined)
}

// isCell reports whether the first n spans of a line fill a cell of a table: the first one and the one behind
// them begin where cells of other rows do, and no other does.
func isCell(spans []Span, line []int, n int, starts map[float64]int) bool {
	if n < 2 || n == len(line) {
		return false
	}
	countStarts := func(i int) int { return starts[math.Round(spans[i].Left)] }
	if countStarts(line[0]) < minColumn || countStarts(line[n]) < minColumn {
		return false
	}
	return !slices.ContainsFunc(line[1:n], func(i int) bool { return countStarts(i) > 1 })
}

// countStretched returns how many of the first spans of a line gaps of one width part.
func countStretched(spans []Span, line []int) int {
	n := 1
	before := 0.0
	for ; n < len(line) && !spans[line[n]].isDate; n++ {
		a := spans[line[n-1]]
		b := spans[line[n]]
		gap := b.Left - a.Right
		if gap > widestSpace*a.Height() || n > 1 && math.Abs(gap-before) > equalGaps*a.Height() {
			break
		}
		before = gap
	}
	return n
}

// append adds the words of the next span of a line, behind a gap if they are in another font.
func (s *Span) append(next Span) {
	gap := " "
	if s.lastFont != next.Font {
		gap = "\t"
	}
	s.Text += gap + next.Text
	s.Box = s.Box.Union(next.Box)
	s.lastFont = next.lastFont
	s.classifyText()
}
