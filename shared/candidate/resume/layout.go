package resume

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// box is an area of a page in points; y grows upwards.
type box struct{ left, bottom, right, top float64 }

func (b box) height() float64 { return b.top - b.bottom }
func (b box) middle() float64 { return (b.top + b.bottom) / 2 }

func (b box) union(c box) box {
	return box{min(b.left, c.left), min(b.bottom, c.bottom), max(b.right, c.right), max(b.top, c.top)}
}

// isValid reports whether the box can be real; those of broken fonts are not.
func (b box) isValid() bool {
	return b.left > -maxCoordinate && b.right < maxCoordinate && b.bottom > -maxCoordinate && b.top < maxCoordinate && b.left <= b.right && b.bottom < b.top
}

// span is a run of words on one line without a gap: a whole line, or a piece of it.
type span struct {
	box
	text string
	size float64 // of the letters, in a unit of the page's own
	font string  // of the first word's letters

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
	maxSought     = 6000 // spans of a document that are searched for columns; real documents have a tenth
	maxColumns    = 5    // nested divisions of a page into columns
	wideGap       = 0.9  // of the text's height: wider than any space
	wideSpace     = 0.5  // of the text's height: wider than most spaces
	adjacentLine  = 1.0  // of the text's height: the distance of lines that belong together
	sameColumn    = 20.0 // points between the left ends of one column on two pages
	headline      = 1.3  // of the median size: a name or a title in large letters
)

func isSameLine(a, b span) bool {
	return math.Abs(a.middle()-b.middle()) < 0.35*max(a.height(), b.height())
}

// column is a run of lines that begins at one position, on one page or several.
type column struct {
	left, bottom float64 // bottom: on the last page; infinite if it has no lines there
	lines        []string
}

// appendPageColumns appends a page's columns to those of the pages before, so that
// sections continue over page breaks. The only column of a page continues the one in
// which the page before ended; each of several columns continues the last one with
// the same left end.
func appendPageColumns(before, page []column) []column {
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
		before[at] = column{c.left, c.bottom, append(before[at].lines, c.lines...)}
	}
	return before
}

// classifyText sets isHeading and isDate, once for all gutters that are tried.
func (s *span) classifyText() {
	_, s.isHeading = parseHeading(s.text)
	_, dated := findPeriod(s.text)
	s.isDate = dated || isPlace(s.text) || isWholeDate(s.text)
}

// readingOrder returns a page's columns in reading order; within one, lines are read
// row by row. depth bounds the nested divisions into columns.
func readingOrder(spans []span, depth int) []column {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(b.middle(), a.middle()) })
	mirror(spans)
	spans = joinPlaces(joinHeadings(joinOpenEnds(joinDateCells(joinDateHyphens(joinDateWords(spans))))))
	for i := range spans {
		spans[i].classifyText()
	}
	spans = joinJustified(dropTimelineMarks(spans))
	var columns []column
	for _, part := range cutColumns(spans, depth) {
		if lines := joinLines(joinCells(groupLines(alignLabels(part)))); len(lines) > 0 {
			all := part[0].box
			for _, s := range part {
				all = all.union(s.box)
			}
			columns = append(columns, column{all.left, all.bottom, lines})
		}
	}
	return columns
}

// cutColumns divides spans by the gutter that divides the most text into columns, and
// returns what stands above it, left of it, right of it and below it.
func cutColumns(spans []span, depth int) [][]span {
	if depth == 0 || len(spans) < 2*minColumn {
		return [][]span{spans}
	}
	best := band{}
	for _, x := range findGutters(spans) {
		if found := widestBand(spans, x); found.spanCount() > best.spanCount() {
			best = found
		}
	}
	if best.spanCount() == 0 {
		return [][]span{spans}
	}
	var parts [][]span
	for _, part := range [][]span{spans[:best.from], best.left, best.right, spans[best.to:]} {
		if len(part) > 0 {
			parts = append(parts, cutColumns(part, depth-1)...)
		}
	}
	return parts
}

// groupLines groups sorted spans into lines, each from left to right.
func groupLines(spans []span) [][]span {
	var lines [][]span
	for _, s := range spans {
		if n := len(lines) - 1; n >= 0 && isSameLine(lines[n][0], s) {
			lines[n] = append(lines[n], s)
			continue
		}
		lines = append(lines, []span{s})
	}
	for _, line := range lines {
		slices.SortStableFunc(line, func(a, b span) int { return cmp.Compare(a.left, b.left) })
	}
	return lines
}

