package page

import (
	"cmp"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// labelRun is a run of spans that one gutter divides: dates on one side, what they date on
// the other.
type labelRun struct {
	dates, others []*Span // from the top
	marks         []*Span // of a timeline
}

// alignLabels moves dates that stand in a column of their own to the first line of what they
// date, and drops the marks between. In a cell they may stand higher or lower: at its middle,
// or with a smaller leading.
func alignLabels(spans []Span) []Span {
	if len(spans) < minColumn {
		return spans
	}
	words := slices.DeleteFunc(slices.Clone(spans), func(s Span) bool { return words.IsLoneMark(s.Text) })
	if len(words) == 0 {
		return spans
	}
	gutters := findGutters(words)
	slices.Sort(gutters)
	for _, x := range gutters {
		moved := false
		for _, run := range splitRuns(spans, x) {
			moved = run.align() || moved
		}
		if moved {
			spans = slices.DeleteFunc(spans, func(s Span) bool { return s.Text == "" })
			slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(b.Middle(), a.Middle()) })
			return spans
		}
	}
	return spans
}

// splitRuns returns the runs of spans that a gutter at x divides into dates on one side and
// other text on the other. A heading, and a span across the gutter, end a run.
func splitRuns(spans []Span, x float64) []labelRun {
	var runs []labelRun
	var left, right []*Span
	var crossing *Span
	end := func() {
		switch {
		case areDates(left):
			runs = append(runs, newLabelRun(left, right))
		case areDates(right):
			runs = append(runs, newLabelRun(right, left))
		}
		left = nil
		right = nil
	}
	for i := range spans {
		s := &spans[i]
		switch {
		case s.isHeading:
			end()
		case crossing != nil && isSameLine(*crossing, *s): // a whole line by itself
		case s.Left >= x-1.5:
			right = append(right, s)
		case s.Right <= x-1:
			left = append(left, s)
		default:
			end()
			crossing = s
		}
	}
	end()
	return runs
}

func newLabelRun(labels, others []*Span) labelRun {
	run := labelRun{others: others}
	for _, s := range labels {
		switch {
		case words.IsLoneMark(s.Text):
			run.marks = append(run.marks, s)
		case s.isDate && dates.IsPeriodPiece(s.Text):
			run.dates = append(run.dates, s)
		}
	}
	return run
}

// areDates reports whether most of the spans but marks are dates and nothing else.
func areDates(spans []*Span) bool {
	dated := 0
	others := 0
	for _, s := range spans {
		switch {
		case words.IsLoneMark(s.Text):
		case s.isDate && dates.IsPeriodPiece(s.Text):
			dated++
		default:
			others++
		}
	}
	return dated > others
}

// align moves each date to the first line of its entry, and reports whether there are any.
func (r labelRun) align() bool {
	lines := groupLines(dereference(r.others))
	if len(lines) == 0 {
		return false
	}
	from := 0
	isItem := findItems(lines)
	for _, date := range r.dates {
		at := from
		for at+1 < len(lines) && lines[at][0].Middle() > date.Middle()+0.5*date.Height() {
			at++
		}
		if at > from && lines[at-1][0].Middle()-date.Middle() < date.Middle()-lines[at][0].Middle() {
			at-- // the line above is nearer
		}
		if date.Bottom-lines[at][0].Top > adjacentLine*date.Height() {
			continue // it belongs to what is above the run
		}
		if isItem[at] || !isSameLine(lines[at][0], *date) {
			at = firstOfEntry(lines, isItem, from, at)
		}
		date.Bottom = lines[at][0].Bottom
		date.Top = lines[at][0].Top
		from = min(at+1, len(lines)-1)
	}
	for _, mark := range r.marks {
		mark.Text = ""
	}
	return len(r.dates) > 0
}

// findItems reports for each line whether it is a list item or the further line of one.
func findItems(lines [][]Span) []bool {
	left := lines[0][0].Left
	for _, line := range lines {
		left = min(left, line[0].Left)
	}
	isItem := make([]bool, len(lines))
	for i, line := range lines {
		isItem[i] = facts.IsBullet(line[0].Text) || words.IsLoneMark(line[0].Text) || line[0].Left > left+3
	}
	return isItem
}

// firstOfEntry returns the line in [from, at] with which the entry around at begins: the
// first one below the list items of the entry before, or the one below the widest gap.
// Where no gap is wide, the first entry of all begins with the first line.
func firstOfEntry(lines [][]Span, isItem []bool, from, at int) int {
	for at > from && isItem[at] {
		at--
	}
	first := at
	for first > from && !isItem[first-1] {
		first--
	}
	if first > from {
		return first
	}
	best := at
	least := gapAbove(lines, at)
	for i := at - 1; i > 0 && i >= first; i-- {
		if gapAbove(lines, i) > gapAbove(lines, best)+0.3*lines[i][0].Height() {
			best = i
		}
		least = min(least, gapAbove(lines, i))
	}
	if first == 0 && gapAbove(lines, best) < least+0.3*lines[best][0].Height() {
		return 0
	}
	return best
}

// gapAbove returns the distance of a line from the one above.
func gapAbove(lines [][]Span, i int) float64 {
	if i == 0 {
		return 0
	}
	return lines[i-1][0].Bottom - lines[i][0].Top
}

func dereference(spans []*Span) []Span {
	out := make([]Span, len(spans))
	for i, s := range spans {
		out[i] = *s
	}
	return out
}
