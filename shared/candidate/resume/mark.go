package resume

import (
	"math"
	"strings"
	"unicode/utf8"
)

// outdent is how far left of a list item, in points, the heads of entries begin at most.
const outdent = 25.0

// isLoneMark reports whether a span is only the mark of a timeline or list.
func isLoneMark(text string) bool {
	return text != "" && strings.Contains("●○◆■◦▪•", text)
}

// isTimelineMark reports whether a text is a mark that stands before words, and not between them.
func isTimelineMark(text string) bool { return text != "" && strings.Contains("●○◆■", text) }

// leadingMark returns the mark with which a text begins, or "".
func leadingMark(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	mark, rest := text[:size], text[size:]
	if isLoneMark(mark) && (rest == "" || rest[0] == ' ') {
		return mark
	}
	return ""
}

// dropTimelineMarks drops the marks of timelines: those below each other that have dates beside or
// below them, while nothing begins left of the text, as it does above list items. Spans are sorted
// from the top.
func dropTimelineMarks(spans []span) []span {
	rails := make(map[float64][]int) // indexes of the marks
	for i, s := range spans {
		if leadingMark(s.text) != "" {
			rails[math.Round(s.left)] = append(rails[math.Round(s.left)], i)
		}
	}
	dropped := make(map[int]bool)
	for _, rail := range rails {
		if !isTimeline(spans, rail) {
			continue
		}
		for _, i := range rail {
			s := &spans[i]
			if isLoneMark(s.text) {
				dropped[i] = true
				continue
			}
			s.text, s.left = strings.TrimLeft(s.text[len(leadingMark(s.text)):], " "), s.body
			s.classifyText()
		}
	}
	return deleteJoined(spans, dropped)
}

// isTimeline reports whether the marks at the indexes are those of a timeline.
func isTimeline(spans []span, rail []int) bool {
	dated, outdented := 0, 0
	for n, i := range rail {
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
	return len(rail) > 1 && 2*dated >= len(rail) && 2*outdented < len(rail)
}

// findAround reports whether the entry of a mark, up to the next mark or heading, has dates, and
// whether one of its lines begins a little left of the text.
func findAround(spans []span, mark, end int) (date, head bool) {
	m, text := spans[mark], spans[mark].body
	if isLoneMark(m.text) {
		text = m.right
	}
	for i := max(0, mark-maxDrift); i < end; i++ {
		s := spans[i]
		if i == mark || s.middle() > m.middle()+1.2*m.height() {
			continue
		}
		if s.isHeading && i > mark {
			return date, head
		}
		date = date || s.isDate && !isPlace(s.text)
		head = head || !s.isDate && leadingMark(s.text) == "" && s.left > m.left-outdent && s.left < text-2
	}
	return date || m.isDate && !isPlace(m.text), head
}
