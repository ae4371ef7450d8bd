package page

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// outdent is how far left of a list item, in points, the heads of entries begin at most.
const outdent = 25.0

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
	text := spans[mark].body
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
	return date || m.isDate && !facts.IsPlace(m.Text), head
}
