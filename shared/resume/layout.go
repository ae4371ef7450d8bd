package resume

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// box is a place on a page in points; y grows upwards.
type box struct{ left, bottom, right, top float64 }

func (b box) height() float64 { return b.top - b.bottom }
func (b box) middle() float64 { return (b.top + b.bottom) / 2 }

func (b box) around(c box) box {
	return box{min(b.left, c.left), min(b.bottom, c.bottom), max(b.right, c.right), max(b.top, c.top)}
}

// isSound refuses the places of broken fonts.
func (b box) isSound() bool {
	return b.left > -maxPlace && b.right < maxPlace && b.bottom > -maxPlace && b.top < maxPlace && b.left <= b.right && b.bottom < b.top
}

// span is a run of words on one line without a gap: a line of a paragraph, or a
// piece of it that stands apart.
type span struct {
	box
	text string
}

const (
	maxPlace   = 1e5  // points; pages are at most 14,400 wide
	maxSpans   = 4000 // of a page
	maxColumns = 5    // cuts of a page into columns, one inside the other
	wideGap    = 0.9  // of the text's height: wider than any space
)

// joinWords makes spans of words in the order of the page's text.
func joinWords(words []span) []span {
	var spans []span
	for _, w := range words {
		if n := len(spans) - 1; n >= 0 && follows(spans[n], w) {
			spans[n].text += " " + w.text
			spans[n].box = spans[n].around(w.box)
			continue
		}
		if len(spans) == maxSpans {
			break
		}
		spans = append(spans, w)
	}
	return spans
}

func follows(a, b span) bool {
	height, gap := max(a.height(), b.height()), b.left-a.right
	return sameLine(a, b) && gap < wideGap*height && gap > -0.3*height
}

func sameLine(a, b span) bool {
	return math.Abs(a.middle()-b.middle()) < 0.35*max(a.height(), b.height())
}

// readingOrder turns a page's spans into blocks of lines: columns one after the
// other, everything else row by row.
func readingOrder(spans []span) [][]string {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(b.middle(), a.middle()) })
	var blocks [][]string
	for _, part := range cutColumns(spans, maxColumns) {
		if lines := joinLines(rows(part)); len(lines) > 0 {
			blocks = append(blocks, lines)
		}
	}
	return blocks
}

// cutColumns finds the gutter that parts the most text into columns, and reads
// what stands above it, left of it, right of it and below it.
func cutColumns(spans []span, depth int) [][]span {
	if depth == 0 || len(spans) < 2*minColumn {
		return [][]span{spans}
	}
	best := band{}
	for _, x := range gutters(spans) {
		if found := widestBand(spans, x); found.size() > best.size() {
			best = found
		}
	}
	if best.size() == 0 {
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

// rows groups sorted spans into lines, each from left to right.
func rows(spans []span) [][]span {
	var lines [][]span
	for _, s := range spans {
		if n := len(lines) - 1; n >= 0 && sameLine(lines[n][0], s) {
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

// joinLines writes lines as text. The further lines of a list item, which stand
// under its words and not under its mark, are joined to it.
func joinLines(lines [][]span) []string {
	var out []string
	item := span{} // the last line, if it belongs to a list item
	for _, line := range lines {
		texts := make([]string, len(line))
		for i, s := range line {
			texts[i] = s.text
		}
		text := strings.Join(texts, "\t")
		first := line[0]
		switch {
		case isBullet(text):
			item = first
			item.text = "•"
		case item.text != "" && len(line) == 1 && isHanging(item, first):
			out[len(out)-1] = joinTorn(out[len(out)-1], text)
			item.bottom = first.bottom
			continue
		default:
			item = span{}
		}
		out = append(out, text)
	}
	return out
}

// isHanging: right of the mark and closely below.
func isHanging(item, s span) bool {
	return s.left > item.left+2 && item.bottom-s.top < 0.6*s.height()
}

// joinTorn joins two lines that were one.
func joinTorn(a, b string) string {
	if strings.HasSuffix(a, tornHyphen) {
		return a + b
	}
	return a + " " + b
}
