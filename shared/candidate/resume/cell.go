package resume

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	cellShare = 0.7  // of the way to the next cell, which a full line of a table's cell takes at least; the rest is padding
	headSize  = 1.15 // of the text's size: larger letters are those of a head
)

// joinCells joins the further lines of a row's cells to the first: each piece of such a line
// stands below a cell that is full, and none begins with a mark.
func joinCells(lines [][]span) [][]span {
	t := newCellTable(lines)
	var out [][]span
	var row []span
	for i, line := range lines {
		var rest []span
		if i+1 < len(lines) && t.isTornHead(row, line, lines[i+1][0]) {
			rest = joinBelow(row, line, []int{0})
		} else {
			rest = t.joinRow(row, line)
		}
		if len(rest) == len(line) {
			row = line
		}
		if len(rest) > 0 {
			out = append(out, rest)
		}
	}
	return out
}

// cellTable is what the rows of a part of a page have in common.
type cellTable struct {
	edge   float64         // the right end of its text
	starts map[float64]int // how many pieces begin at a position
	body   style           // of most letters
	wraps  map[style]bool  // those whose lines below each other are one fact
	torn   bool            // a fact of the row goes on below
}

func newCellTable(lines [][]span) cellTable {
	t, letters := cellTable{starts: make(map[float64]int), wraps: make(map[style]bool)}, make(map[style]int)
	for _, line := range lines {
		for _, s := range line {
			t.edge = max(t.edge, s.right)
			t.starts[math.Round(s.left)]++
			if letters[s.style()] += len(s.text); letters[s.style()] > letters[t.body] {
				t.body = s.style()
			}
		}
	}
	t.findWraps(lines)
	return t
}

// style is how the letters of a piece look.
type style struct {
	font string
	size float64
}

func (s span) style() style { return style{s.font, s.size} }

// findWraps finds the styles in which no line begins that would have fitted behind the one above:
// what is below each other is one fact then.
func (t cellTable) findWraps(lines [][]span) {
	first, below, fits := make(map[style]int), make(map[style]int), make(map[style]bool)
	for i, line := range lines {
		var above []span
		if i > 0 {
			above = lines[i-1]
		}
		for _, s := range line {
			k := slices.IndexFunc(above, func(c span) bool { return continuesFact(c, s) })
			switch {
			case k < 0:
				first[s.style()]++
			case k < len(above)-1 || len(line) > 1:
			case above[k].right+firstWidth(s) < t.edge || areTwoFacts(above[k].text, s.text):
				fits[s.style()] = true
			default:
				below[s.style()]++
			}
		}
	}
	for f, n := range below {
		t.wraps[f] = n > 0 && first[f] > 1 && !fits[f] && f != t.body
	}
}

// joinRow joins a line to the row above if all its pieces continue cells of it, and returns the
// pieces that are not joined: what begins below the last cell of an entry may be other text.
func (t cellTable) joinRow(row, line []span) (rest []span) {
	if len(row) == 0 || len(line) > len(row) || isBullet(line[0].text) || len(row) == 1 && isBullet(row[0].text) {
		return line
	}
	if isHeadAndText(row, line[0]) {
		return line
	}
	for _, s := range line {
		for k, c := range row {
			t.torn = t.torn || continuesCell(row, k, s) && isTorn(c.text, s.text)
		}
	}
	cells := make([]int, 0, len(line))
	for i, s := range line {
		k := t.findCell(row, s)
		if k < 0 && (i == 0 || i < len(line)-1 || !beginsBelowLast(row, s)) {
			return line
		}
		if k >= 0 {
			cells = append(cells, k)
		}
	}
	return joinBelow(row, line, cells)
}

// isHeadAndText reports whether s says something, below a row with dates that names a job.
func isHeadAndText(row []span, s span) bool {
	first, _ := utf8.DecodeRuneInString(s.text)
	return unicode.IsUpper(first) && (isPhrase(s.text) || isSentence(s.text)) && !isPhrase(row[0].text) && slices.ContainsFunc(row, func(c span) bool { return c.isDate })
}

// joinBelow joins the first pieces of a line to these cells of the row above, and returns the others.
func joinBelow(row, line []span, cells []int) (rest []span) {
	for i, k := range cells {
		row[k].text = joinWrapped(row[k].text, line[i].text)
		row[k].bottom, row[k].right, row[k].lastFont = line[i].bottom, max(row[k].right, line[i].right), line[i].lastFont
	}
	return line[len(cells):]
}

