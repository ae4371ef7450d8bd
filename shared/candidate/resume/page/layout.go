// Package page puts the words of a page, which have positions, into lines in reading order: it finds columns,
// rows and cells, and joins what line breaks tear.
package page

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
)

// Box is an area of a page in points; y grows upwards.
type Box struct{ Left, Bottom, Right, Top float64 }

// Height returns the height of the box.
func (b Box) Height() float64 { return b.Top - b.Bottom }

// Middle returns the height of the middle of the box above the bottom of the page.
func (b Box) Middle() float64 { return (b.Top + b.Bottom) / 2 }

// Union returns the smallest box around both.
func (b Box) Union(c Box) Box {
	return Box{min(b.Left, c.Left), min(b.Bottom, c.Bottom), max(b.Right, c.Right), max(b.Top, c.Top)}
}

// IsValid reports whether the box can be real; those of broken fonts are not.
func (b Box) IsValid() bool {
	return b.Left > -maxCoordinate && b.Right < maxCoordinate && b.Bottom > -maxCoordinate && b.Top < maxCoordinate && b.Left <= b.Right && b.Bottom < b.Top
}

// Span is a run of words on one line without a gap: a whole line, or a piece of it.
type Span struct {
	Box
	Text string
	Size float64 // of the letters, in a unit of the page's own
	Font string  // of the first word's letters

	lastFont string  // of the last word's
	turn     int     // of the word among those of the page, as they are drawn
	body     float64 // the left end of what follows the mark of a list item

	turned bool // on a page with words that are read from the right

	isHeading, isDate bool // set by classifyText; a place counts as a date
}

const (
	maxCoordinate = 1e5  // points; pages are at most 14,400 wide
	maxDrift      = 40   // words looked back for the halves of a word
	maxSpans      = 4000 // of a page
	maxSpanText   = 4096 // bytes of a span to which more is joined; each join reads both sides, so long ones are not extended
	MaxSought     = 6000 // spans of a document that are searched for columns; real documents have a tenth
	MaxColumns    = 5    // nested divisions of a page into columns
	wideGap       = 0.9  // of the text's height: wider than any space
	wideSpace     = 0.5  // of the text's height: wider than most spaces
	adjacentLine  = 1.0  // of the text's height: the distance of lines that belong together
	sameColumn    = 20.0 // points between the left ends of one column on two pages
	headline      = 1.3  // of the median size: a name or a title in large letters
)

func isSameLine(a, b Span) bool {
	return math.Abs(a.Middle()-b.Middle()) < 0.35*max(a.Height(), b.Height())
}

// Column is a run of lines that begins at one position, on one page or several.
type Column struct {
	left, bottom float64 // bottom: on the last page; infinite if it has no lines there
	Lines        []string
}

// AppendColumns appends a page's columns to those of the pages before, so that
// sections continue over page breaks. The only column of a page continues the one in
// which the page before ended; each of several columns continues the last one with
// the same left end.
func AppendColumns(before, page []Column) []Column {
	if len(page) == 0 {
		return before
	}
	earlier, lowest := len(before), -1
	for i := range before {
		if lowest < 0 || before[i].bottom < before[lowest].bottom {
			lowest = i
		}
	}
	for i := range before {
		before[i].bottom = math.Inf(1)
	}
	for _, c := range page {
		at := lowest
		if len(page) > 1 {
			for at = earlier - 1; at >= 0 && math.Abs(before[at].left-c.left) > sameColumn; at-- {
			}
		}
		if at < 0 {
			before = append(before, c)
			continue
		}
		before[at] = Column{c.left, c.bottom, append(before[at].Lines, c.Lines...)}
	}
	return before
}

// classifyText sets heading.Is and isDate, once for all gutters that are tried.
func (s *Span) classifyText() {
	_, s.isHeading = heading.Parse(s.Text)
	_, dated := dates.FindPeriod(s.Text)
	s.isDate = dated || facts.IsPlace(s.Text) || dates.IsWholeDate(s.Text)
}

// ReadingOrder returns a page's columns in reading order; within one, lines are read
// row by row. depth bounds the nested divisions into columns.
func ReadingOrder(spans []Span, depth int) []Column {
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(b.Middle(), a.Middle()) })
	mirror(spans)
	spans = joinPlaces(joinHeadings(joinOpenEnds(joinDateCells(joinDateHyphens(joinDateWords(spans))))))
	for i := range spans {
		spans[i].classifyText()
	}
	spans = joinJustified(dropTimelineMarks(spans))
	var columns []Column
	for _, part := range cutColumns(spans, depth) {
		if lines := joinLines(joinCells(groupLines(alignLabels(part)))); len(lines) > 0 {
			all := part[0].Box
			for _, s := range part {
				all = all.Union(s.Box)
			}
			columns = append(columns, Column{all.Left, all.Bottom, lines})
		}
	}
	return columns
}

