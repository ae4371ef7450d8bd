package page

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

const (
	cellShare = 0.7  // of the way to the next cell, which a full line of a table's cell takes at least; the rest is padding
	headSize  = 1.15 // of the text's size: larger letters are those of a head
)

// joinCells joins the further lines of a row's cells to the first: each piece of such a line
// stands below a cell that is full, and none begins with a mark.
func joinCells(lines [][]Span) [][]Span {
	t := newCellTable(lines)
	var out [][]Span
	var row []Span
	for i, line := range lines {
		var rest []Span
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

func newCellTable(lines [][]Span) cellTable {
	t := cellTable{starts: make(map[float64]int), wraps: make(map[style]bool)}
	letters := make(map[style]int)
	for _, line := range lines {
		for _, s := range line {
			t.edge = max(t.edge, s.Right)
			t.starts[math.Round(s.Left)]++
			letters[s.style()] += len(s.Text)
			if letters[s.style()] > letters[t.body] {
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

func (s Span) style() style { return style{s.Font, s.Size} }

// findWraps finds the styles in which no line begins that would have fitted behind the one above:
// what is below each other is one fact then.
func (t cellTable) findWraps(lines [][]Span) {
	first := make(map[style]int)
	below := make(map[style]int)
	fits := make(map[style]bool)
	for i, line := range lines {
		var above []Span
		if i > 0 {
			above = lines[i-1]
		}
		for _, s := range line {
			k := slices.IndexFunc(above, func(c Span) bool { return continuesFact(c, s) })
			switch {
			case k < 0:
				first[s.style()]++
			case k < len(above)-1 || len(line) > 1:
			case above[k].Right+firstWidth(s) < t.edge || areTwoFacts(above[k].Text, s.Text):
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
func (t cellTable) joinRow(row, line []Span) (rest []Span) {
	if len(row) == 0 || len(line) > len(row) || facts.IsBullet(line[0].Text) || len(row) == 1 && facts.IsBullet(row[0].Text) {
		return line
	}
	if isHeadAndText(row, line[0]) {
		return line
	}
	for _, s := range line {
		for k, c := range row {
			t.torn = t.torn || continuesCell(row, k, s) && rejoin.IsTorn(c.Text, s.Text)
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
func isHeadAndText(row []Span, s Span) bool {
	first, _ := utf8.DecodeRuneInString(s.Text)
	return unicode.IsUpper(first) && (facts.IsPhrase(s.Text) || facts.IsSentence(s.Text)) && !facts.IsPhrase(row[0].Text) && slices.ContainsFunc(row, func(c Span) bool { return c.isDate })
}

// joinBelow joins the first pieces of a line to these cells of the row above, and returns the others.
func joinBelow(row, line []Span, cells []int) (rest []Span) {
	for i, k := range cells {
		row[k].Text = rejoin.Wrapped(row[k].Text, line[i].Text)
		row[k].Bottom = line[i].Bottom
		row[k].Right = max(row[k].Right, line[i].Right)
		row[k].lastFont = line[i].lastFont
	}
	return line[len(cells):]
}

// isTornHead reports whether a line is the further half of what a row begins with: both are of
// one font, and what follows closely is another fact, in another font and also larger than the
// text.
func (t cellTable) isTornHead(row, line []Span, next Span) bool {
	if len(row) == 0 || len(line) != 1 || !continuesFact(row[0], line[0]) || row[0].Size < headSize*t.body.size || areTwoFacts(row[0].Text, line[0].Text) {
		return false
	}
	return next.Font != line[0].Font && next.Size > t.body.size && isAlignedBelow(line[0], next) && !next.isDate && !next.isHeading
}

// continuesFact reports whether s, closely below a fact and in its font, may be its second half.
func continuesFact(above, s Span) bool {
	return isAlignedBelow(above, s) && above.lastFont == s.Font && above.Size == s.Size && !above.isDate && !s.isDate && !above.isHeading && !s.isHeading
}

// continuesCell reports whether s may be the second half of a cell: of a fact, or of one at the right,
// whose lines end below each other. What looks like a place may be one.
func continuesCell(row []Span, k int, s Span) bool {
	c := row[k]
	isBelow := c.Bottom-s.Top < adjacentLine*s.Height() && (math.Abs(c.Left-s.Left) < 3 || k > 0 && math.Abs(c.Right-s.Right) < 3)
	isPart := !s.isDate || facts.IsPlace(s.Text) && (rejoin.IsTorn(c.Text, s.Text) && !rejoin.EndsWithShortWord(c.Text) || rejoin.BeginsWithLegalForm(c.Text, s.Text))
	if strings.HasSuffix(c.Text, "|") {
		return isBelow && facts.IsPlace(s.Text) // "2019 – 2021 |", "Leeds"
	}
	return isBelow && isPart && c.lastFont == s.Font && c.Size == s.Size && !c.isDate && !c.isHeading && !s.isHeading
}

// isAlignedBelow reports whether s stands closely below another piece and begins where that does.
func isAlignedBelow(above, s Span) bool {
	return math.Abs(above.Left-s.Left) < 3 && above.Bottom-s.Top < adjacentLine*s.Height()
}

// beginsBelowLast reports whether s begins where the last cell of a row with dates does.
func beginsBelowLast(row []Span, s Span) bool {
	hasDate := slices.ContainsFunc(row, func(c Span) bool { return c.isDate })
	return len(row) > 2 && hasDate && !s.isDate && math.Abs(s.Left-row[len(row)-1].Left) < 3
}

// findCell returns the index of the cell that s continues, or -1.
func (t cellTable) findCell(row []Span, s Span) int {
	k := slices.IndexFunc(row, func(c Span) bool { return math.Abs(c.Left-s.Left) < 3 || math.Abs(c.Right-s.Right) < 3 })
	if k >= 0 && (row[k].lastFont != s.Font || row[k].Size != s.Size) {
		return -1 // another fact
	}
	if t.torn && k >= 0 && continuesCell(row, k, s) && len(row[k].Text) <= words.MaxLine && !facts.IsBullet(row[k].Text) {
		return k
	}
	if k < 0 || k == len(row)-1 && len(row) < 3 && !facts.IsBullet(row[0].Text) && !t.wraps[s.style()] || s.isHeading || len(row[k].Text) > words.MaxLine || row[k].Bottom-s.Top > adjacentLine*s.Height() || row[k].isDate || words.IsLoneMark(row[k].Text) {
		return -1
	}
	edge := t.edge
	if k+1 < len(row) {
		next := row[k+1].Left
		edge = next - 2*s.Height()
		if len(row) > 2 && t.starts[math.Round(next)] >= minColumn {
			edge = row[k].Left + cellShare*(next-row[k].Left)
		}
		if s.Right > next {
			return -1 // it is wider than the cell
		}
	}
	if row[k].Right+firstWidth(s) < edge || areTwoFacts(row[k].Text, s.Text) || (dates.IsPeriodPiece(s.Text) || facts.IsPlace(s.Text)) && !rejoin.UnfinishedList().MatchString(row[k].Text) {
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
	f := facts.New(text)
	return f.Title, f.Legal || facts.IsSchool(text) || facts.IsDegree(text)
}

// firstWidth returns the width of a span's first word and the space before it.
func firstWidth(s Span) float64 {
	word := words.First(s.Text)
	letters := float64(utf8.RuneCountInString(word)) + 1
	if r, _ := utf8.DecodeRuneInString(word); words.IsUnspaced(r) {
		letters = 1
	}
	return (s.Right - s.Left) * letters / float64(utf8.RuneCountInString(strings.TrimSpace(s.Text)))
}