// isTornHead reports whether a line is the further half of what a row begins with: both are of
// one font, and what follows closely is another fact, in another font and also larger than the
// text.
func (t cellTable) isTornHead(row, line []span, next span) bool {
	if len(row) == 0 || len(line) != 1 || !continuesFact(row[0], line[0]) || row[0].size < headSize*t.body.size || areTwoFacts(row[0].text, line[0].text) {
		return false
	}
	return next.font != line[0].font && next.size > t.body.size && isAlignedBelow(line[0], next) && !next.isDate && !next.isHeading
}

// continuesFact reports whether s, closely below a fact and in its font, may be its second half.
func continuesFact(above, s span) bool {
	return isAlignedBelow(above, s) && above.lastFont == s.font && above.size == s.size && !above.isDate && !s.isDate && !above.isHeading && !s.isHeading
}

// continuesCell reports whether s may be the second half of a cell: of a fact, or of one at the right,
// whose lines end below each other. What looks like a place may be one.
func continuesCell(row []span, k int, s span) bool {
	c := row[k]
	isBelow := c.bottom-s.top < adjacentLine*s.height() && (math.Abs(c.left-s.left) < 3 || k > 0 && math.Abs(c.right-s.right) < 3)
	isPart := !s.isDate || isPlace(s.text) && (isTorn(c.text, s.text) && !endsWithShortWord(c.text) || beginsWithLegalForm(c.text, s.text))
	if strings.HasSuffix(c.text, "|") {
		return isBelow && isPlace(s.text) // "2019 – 2021 |", "Leeds"
	}
	return isBelow && isPart && c.lastFont == s.font && c.size == s.size && !c.isDate && !c.isHeading && !s.isHeading
}

// isAlignedBelow reports whether s stands closely below another piece and begins where that does.
func isAlignedBelow(above, s span) bool {
	return math.Abs(above.left-s.left) < 3 && above.bottom-s.top < adjacentLine*s.height()
}

// beginsBelowLast reports whether s begins where the last cell of a row with dates does.
func beginsBelowLast(row []span, s span) bool {
	hasDate := slices.ContainsFunc(row, func(c span) bool { return c.isDate })
	return len(row) > 2 && hasDate && !s.isDate && math.Abs(s.left-row[len(row)-1].left) < 3
}

// findCell returns the index of the cell that s continues, or -1.
func (t cellTable) findCell(row []span, s span) int {
	k := slices.IndexFunc(row, func(c span) bool { return math.Abs(c.left-s.left) < 3 || math.Abs(c.right-s.right) < 3 })
	if k >= 0 && (row[k].lastFont != s.font || row[k].size != s.size) {
		return -1 // another fact
	}
	if t.torn && k >= 0 && continuesCell(row, k, s) && len(row[k].text) <= maxLine && !isBullet(row[k].text) {
		return k
	}
	if k < 0 || k == len(row)-1 && len(row) < 3 && !isBullet(row[0].text) && !t.wraps[s.style()] || s.isHeading || len(row[k].text) > maxLine || row[k].bottom-s.top > adjacentLine*s.height() || row[k].isDate || isLoneMark(row[k].text) {
		return -1
	}
	edge := t.edge
	if k+1 < len(row) {
		next := row[k+1].left
		edge = next - 2*s.height()
		if len(row) > 2 && t.starts[math.Round(next)] >= minColumn {
			edge = row[k].left + cellShare*(next-row[k].left)
		}
		if s.right > next {
			return -1 // it is wider than the cell
		}
	}
	if row[k].right+firstWidth(s) < edge || areTwoFacts(row[k].text, s.text) || (isPeriodPiece(s.text) || isPlace(s.text)) && !unfinishedList().MatchString(row[k].text) {
		return -1 // it would have fitted, or is another fact
	}
	return k
}

// areTwoFacts reports whether both texts have a word that tells what they are: a title, a
// company's legal form, a school or a degree, but not titles both: "Deputy", "Headteacher".
func areTwoFacts(a, b string) bool {
	aTitle, aOther := findKind(a)
	bTitle, bOther := findKind(b)
	return (aTitle || aOther) && (bTitle || bOther) && (aOther || bOther)
}

func findKind(text string) (isTitle, isOther bool) {
	f := newFact(text)
	return f.title, f.legal || isSchool(text) || isDegree(text)
}

// firstWidth returns the width of a span's first word and the space before it.
func firstWidth(s span) float64 {
	word := firstWord(s.text)
	letters := float64(utf8.RuneCountInString(word)) + 1
	if r, _ := utf8.DecodeRuneInString(word); isUnspaced(r) {
		letters = 1
	}
	return (s.right - s.left) * letters / float64(utf8.RuneCountInString(strings.TrimSpace(s.text)))
}