// cutColumns divides spans by the gutter that divides the most text into columns, and
// returns what stands above it, left of it, right of it and below it.
func cutColumns(spans []Span, depth int) [][]Span {
	if depth == 0 || len(spans) < 2*minColumn {
		return [][]Span{spans}
	}
	best := band{}
	for _, x := range findGutters(spans) {
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

// groupLines groups sorted spans into lines, each from left to right.
func groupLines(spans []Span) [][]Span {
	var lines [][]Span
	for _, s := range spans {
		if n := len(lines) - 1; n >= 0 && isSameLine(lines[n][0], s) {
			lines[n] = append(lines[n], s)
			continue
		}
		lines = append(lines, []Span{s})
	}
	for _, line := range lines {
		slices.SortStableFunc(line, func(a, b Span) int { return cmp.Compare(a.Left, b.Left) })
	}
	return lines
}

// joinLines returns lines as text. List items are recognised by their marks, or by
// their indentation if the marks are not text; the further lines of an item stand
// under its words and are joined to it.
func joinLines(lines [][]Span) []string {
	var out []string
	var item, above []Span // the last marked item, and the last other line
	var large *Span        // the line before, if it is a headline
	all := slices.Concat(lines...)
	usual, list := medianSize(all), indentedList{right: rightmost(all)}
	for _, line := range lines {
		text := lineText(line)
		if len(out) > 0 && len(out[len(out)-1]) >= maxSpanText {
			item, large = nil, nil
		}
		switch {
		case len(out) > 0 && dates.BeginsWithPeriodEnd(text) && endsWithPeriodHead(out[len(out)-1]):
			out[len(out)-1] += " " + text // "Acme | Jul 2018", "– Jun 2021"
			continue
		case facts.IsBullet(text):
			item = line
		case len(out) > 0 && large != nil && len(line) == 1 && continuesHeadline(*large, line[0]):
			out[len(out)-1] = JoinWrapped(out[len(out)-1], text)
			*large = line[0]
			continue
		case item != nil && len(line) == 1 && isHanging(item[0], line[0]) && !heading.Is(text):
			out[len(out)-1] = joinItem(out[len(out)-1], text)
			item[0].Bottom = line[0].Bottom
			continue
		case above != nil && len(line) == 1 && !heading.Is(text) && list.continues(line[0]):
			out[len(out)-1] = joinItem(out[len(out)-1], text)
			list.last = &line[0]
			continue
		case above != nil && len(line) == 1 && !heading.Is(text) && (isIndented(above, line[0]) || list.has(line[0])):
			text, item, list.last = "• "+text, nil, &line[0]
		default:
			item, above, list.last = nil, line, nil
			if heading.Is(text) {
				above = nil // what is below is not a part of it
			}
		}
		out = append(out, text)
		large = nil
		if len(line) == 1 && line[0].Size > headline*usual {
			large = &line[0]
		}
	}
	return out
}

// joinItem joins a further line to a list item. Dates in a cell at the right, beside the item or below
// it, stay apart.
func joinItem(item, text string) string {
	if dates.IsPeriod(text) {
		return item + "\t" + text
	}
	if at := strings.LastIndexByte(item, '\t'); at > 0 && dates.IsPeriod(item[at+1:]) {
		return JoinWrapped(item[:at], text) + item[at:]
	}
	return JoinWrapped(item, text)
}

// endsWithPeriodHead reports whether line ends with the first date of a range. It reads the
// last 100 bytes, and no date is as long.
func endsWithPeriodHead(line string) bool {
	return len(line) < maxSpanText && dates.EndsWithDate(line[max(0, len(line)-100):])
}

// continuesHeadline reports whether s is as large as the headline above and closely
// below it, and so is its second half.
func continuesHeadline(above, s Span) bool {
	return math.Abs(s.Size-above.Size) < 0.05*above.Size && above.Bottom-s.Top < adjacentLine*s.Height()
}

func medianSize(spans []Span) float64 {
	var sizes []float64
	for _, s := range spans {
		sizes = append(sizes, s.Size)
	}
	slices.Sort(sizes)
	if len(sizes) == 0 {
		return 0
	}
	return sizes[len(sizes)/2]
}

func lineText(line []Span) string {
	texts := make([]string, len(line))
	for i, s := range line {
		texts[i] = s.Text
	}
	return strings.Join(texts, "\t")
}

// isHanging reports whether s stands closely below an item, nearer to its words than to its mark.
func isHanging(item, s Span) bool {
	return s.Left > max(item.Left+2, (item.Left+item.body)/2) && item.Bottom-s.Top < adjacentLine*s.Height()
}

// isIndented reports whether s begins a little right of a line above and is neither
// centred below it nor ends where it ends.
func isIndented(above []Span, s Span) bool {
	indented := false
	for _, a := range above {
		by := s.Left - a.Left
		if math.Abs(by) < 4 || math.Abs(s.Left+s.Right-a.Left-a.Right) < 6 || math.Abs(s.Right-a.Right) < 2 {
			return false
		}
		indented = indented || by > 0 && by < 40
	}
	return indented
}

// JoinWrapped joins a line and its continuation; a word that was divided by a hyphen becomes one again.
func JoinWrapped(a, b string) string {
	if head, ok := strings.CutSuffix(a, LineEndHyphen); ok {
		return joinHyphen(head, b)
	}
	return a + " " + b
}
