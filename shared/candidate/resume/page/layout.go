// Package page puts the words of a page, which have positions, into lines in reading order: it finds columns,
// rows and cells, and joins what line breaks tear.
package page

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	outdent     = 25.0 // points: how far left of a list item the heads of entries begin at most
	maxLarge    = 10   // texts in large letters that are kept
	maxSameSize = 3    // texts of the size of a name; headings are more
)

// Column is a run of lines that begins at one position, on one page or several.
type Column struct {
	left, bottom float64 // bottom: on the last page; infinite if it has no lines there
	Lines        []string
}

// AppendColumns appends a page's columns to those of the pages before, so that sections continue over page breaks. The
// only column of a page continues the one in which the page before ended; each of several columns continues the last one
// with the same left end.
func AppendColumns(before, page []Column) []Column {
	if len(page) == 0 {
		return before
	}
	earlier := len(before)
	lowest := -1
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

// layoutSteps join the spans of a page that are one thing and say what they are. Each is applied to the result of those
// before it, for the reason given beside it. A narrow cell spreads one thing over several spans.
var layoutSteps = []func([]Span) []Span{
	sortFromTop,                 // all others look for neighbours in this order
	mirrorBackwards,             // all others take what is left for what is first
	joinStacked(joinDateHyphen), // a month in halves is not part of a range yet
	joinDateCells,               // parts of a range are whole dates now
	joinStacked(joinOpenEnd),    // of ranges that are left open
	joinStacked(joinHeading),    // no part of a date is a heading
	joinStacked(joinPlace),      // behind headings, which may name a region
	classifySpans,               // headings, dates and places are whole now
	dropTimelineMarks,           // dates and headings beside and below marks tell those of a timeline
}

// ReadingOrder returns a page's columns in reading order; within one, lines are read
// row by row. depth bounds the nested divisions into columns.
func ReadingOrder(spans []Span, depth int) []Column {
	for _, apply := range layoutSteps {
		spans = apply(spans)
	}
	var columns []Column
	for _, part := range cutColumns(spans, depth) { // headings and dates tell columns from cells, of which marks are none
		lines := groupLines(part)                    // of one column: those of several are beside each other
		lines = joinCells(lines)                     // which are known from their whole lines
		if text := joinLines(lines); len(text) > 0 { // what is alone in a line is no cell now, and may continue the one above
			all := boxOf(part)
			columns = append(columns, Column{all.Left, all.Bottom, text})
		}
	}
	return columns
}

func sortFromTop(spans []Span) []Span {
	slices.SortStableFunc(spans, func(a, b Span) int { return cmp.Compare(b.Middle(), a.Middle()) })
	return spans
}

// mirrorBackwards turns a page that is read from right to left, so that what is first is left.
func mirrorBackwards(spans []Span) []Span {
	backwards := words.Count(spans, func(s Span) bool { return words.IsRightToLeft(s.Text) })
	lettered := words.Count(spans, func(s Span) bool { return strings.ContainsFunc(s.Text, unicode.IsLetter) })
	if 2*backwards > lettered && !isAlignedLeft(spans) {
		for i := range spans {
			s := &spans[i]
			s.body = -s.Right
			s.Right = -s.Left
			s.Left = s.body
		}
	}
	return spans
}

func classifySpans(spans []Span) []Span {
	for i := range spans {
		spans[i].classifyText()
	}
	return spans
}

var leadingMark = words.Expression(`^[●○◆■◦▪•](?: |$)`)

// dropTimelineMarks drops the marks of timelines: those below each other that have dates beside or
// below them, while nothing begins left of the text, as it does above list items. Marks right of
// their dates are of a timeline wherever text begins. Spans are sorted from the top.
func dropTimelineMarks(spans []Span) []Span {
	rails := make(map[float64][]int) // indexes of the marks
	for i, s := range spans {
		if leadingMark().MatchString(s.Text) {
			rails[math.Round(s.Left)] = append(rails[math.Round(s.Left)], i)
		}
	}
	dropped := make(map[int]bool)
	for _, left := range slices.Sorted(maps.Keys(rails)) { // texts without their marks are heads of the items on their right
		rail := rails[left]
		timeline, isMargin := checkTimeline(spans, rail)
		if !timeline {
			continue
		}
		for _, i := range rail {
			s := &spans[i]
			if words.IsLoneMark(s.Text) {
				dropped[i] = true
				continue
			}
			s.Text = strings.TrimLeft(leadingMark().ReplaceAllString(s.Text, ""), " ")
			if !isMargin {
				s.Left = s.body
			}
			s.classifyText()
		}
	}
	return deleteJoined(spans, dropped)
}

// checkTimeline reports whether the marks at the indexes are those of a timeline, and whether other
// lines of its entries begin left of the text.
func checkTimeline(spans []Span, rail []int) (timeline, isMargin bool) {
	dated := 0
	outdented := 0
	labelled := 0 // with a range of dates on the left
	for n, i := range rail {
		m := spans[i]
		around := spans[max(0, i-maxDrift):min(len(spans), i+maxDrift)]
		if slices.ContainsFunc(around, func(s Span) bool { return s.Right < m.Left && isSameLine(s, m) && dates.IsPeriod(s.Text) }) {
			labelled++
		}
		end := min(len(spans), i+maxDrift)
		if n+1 < len(rail) {
			end = min(end, rail[n+1])
		}
		date, head := findAround(spans, i, end)
		if date {
			dated++
		}
		if head {
			outdented++
		}
	}
	isMargin = 2*outdented >= len(rail)
	isDated := 2*dated >= len(rail) && !isMargin
	return len(rail) > 1 && (2*labelled > len(rail) || isDated), isMargin
}

// findAround reports whether the entry of a mark, up to the next mark or heading, has dates, and
// whether one of its lines begins a little left of the text.
func findAround(spans []Span, mark, end int) (date, head bool) {
	m := spans[mark]
	date = m.isDate && !facts.IsPlace(m.Text)
	text := m.body
	if words.IsLoneMark(m.Text) {
		text = m.Right
	}
	for i := max(0, mark-maxDrift); i < end; i++ {
		s := spans[i]
		if i == mark || s.Middle() > m.Middle()+1.2*m.Height() {
			continue
		}
		if s.isHeading && i > mark {
			return date, head
		}
		date = date || s.isDate && !facts.IsPlace(s.Text)
		isOutdented := s.Left > m.Left-outdent && s.Left < text-2
		isText := !s.isDate && !leadingMark().MatchString(s.Text)
		head = head || isOutdented && isText
	}
	return date, head
}

// joinLines returns lines as text. List items are recognised by their marks, or by their indentation if the marks are
// not text; the further lines of an item are under its words and are joined to it.
func joinLines(lines [][]Span) []string {
	var out []string
	var item, above []Span // the last marked item, and the last other line
	var large *Span        // the line before, if it is a headline
	all := slices.Concat(lines...)
	usual := medianSize(all)
	list := indentedList{right: boxOf(all).Right}
	for _, line := range lines {
		text := lineText(line)
		mayGrow := len(out) > 0 && len(out[len(out)-1]) < rejoin.MaxText
		if !mayGrow {
			item = nil
			large = nil
		}
		isText := len(line) == 1 && !heading.Is(text)
		switch {
		case mayGrow && dates.BeginsWithPeriodEnd(text) && dates.EndsWithDate(out[len(out)-1]):
			out[len(out)-1] += " " + text // "Acme | Jul 2018", "– Jun 2021"
			continue
		case facts.IsBullet(text):
			item = line
		case large != nil && len(line) == 1 && continuesHeadline(*large, line[0]):
			out[len(out)-1] = rejoin.Wrapped(out[len(out)-1], text)
			*large = line[0]
			continue
		case item != nil && isText && isHanging(item[0], line[0]):
			out[len(out)-1] = rejoin.Wrapped(out[len(out)-1], text)
			item[0].Bottom = line[0].Bottom
			continue
		case above != nil && isText && list.continues(line[0]):
			out[len(out)-1] = rejoin.Wrapped(out[len(out)-1], text)
			list.last = &line[0]
			continue
		case above != nil && isText && (isIndented(above, line[0]) || list.has(line[0])):
			text = "• " + text
			item = nil
			list.last = &line[0]
		default:
			item = nil
			above = line
			list.last = nil
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

// continuesHeadline reports whether s is as large as the headline above and closely below it, and so is its second half.
func continuesHeadline(above, s Span) bool {
	return math.Abs(s.Size-above.Size) < 0.05*above.Size && above.Bottom-s.Top < adjacentLine*s.Height()
}

// isHanging reports whether s is closely below an item, nearer to its words than to its mark.
func isHanging(item, s Span) bool {
	return s.Left > max(item.Left+2, (item.Left+item.body)/2) && item.Bottom-s.Top < adjacentLine*s.Height()
}

// isIndented reports whether s begins a little right of a line above and is neither centred below it nor ends where it ends.
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

// indentedList is a list with marks that are drawn, not text, as in pages that browsers print.
type indentedList struct {
	last  *Span   // the last line of its last item; nil outside a list
	right float64 // where the lines of the column end at most
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

// isFirstLine reports whether a text has s as its first line and below as its second: of two words, also a smaller
// one as "Okafor" below "MAYA".
func isFirstLine(s, below Span) bool {
	gap := s.Bottom - below.Top
	isClose := gap > -s.Height() && gap < adjacentLine*s.Height()
	overlaps := below.Left < s.Right && s.Left < below.Right
	areTwoWords := isClose && overlaps && !strings.ContainsAny(s.Text+below.Text, " \t")
	return !isSameLine(s, below) && (areTwoWords || continuesHeadline(s, below))
}