// joinLines returns lines as text. List items are recognised by their marks, or by
// their indentation if the marks are not text; the further lines of an item stand
// under its words and are joined to it.
func joinLines(lines [][]span) []string {
	var out []string
	var item, above []span // the last marked item, and the last other line
	var large *span        // the line before, if it is a headline
	all := slices.Concat(lines...)
	usual, list := medianSize(all), indentedList{right: rightmost(all)}
	for _, line := range lines {
		text := lineText(line)
		if len(out) > 0 && len(out[len(out)-1]) >= maxSpanText {
			item, large = nil, nil
		}
		switch {
		case len(out) > 0 && beginsWithPeriodEnd(text) && endsWithPeriodHead(out[len(out)-1]):
			out[len(out)-1] += " " + text // "Acme | Jul 2018", "– Jun 2021"
			continue
		case isBullet(text):
			item = line
		case len(out) > 0 && large != nil && len(line) == 1 && continuesHeadline(*large, line[0]):
			out[len(out)-1] = joinWrapped(out[len(out)-1], text)
			*large = line[0]
			continue
		case item != nil && len(line) == 1 && isHanging(item[0], line[0]) && !isHeading(text):
			out[len(out)-1] = joinItem(out[len(out)-1], text)
			item[0].bottom = line[0].bottom
			continue
		case above != nil && len(line) == 1 && !isHeading(text) && list.continues(line[0]):
			out[len(out)-1] = joinItem(out[len(out)-1], text)
			list.last = &line[0]
			continue
		case above != nil && len(line) == 1 && !isHeading(text) && (isIndented(above, line[0]) || list.has(line[0])):
			text, item, list.last = "• "+text, nil, &line[0]
		default:
			item, above, list.last = nil, line, nil
			if isHeading(text) {
				above = nil // what is below is not a part of it
			}
		}
		out = append(out, text)
		large = nil
		if len(line) == 1 && line[0].size > headline*usual {
			large = &line[0]
		}
	}
	return out
}

// joinItem joins a further line to a list item. Dates in a cell at the right, beside the item or below
// it, stay apart.
func joinItem(item, text string) string {
	if isPeriod(text) {
		return item + "\t" + text
	}
	if at := strings.LastIndexByte(item, '\t'); at > 0 && isPeriod(item[at+1:]) {
		return joinWrapped(item[:at], text) + item[at:]
	}
	return joinWrapped(item, text)
}

// endsWithPeriodHead reports whether line ends with the first date of a range. It reads the
// last 100 bytes, and no date is as long.
func endsWithPeriodHead(line string) bool {
	return len(line) < maxSpanText && endsWithDate(line[max(0, len(line)-100):])
}

// continuesHeadline reports whether s is as large as the headline above and closely
// below it, and so is its second half.
func continuesHeadline(above, s span) bool {
	return math.Abs(s.size-above.size) < 0.05*above.size && above.bottom-s.top < adjacentLine*s.height()
}

func medianSize(spans []span) float64 {
	var sizes []float64
	for _, s := range spans {
		sizes = append(sizes, s.size)
	}
	slices.Sort(sizes)
	if len(sizes) == 0 {
		return 0
	}
	return sizes[len(sizes)/2]
}

func lineText(line []span) string {
	texts := make([]string, len(line))
	for i, s := range line {
		texts[i] = s.text
	}
	return strings.Join(texts, "\t")
}

func isHeading(line string) bool {
	_, ok := parseHeading(line)
	return ok
}

// isHanging reports whether s stands closely below an item, nearer to its words than to its mark.
func isHanging(item, s span) bool {
	return s.left > max(item.left+2, (item.left+item.body)/2) && item.bottom-s.top < adjacentLine*s.height()
}

// isIndented reports whether s begins a little right of a line above and is neither
// centred below it nor ends where it ends.
func isIndented(above []span, s span) bool {
	indented := false
	for _, a := range above {
		by := s.left - a.left
		if math.Abs(by) < 4 || math.Abs(s.left+s.right-a.left-a.right) < 6 || math.Abs(s.right-a.right) < 2 {
			return false
		}
		indented = indented || by > 0 && by < 40
	}
	return indented
}

func joinWrapped(a, b string) string {
	if head, ok := strings.CutSuffix(a, lineEndHyphen); ok {
		return joinHyphen(head, b)
	}
	return a + " " + b
}
