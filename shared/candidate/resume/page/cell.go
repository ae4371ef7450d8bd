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
// is below a full cell, and none begins with a mark.
func joinCells(lines [][]Span) [][]Span {
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
	var out [][]Span
	var row []Span
	for _, line := range lines {
		if !t.joinRow(row, line) {
			row = line
			out = append(out, line)
		}
	}
	return out
}

// cellTable is what the rows of a part of a page have in common.
type cellTable struct {
	edge   float64         // the right end of its text
	starts map[float64]int // how many pieces begin at a position
	body   style           // of most letters
	wraps  map[style]bool  // those with one fact in lines below each other
	torn   bool            // a fact of the row continues below
}

type style struct {
	font string
	size float64
}

func (s Span) style() style { return style{s.Font, s.Size} }

// findWraps finds the styles in which no line begins that would have fitted behind the one above:
// what is below each other is one fact then.
func (t cellTable) findWraps(lines [][]Span) {
	first := make(map[style]int)
	below := make(map[style]bool)
	fits := make(map[style]bool)
	var above []Span
	for _, line := range lines {
		for _, s := range line {
			k := slices.IndexFunc(above, func(c Span) bool {
				return isBelow(c, s, false) && haveSameLetters(c, s) && c.isPlain() && s.isPlain()
			})
			switch {
			case k < 0:
				first[s.style()]++
			case k < len(above)-1 || len(line) > 1:
			case above[k].Right+firstWidth(s) < t.edge || areTwoFacts(above[k].Text, s.Text):
				fits[s.style()] = true
			default:
				below[s.style()] = true
			}
		}
		above = line
	}
	for f := range below {
		t.wraps[f] = first[f] > 1 && !fits[f] && f != t.body
	}
}

// joinRow joins a line to the row above if all its pieces continue cells of it, and reports whether they do: what begins
// below the last cell of an entry may be other text.
func (t cellTable) joinRow(row, line []Span) bool {
	if len(row) == 0 || len(line) > len(row) || facts.IsBullet(line[0].Text) {
		return false
	}
	if len(row) == 1 && facts.IsBullet(row[0].Text) {
		return false
	}
	saysSomething := unicode.IsUpper(words.FirstRune(line[0].Text)) && words.IsAny(line[0].Text, facts.IsPhrase, facts.IsSentence)
	if saysSomething && !facts.IsPhrase(row[0].Text) && slices.ContainsFunc(row, func(s Span) bool { return s.isDate }) {
		return false // the row with dates names a job, and the line is text below it
	}
	for _, s := range line {
		for k, c := range row {
			t.torn = t.torn || continuesCell(row, k, s) && rejoin.IsTorn(c.Text, s.Text)
		}
	}
	cells := make([]int, 0, len(line))
	for _, s := range line {
		k := t.findCell(row, s)
		if k < 0 {
			return false
		}
		cells = append(cells, k)
	}
	for i, k := range cells {
		row[k].Text = rejoin.Wrapped(row[k].Text, line[i].Text)
		row[k].Bottom = line[i].Bottom
		row[k].Right = max(row[k].Right, line[i].Right)
		row[k].lastFont = line[i].lastFont
	}
	return true
}

func haveSameLetters(above, s Span) bool { return above.lastFont == s.Font && above.Size == s.Size }

func (s Span) isPlain() bool { return !s.isDate && !s.isHeading }

// continuesCell reports whether s may be the second half of a cell: of a fact, or of one at the right,
// with lines that end below each other.
func continuesCell(row []Span, k int, s Span) bool {
	c := row[k]
	switch {
	case !isBelow(c, s, k > 0):
		return false
	case strings.HasSuffix(c.Text, "|"):
		return facts.IsPlace(s.Text) // "2019 – 2021 |", "Leeds"
	case s.isHeading || s.isDate && !isRestOfCell(c.Text, s.Text):
		return false
	}
	return haveSameLetters(c, s) && c.isPlain()
}

