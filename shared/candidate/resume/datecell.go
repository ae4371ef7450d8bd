package resume

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// widestSpace is the widest space of a justified line, of the text's height.
const widestSpace = 2.0

// widestDash is the widest gap between a date and the dash behind it, at the end of a justified line of a cell.
const widestDash = 7.0

// isRangeMark reports whether a text is nothing but the dash of a range.
func isRangeMark(text string) bool { return text == "–" || text == "—" || text == "-" }

// maxDateLines bounds the lines over which a narrow cell spreads a range of dates.
const maxDateLines = 5

// joinDateCells joins the lines over which a narrow cell spreads a range of dates:
// "September", "2013 –", "July 2015". The result stands on the first of them. Spans are
// sorted from the top.
func joinDateCells(spans []span) []span {
	pieces := make([]int, 0, len(spans)) // spans that may be a part of a range
	for i, s := range spans {
		if isPeriodPiece(s.text) {
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

// joinDateWords joins the words of a range of dates that a justified line of a narrow cell sets far
// apart: "Mar.", "2018", "– Sep.".
func joinDateWords(spans []span) []span {
	joined := make(map[int]bool)
	for i := range spans {
		if joined[i] || !isPeriodPiece(spans[i].text) {
			continue
		}
		for k := max(0, i-maxDrift); k < min(len(spans), i+1+maxDrift); k++ {
			if k != i && !joined[k] && isDateContinued(spans[i], spans[k]) {
				spans[i].text += " " + spans[k].text
				spans[i].right, joined[k] = spans[k].right, true
				k = max(0, i-maxDrift) - 1
			}
		}
	}
	return deleteJoined(spans, joined)
}

// isDateContinued reports whether b is the next word of a range of dates on the line of a: the year
// of a month, or a dash with what follows it.
func isDateContinued(a, b span) bool {
	gap, widest := b.left-a.right, widestSpace
	if isRangeMark(b.text) && isWholeDate(a.text) {
		widest = widestDash
	}
	if gap < 0 || gap > widest*a.height() || len(a.text) > maxHeading || !isSameLine(a, b) || !isPeriodPiece(b.text) || isPeriod(a.text) {
		return false
	}
	if strings.IndexAny(b.text, "-–—−") == 0 {
		return hasDigit(a.text) && !endsWithRangeMark(a.text)
	}
	return hasDigit(b.text) && !isWholeDate(a.text) && strings.ContainsFunc(a.text, unicode.IsLetter)
}

// joinDateCell joins the first of some pieces below a span to it that make it a range, and
// returns their indexes.
func joinDateCell(spans []span, first int, below []int) []int {
	text, last := spans[first].text, spans[first].box
	var used, taken []int
	for _, k := range below {
		if isClosedPeriod(text) || len(used) == maxDateLines {
			break
		}
		if s := spans[k]; isStacked(last, s.box) {
			text, last, used = text+" "+s.text, s.box, append(used, k)
			if isClosedPeriod(text) || isPeriod(text) {
				taken = slices.Clone(used)
			}
		}
	}
	for _, k := range taken {
		spans[first].text += " " + spans[k].text
		spans[first].left, spans[first].right = min(spans[first].left, spans[k].left), max(spans[first].right, spans[k].right)
	}
	return taken
}

// joinHeadings joins the two lines of a heading in a narrow column: "Core", "Competencies".
func joinHeadings(spans []span) []span {
	return joinStacked(spans, func(a, b span) (string, bool) {
		text := a.text + " " + b.text
		return text, a.size == b.size && a.lastFont == b.font && (len(a.text) > len("IT") || !isHeading(b.text)) && max(len(a.text), len(b.text)) <= maxHeading && isHeading(text) && !isHeading(a.text)
	})
}

// joinPlaces joins the two lines of a region in a narrow cell: "Kelowna, British", "Columbia".
func joinPlaces(spans []span) []span {
	return joinStacked(spans, func(a, b span) (string, bool) {
		town := strings.LastIndexAny(a.text, ",·|\t")
		if town < 0 || len(a.text) > maxLine || len(b.text) > maxHeading {
			return "", false
		}
		return a.text + " " + b.text, vocabulary().countries[placeKey(a.text[town+1:]+" "+b.text)] != ""
	})
}

// joinOpenEnds joins the two lines of a range of dates up to now in a narrow cell: "04/2023 – en", "cours".
func joinOpenEnds(spans []span) []span {
	return joinStacked(spans, func(a, b span) (string, bool) {
		if len(a.text) > maxHeading || len(b.text) > maxHeading || !hasDigit(a.text) || hasDigit(b.text) || isPeriod(a.text) {
			return "", false
		}
		text := a.text + " " + b.text
		return text, isPeriod(text)
	})
}

var endsWithYearHyphen = expression(`\b\d{4}-$`)

// joinDateHyphens joins the two lines of a date with a divided month in a narrow column: "July 2019 –
// Octo-", "ber 2020".
func joinDateHyphens(spans []span) []span {
	return joinStacked(spans, func(a, b span) (string, bool) {
		if endsWithYearHyphen().MatchString(a.text) && len(b.text) == 2 && hasDigit(b.text) {
			return a.text + b.text, isPeriod(a.text + b.text) // "2020-03 – 2022-", "09"
		}
		head, ok := strings.CutSuffix(a.text, lineEndHyphen)
		return head + b.text, ok && len(head) <= maxHeading && isPeriodPiece(head+b.text)
	})
}

// joinStacked joins spans to those closely above them for which join returns their text.
func joinStacked(spans []span, join func(a, b span) (text string, ok bool)) []span {
	joined := make(map[int]bool)
	for i, s := range spans {
		for k := i + 1; k < min(len(spans), i+1+maxDrift) && !joined[i]; k++ {
			if !isStacked(s.box, spans[k].box) {
				continue
			}
			if text, ok := join(s, spans[k]); ok {
				spans[i].text, spans[i].right, joined[k] = text, max(s.right, spans[k].right), true
				break
			}
		}
	}
	return deleteJoined(spans, joined)
}

// deleteJoined deletes the spans whose text another one has now.
func deleteJoined(spans []span, joined map[int]bool) []span {
	kept := spans[:0]
	for i, s := range spans {
		if !joined[i] {
			kept = append(kept, s)
		}
	}
	return kept
}

// isStacked reports whether b is the line below a in a cell: closely below, and aligned at
// one side or centred.
func isStacked(a, b box) bool {
	aligned := math.Abs(a.left-b.left) < 3 || math.Abs(a.right-b.right) < 3 || math.Abs(a.left+a.right-b.left-b.right) < 6
	return aligned && b.middle() < a.middle()-0.35*a.height() && a.bottom-b.top < adjacentLine*a.height()
}

// isPeriodPiece reports whether a text has nothing but parts of a range of dates.
func isPeriodPiece(text string) bool {
	if len(text) > 60 {
		return false
	}
	tokens := scanTokens(text)
	for at := 0; at < len(tokens); {
		next := skipPeriodPart(tokens, at)
		if next == at {
			return false
		}
		at = next
	}
	return len(tokens) > 0
}

// skipPeriodPart skips a number, a mark or a word of a range of dates.
func skipPeriodPart(tokens []token, at int) int {
	if _, next, ok := parseMonthName(tokens, at); ok {
		return next
	}
	v := vocabulary()
	for _, words := range []phrases{v.untilWords, v.sinceWords, v.sinceEndings, v.fromWords, v.openWords, v.todayWords, v.seasons, v.ofWords, v.monthWords, v.timeUnits} {
		if _, next := words.find(tokens, at); next > at {
			return next
		}
	}
	if t := tokens[at]; t.kind == spaceToken || t.kind == numberToken && len(t.text) <= 4 || t.kind == markToken && strings.Contains("-–—−~〜～→.,'’/()·", t.text) {
		return at + 1
	}
	return at
}

// isPeriod reports whether a text is a range of dates, with its duration if any.
func isPeriod(text string) bool {
	p, ok := findPeriod(text)
	if !ok {
		return false
	}
	rest := strings.Trim(text[:p.first]+text[p.last:], " .,·()")
	return rest == "" || isDuration(rest)
}

// isClosedPeriod reports whether a text is a range of dates that does not go on below.
func isClosedPeriod(text string) bool {
	return isPeriod(text) && !endsWithRangeMark(text) && strings.Count(text, "(") == strings.Count(text, ")")
}
