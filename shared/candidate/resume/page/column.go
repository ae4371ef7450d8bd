package page

import (
	"cmp"
	"math"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	minGutter  = 5  // points
	maxGutters = 30 // positions tried

	maxOverflows = 2    // spans of a column that reach over its gutter
	maxBeside    = 4    // spans before and behind one that may be on its line
	itemIndent   = 30.0 // points from the left end of a column to its list items
	tableShare   = 0.7  // the share of lines beside another line from which they are a table, not columns
)

// band is a part of a page that a gutter divides in two: the spans [from, to).
type band struct {
	from, to    int
	left, right []Span
	tight       int // spans that reach into the gutter, as a long address may
	overflows   int // spans that reach over it, beside text of the right column
}

func (b band) spanCount() int { return len(b.left) + len(b.right) }

// cutColumns divides spans by the gutter that divides the most text into columns, and
// returns the spans above it, left of it, right of it and below it.
func cutColumns(spans []Span, depth int) [][]Span {
	if depth == 0 || len(spans) < 2*minColumn {
		return [][]Span{spans}
	}
	count := make(map[float64]int)
	for _, s := range spans {
		count[math.Round(s.Left)]++
	}
	leftmost := boxOf(spans).Left
	var gutters []float64 // positions at which several spans begin, the most frequent first
	for x, n := range count {
		if n >= 2 && x > leftmost+minGutter {
			gutters = append(gutters, x)
		}
	}
	slices.SortFunc(gutters, func(a, b float64) int { return cmp.Or(count[b]-count[a], int(a-b)) })
	best := band{}
	for _, x := range gutters[:min(len(gutters), maxGutters)] {
		if found := widestBand(spans, x); found.spanCount() > best.spanCount() {
			best = found
		}
	}
	if best.spanCount() == 0 {
		return [][]Span{spans}
	}
	var parts [][]Span
	for _, part := range [][]Span{spans[:best.from], best.left, best.right, spans[best.to:]} {
		if len(part) > 0 {
			parts = append(parts, cutColumns(part, depth-1)...)
		}
	}
	return parts
}

// widestBand returns the largest run of spans without one that crosses x, if it is two columns; else the zero band.
func widestBand(spans []Span, x float64) band {
	var best, current band
	endBand := func(at int) {
		current.to = at
		if current.spanCount() > best.spanCount() && current.isColumns() {
			best = current
		}
		current = band{from: at + 1}
	}
	for i, s := range spans {
		switch {
		case s.Left >= x-1.5:
			current.right = append(current.right, s)
		case s.Right <= x-1:
			current.left = append(current.left, s)
			if s.Right > x-minGutter {
				current.tight++
			}
		case s.Left < x-minGutter && addressOnly().MatchString(facts.BulletMark().ReplaceAllString(s.Text, "")):
			current.left = append(current.left, s) // too long for its column
		case s.Left < x-minGutter && current.overflows < maxOverflows && isBesideColumn(spans, i, x): // as is a heading
			current.left = append(current.left, s)
			current.overflows++
		default:
			endBand(i)
		}
	}
	endBand(len(spans))
	return best
}

var addressOnly = words.Expression(`(?i)^\S*(?:@\S+|linkedin\.com/\S+|github\.com/\S+)$`)

// isBesideColumn reports whether a span of the column on the right begins on the line of spans[at].
func isBesideColumn(spans []Span, at int, x float64) bool {
	around := spans[max(0, at-maxBeside):min(len(spans), at+maxBeside+1)]
	return slices.ContainsFunc(around, func(s Span) bool {
		isBeside := math.Abs(s.Middle()-spans[at].Middle()) < 0.7*s.Height()
		return isBeside && s.Left >= x-1.5 && s.Left < x+itemIndent
	})
}

// isColumns reports whether the band is two columns, which are read from top to
// bottom, and not a table or dates at the right margin, which are read line by line.
// It is if there are headings on both sides, or if most lines have none beside them.
func (b band) isColumns() bool {
	left := spansBeside(b.left, b.right)
	right := spansBeside(b.right, b.left)
	if 5*b.tight > len(b.left) || isShortOrDates(left) || isShortOrDates(right) {
		return false
	}
	if countTurns(left, right) < min(len(left), len(right)) {
		return false // entries on both sides of a line, by turns
	}
	isHeading := func(s Span) bool { return s.isHeading }
	leftHeadings := words.Count(left, isHeading)
	rightHeadings := words.Count(right, isHeading)
	switch {
	case leftHeadings == len(left), rightHeadings == len(right), leftHeadings > 1 && leftHeadings == len(left)-1:
		return false // headings beside their text, perhaps below the name
	case leftHeadings > 0 && rightHeadings > 0:
		return true
	case leftHeadings > 0 && textLength(left) < textLength(right):
		return false // the headings are of the text on the right
	}
	return min(len(left), len(right)) > minColumn && sharedLines(left, right) < tableShare
}

// isShortOrDates reports whether one side of a gutter has too few lines for a column, or dates or places in half of the spans
// or more, not counting the marks of a timeline.
func isShortOrDates(spans []Span) bool {
	counted := words.Count(spans, func(s Span) bool { return !words.IsLoneMark(s.Text) })
	isDated := 2*words.Count(spans, func(s Span) bool { return s.isDate }) >= counted
	return isDated || len(groupLines(spans)) < minColumn
}

// countTurns returns how often the next span from the top is on the other side. Of columns nearly each one is.
func countTurns(left, right []Span) (turns int) {
	at := 0
	for _, r := range right { // both from the top
		before := at
		for at < len(left) && left[at].Middle() >= r.Middle() {
			at++
		}
		if at > before {
			turns += 2 // to the left, and back to r
		}
	}
	return turns
}

func textLength(spans []Span) (n int) {
	for _, s := range spans {
		n += len(s.Text)
	}
	return n
}

// spansBeside returns the spans within the height of others: the text after a table often stays left of its gutter.
func spansBeside(spans, others []Span) []Span {
	around := boxOf(others)
	return slices.DeleteFunc(slices.Clone(spans), func(s Span) bool {
		return s.Middle() >= around.Top || s.Middle() <= around.Bottom
	})
}

// sharedLines returns the share of the shorter side's lines that are beside a line of the other side.
func sharedLines(left, right []Span) float64 {
	a := groupLines(left)
	b := groupLines(right)
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	at := 0
	for _, line := range a { // both from the top
		for at < len(b) && b[at][0].Middle() > line[0].Middle()+0.2*line[0].Height() {
			at++
		}
		if at < len(b) && b[at][0].Middle() > line[0].Middle()-0.2*line[0].Height() {
			n++
		}
	}
	return float64(n) / float64(len(a))
}
