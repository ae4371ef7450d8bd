package page

import (
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// joinDateCells joins the lines over which a narrow cell spreads a range of dates:
// "September", "2013 –", "July 2015". The result is on the first of them. Spans are
// sorted from the top.
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

// joinDateCell joins the first of some pieces below a span to it that make it a range, and
// returns their indexes.
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
			if dates.IsClosedPeriod(text) || dates.IsPeriod(text) {
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

// joinHeading joins the two lines of a heading in a narrow column: "Core", "Competencies".
func joinHeading(a, b Span) (text string, ok bool) {
	return a.Text + " " + b.Text, haveSameLetters(a, b) && areHeadingHalves(a.Text, b.Text)
}

// areHeadingHalves reports whether two short texts are a heading together, and the first is none. The second may be one,
// but not below one or two letters.
func areHeadingHalves(a, b string) bool {
	if max(len(a), len(b)) > heading.MaxLength || heading.Is(a) {
		return false
	}
	isWhole := len(a) <= len("IT") && heading.Is(b)
	return !isWhole && heading.Is(a+" "+b)
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

// joinDateHyphen joins the two lines of a date with a divided month in a narrow column: "July 2019 –
// Octo-", "ber 2020".
func joinDateHyphen(a, b Span) (text string, ok bool) {
	if endsWithYearHyphen().MatchString(a.Text) && len(b.Text) == 2 && dates.HasDigit(b.Text) {
		return a.Text + b.Text, dates.IsPeriod(a.Text + b.Text) // "2020-03 – 2022-", "09"
	}
	head, ok := strings.CutSuffix(a.Text, rejoin.LineEndHyphen)
	return head + b.Text, ok && len(head) <= heading.MaxLength && dates.IsPeriodPiece(head+b.Text)
}