// isBelow reports whether s is closely below a cell and begins where that does, or of one at the right ends there.
func isBelow(c, s Span, isAtRight bool) bool {
	isAligned := math.Abs(c.Left-s.Left) < 3 || isAtRight && math.Abs(c.Right-s.Right) < 3
	return isAligned && c.Bottom-s.Top < adjacentLine*s.Height()
}

// isRestOfCell reports whether what looks like a place continues the text of a cell.
func isRestOfCell(cell, place string) bool {
	isTorn := rejoin.IsTorn(cell, place) && !rejoin.EndsWithShortWord(cell)
	return facts.IsPlace(place) && (isTorn || rejoin.BeginsWithLegalForm(cell, place))
}

func (t cellTable) findCell(row []Span, s Span) int {
	k := slices.IndexFunc(row, func(c Span) bool { return math.Abs(c.Left-s.Left) < 3 || math.Abs(c.Right-s.Right) < 3 })
	if k < 0 || !haveSameLetters(row[k], s) {
		return -1 // another fact
	}
	c := row[k]
	isWider := k+1 < len(row) && s.Right > row[k+1].Left
	mayGrow := len(c.Text) <= words.MaxLine && !facts.IsBullet(c.Text)
	switch {
	case t.torn && mayGrow && continuesCell(row, k, s):
		return k
	case isWider || t.isLastWithoutWraps(row, k, s) || s.isHeading:
		return -1
	case c.isDate || len(c.Text) > words.MaxLine || words.IsLoneMark(c.Text): // of one line
		return -1
	case c.Bottom-s.Top > adjacentLine*s.Height(): // not the next line
		return -1
	case c.Right+firstWidth(s) < t.fullEdge(row, k, s): // it would have fitted
		return -1
	case areTwoFacts(c.Text, s.Text) || isOtherFact(c.Text, s.Text):
		return -1
	}
	return k
}

// isLastWithoutWraps reports whether a cell is the last of one or two, where text outside the row begins: the row is
// not a list item, and lines in the style of s do not wrap.
func (t cellTable) isLastWithoutWraps(row []Span, k int, s Span) bool {
	isLast := k == len(row)-1 && len(row) <= 2
	mayWrap := t.wraps[s.style()] || facts.IsBullet(row[0].Text)
	return isLast && !mayWrap
}

func (t cellTable) fullEdge(row []Span, k int, s Span) float64 {
	if k+1 == len(row) {
		return t.edge
	}
	next := row[k+1].Left
	if len(row) > 2 && t.starts[math.Round(next)] >= minColumn {
		return row[k].Left + cellShare*(next-row[k].Left)
	}
	return next - 2*s.Height()
}

// isOtherFact reports whether a text is a date or a place, which continues a cell only after the mark of a list item.
func isOtherFact(cell, text string) bool {
	isFact := dates.IsPeriodPiece(text) || facts.IsPlace(text)
	return isFact && !rejoin.UnfinishedList().MatchString(cell)
}

// areTwoFacts reports whether both texts have a word that shows what they are: a title, a
// company's legal form, a school or a degree, but not titles both: "Deputy", "Headteacher".
func areTwoFacts(a, b string) bool {
	aTitle, aOther := findKind(a)
	bTitle, bOther := findKind(b)
	if aOther {
		return bTitle || bOther
	}
	return aTitle && bOther
}

func findKind(text string) (isTitle, isOther bool) {
	f := facts.New(text)
	return f.Title, f.Legal || facts.IsSchool(text) || facts.IsDegree(text)
}

// firstWidth returns the width of a span's first word and the space before it.
func firstWidth(s Span) float64 {
	word := words.First(s.Text)
	letters := float64(utf8.RuneCountInString(word)) + 1
	if words.IsUnspaced(words.FirstRune(word)) {
		letters = 1
	}
	return (s.Right - s.Left) * letters / float64(utf8.RuneCountInString(strings.TrimSpace(s.Text)))
}
