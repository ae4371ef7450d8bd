package page

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
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
	isNear := b.Left > -maxCoordinate && b.Right < maxCoordinate && b.Bottom > -maxCoordinate && b.Top < maxCoordinate
	return isNear && b.Left <= b.Right && b.Bottom < b.Top
}

// Span is a run of words on one line without a gap: a whole line, or a piece of it.
type Span struct {
	Box
	Text string
	Size float64 // of the letters, in a unit of the page's own
	Font string  // of the first word's letters

	lastFont string  // of the last word's
	turn     int     // of the word among those of the page, as they are drawn
	body     float64 // the left end of the text after the mark of a list item

	turned bool // on a page with words that are read from the right

	isHeading, isDate bool // set by classifyText; a place counts as a date
}

const (
	maxCoordinate = 1e5  // points; pages are at most 14,400 wide
	minColumn     = 3    // lines of a column
	maxDrift      = 40   // words looked back for the halves of a word
	MaxSpans      = 4000 // of a page; what is beyond is left out
	MaxSought     = 6000 // spans of a document that are searched for columns; real documents have a tenth
	MaxColumns    = 5    // nested divisions of a page into columns
	wideGap       = 0.9  // of the text's height: wider than any space
	wideSpace     = 0.5  // of the text's height: wider than most spaces
	adjacentLine  = 1.0  // of the text's height: the distance of lines that belong together
	sameColumn    = 20.0 // points between the left ends of one column on two pages
	headline      = 1.3  // of the median size: a name or a title in large letters

	minSpacedLetters = 5    // words of a run, most of them letters, that show its letters to be set apart
	widestLetterGap  = 0.22 // of the text's height; a space is wider
	wordOverLetters  = 2.2  // of a letter gap: the least gap between words with letters set apart
)

func isSameLine(a, b Span) bool {
	return math.Abs(a.Middle()-b.Middle()) < 0.35*max(a.Height(), b.Height())
}

// classifyText sets isHeading and isDate, once for all gutters that are tried.
func (s *Span) classifyText() {
	s.isHeading = heading.Is(s.Text)
	s.isDate = words.IsAny(s.Text, dates.HasPeriod, facts.IsPlace, dates.IsWholeDate)
}

func boxOf(spans []Span) Box {
	if len(spans) == 0 {
		return Box{}
	}
	all := spans[0].Box
	for _, s := range spans[1:] {
		all = all.Union(s.Box)
	}
	return all
}

// groupLines groups sorted spans into lines, each from left to right.
func groupLines(spans []Span) [][]Span {
	var lines [][]Span
	for _, s := range spans {
		if n := len(lines) - 1; n >= 0 && isSameLine(lines[n][0], s) {
			lines[n] = append(lines[n], s)
		} else {
			lines = append(lines, []Span{s})
		}
	}
	for _, line := range lines {
		slices.SortStableFunc(line, func(a, b Span) int { return cmp.Compare(a.Left, b.Left) })
	}
	return lines
}

func medianSize(spans []Span) float64 {
	var sizes []float64
	for _, s := range spans {
		sizes = append(sizes, s.Size)
	}
	return median(sizes)
}

func median(numbers []float64) float64 {
	if len(numbers) == 0 {
		return 0
	}
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

func lineText(line []Span) string {
	texts := make([]string, len(line))
	for i, s := range line {
		texts[i] = s.Text
	}
	return strings.Join(texts, "\t")
}

// joinStacked returns a step that joins spans to those closely above them for which join returns their text.
func joinStacked(join func(a, b Span) (text string, ok bool)) func([]Span) []Span {
	return func(spans []Span) []Span {
		joined := make(map[int]bool)
		for i, s := range spans {
			for k := i + 1; k < min(len(spans), i+1+maxDrift) && !joined[i]; k++ {
				if !isStacked(s.Box, spans[k].Box) {
					continue
				}
				if text, ok := join(s, spans[k]); ok {
					spans[i].Text = text
					spans[i].Right = max(s.Right, spans[k].Right)
					joined[k] = true
					break
				}
			}
		}
		return deleteJoined(spans, joined)
	}
}

func deleteJoined(spans []Span, joined map[int]bool) []Span {
	kept := spans[:0]
	for i, s := range spans {
		if !joined[i] {
			kept = append(kept, s)
		}
	}
	return kept
}

// isStacked reports whether b is the line below a in a cell: closely below, and aligned at one side or centred.
func isStacked(a, b Box) bool {
	isCentred := math.Abs(a.Left+a.Right-b.Left-b.Right) < 6
	aligned := isCentred || math.Abs(a.Left-b.Left) < 3 || math.Abs(a.Right-b.Right) < 3
	return aligned && b.Middle() < a.Middle()-0.35*a.Height() && a.Bottom-b.Top < adjacentLine*a.Height()
}

// isTimelineMark reports whether a text is a mark that precedes words and is not between them.
func isTimelineMark(text string) bool { return text != "" && strings.Contains("●○◆■", text) }

// letterGap returns the widest gap between the letters of a run with letters set apart, of its
// height: 0.17 for "S k i l l s", which pdfium reads as six words. It returns 0 for other runs.
// Words there are two letter gaps and a space apart, which also identifies wider letter gaps.
func letterGap(terms []Span) float64 {
	letters := words.Count(terms, func(w Span) bool { return utf8.RuneCountInString(w.Text) <= 2 })
	if letters < minSpacedLetters || 4*letters < 3*len(terms) {
		return 0
	}
	gaps := make([]float64, 0, len(terms))
	for i := 1; i < len(terms); i++ {
		gaps = append(gaps, terms[i].gapAfter(terms[i-1]))
	}
	slices.Sort(gaps)
	wide := slices.IndexFunc(gaps, func(gap float64) bool { return gap > widestLetterGap })
	switch {
	case wide < 0:
		return max(0, gaps[len(gaps)-1])
	case wide > 0 && gaps[wide-1] > 0 && gaps[wide] >= wordOverLetters*gaps[wide-1]:
		return gaps[wide-1]
	case letters == len(terms):
		for i := 1; i < len(gaps); i++ {
			if gaps[i] >= 2*gaps[i-1] { // those between words are much wider
				return gaps[i-1]
			}
		}
	}
	return 0
}

// gapAfter returns the gap between a word and the one on its left, of its height.
func (s Span) gapAfter(left Span) float64 { return (s.Left - left.Right) / s.Height() }

// joinDateCells joins the lines over which a narrow cell spreads a range of dates: "September", "2013 –", "July 2015".
// The result is on the first of them. Spans are sorted from the top.
func joinDateCells(spans []Span) []Span {
	pieces := make([]int, 0, len(spans)) // spans that may be a part of a range
	for i, s := range spans {
		if dates.IsPeriodPiece(s.Text) {
			pieces = append(pieces, i)
		}
	}
	joined := make(map[int]bool)
	for at, i := range pieces {
		if !joined[i] {
			for _, k := range joinDateCell(spans, i, pieces[at+1:min(len(pieces), at+1+maxDrift)]) {
				joined[k] = true
			}
		}
	}
	return deleteJoined(spans, joined)
}

// joinDateCell joins the first of some pieces below a span to it that make it a range, and returns their indexes.
func joinDateCell(spans []Span, first int, below []int) []int {
	text := spans[first].Text
	last := spans[first].Box
	var used, taken []int
	for _, k := range below {
		if dates.IsClosedPeriod(text) || len(used) == rejoin.MaxDateLines {
			break
		}
		if s := spans[k]; isStacked(last, s.Box) {
			text = text + " " + s.Text
			last = s.Box
			used = append(used, k)
			if dates.IsPeriod(text) {
				taken = slices.Clone(used)
			}
		}
	}
	for _, k := range taken {
		spans[first].Text += " " + spans[k].Text
		spans[first].Left = min(spans[first].Left, spans[k].Left)
		spans[first].Right = max(spans[first].Right, spans[k].Right)
	}
	return taken
}

// joinHeading joins the two lines of a heading in a narrow column, of which the first is none: "Core", "Competencies". The
// second may be one, but not below one or two letters.
func joinHeading(a, b Span) (text string, ok bool) {
	if !haveSameLetters(a, b) || max(len(a.Text), len(b.Text)) > heading.MaxLength || heading.Is(a.Text) {
		return "", false
	}
	isWhole := len(a.Text) <= len("IT") && heading.Is(b.Text)
	text = a.Text + " " + b.Text
	return text, !isWhole && heading.Is(text)
}

// joinPlace joins the two lines of a region in a narrow cell: "Kelowna, British", "Columbia".
func joinPlace(a, b Span) (text string, ok bool) {
	town := strings.LastIndexAny(a.Text, ",·|\t")
	if town < 0 || len(a.Text) > words.MaxLine || len(b.Text) > heading.MaxLength {
		return "", false
	}
	return a.Text + " " + b.Text, words.Vocabulary().Countries[words.PlaceKey(a.Text[town+1:]+" "+b.Text)] != ""
}

// joinOpenEnd joins the two lines of a range of dates up to now in a narrow cell: "04/2023 – en", "cours".
func joinOpenEnd(a, b Span) (text string, ok bool) {
	if max(len(a.Text), len(b.Text)) > heading.MaxLength || !dates.HasDigit(a.Text) || dates.HasDigit(b.Text) {
		return "", false
	}
	text = a.Text + " " + b.Text
	return text, !dates.IsPeriod(a.Text) && dates.IsPeriod(text)
}

var endsWithYearHyphen = words.Expression(`\b\d{4}-$`)

// joinDateHyphen joins the two lines of a date with a divided month in a narrow column: "July 2019 – Octo-", "ber 2020".
func joinDateHyphen(a, b Span) (text string, ok bool) {
	if endsWithYearHyphen().MatchString(a.Text) && len(b.Text) == 2 && dates.HasDigit(b.Text) {
		return a.Text + b.Text, dates.IsPeriod(a.Text + b.Text) // "2020-03 – 2022-", "09"
	}
	head, ok := strings.CutSuffix(a.Text, rejoin.LineEndHyphen)
	return head + b.Text, ok && len(head) <= heading.MaxLength && dates.IsPeriodPiece(head+b.Text)
}
