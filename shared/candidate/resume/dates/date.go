// Package dates finds dates and ranges of dates in lines of many languages.
package dates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// Month is a month of a year. Month 0 means that only the year is known; the zero value means no date.
type Month struct{ Year, Month int }

// String returns "2021-03", "2021", or "" for no date.
func (m Month) String() string {
	switch {
	case m.Year == 0:
		return ""
	case m.Month == 0:
		return strconv.Itoa(m.Year)
	}
	return fmt.Sprintf("%d-%02d", m.Year, m.Month)
}

// MarshalText returns the date as String does.
func (m Month) MarshalText() ([]byte, error) { return []byte(m.String()), nil }

// Before reports whether m is before n; a year alone is before its months.
func (m Month) Before(n Month) bool {
	return m.Year < n.Year || m.Year == n.Year && m.Month < n.Month
}

// date is a date in a line, and how it is written.
type date struct {
	start, last Month // of a quarter the first and the last month; otherwise the same
	swapped     Month // if day and month may be the other way round
	isShort     bool  // the year has two digits, which only a range makes a date
}

// inOrder returns the date with the month first if its month is none: 05/28/2019.
func (d date) inOrder(m Month) Month {
	if m.Month > 12 {
		return d.swapped
	}
	return m
}

// Period is a range of dates in a line.
type Period struct {
	Start, End  Month
	Current     bool
	First, Last int // the bytes [first, last) of the line
}

// FindPeriod returns the first range of dates in a line. A single date is not a range: it may mean anything.
func FindPeriod(line string) (Period, bool) {
	if !HasDigit(line) {
		return Period{}, false
	}
	tokens := words.Scan(line)
	searched := 0 // the end of the last range that runs backwards
	for at := range tokens {
		if tokens[at].First < searched || tokens[at].Kind == words.Space || isInsideNumber(tokens, at) {
			continue
		}
		p, ok := parsePeriod(tokens, at)
		if !ok {
			continue
		}
		if p.First > 0 && strings.ContainsRune("([", rune(line[p.First-1])) {
			p.First--
			if p.Last < len(line) && strings.ContainsRune(")]", rune(line[p.Last])) {
				p.Last++
			}
		}
		if p, ok := p.orderBy(line); ok {
			return p, true
		}
		searched = p.Last
	}
	if words.IsRightToLeft(line) {
		return findTurnedPeriod(tokens)
	}
	return Period{}, false
}

// HasPeriod reports whether a line has a range of dates.
func HasPeriod(line string) bool {
	_, ok := FindPeriod(line)
	return ok
}

// findTurnedPeriod returns the open range of a line read from the right, with its dash on the other side: "–Q3 2025".
func findTurnedPeriod(tokens []words.Token) (Period, bool) {
	for at := range tokens {
		isFirst := at == 0 || strings.ContainsAny(tokens[at-1].Text, "\t|(")
		if !isFirst || !IsMark(tokens, at, "-–—") {
			continue
		}
		d, next, ok := parseDate(tokens, words.SkipSpaces(tokens, at+1))
		if ok && (next == len(tokens) || strings.ContainsAny(tokens[next].Text, "\t|)")) {
			return Period{Start: d.inOrder(d.start), Current: true, First: tokens[at].First, Last: tokens[next-1].Last}, true
		}
	}
	return Period{}, false
}

// HasDigit reports whether a line has an ASCII digit, without which it has no date.
func HasDigit(line string) bool { return strings.ContainsAny(line, "0123456789") }

// orderBy returns the period with its earlier date first. A range that runs backwards is one only from right to left.
func (p Period) orderBy(line string) (Period, bool) {
	if p.Current || !p.End.Before(p.Start) || p.End.Year == p.Start.Year {
		return p, true
	}
	if words.IsRightToLeft(line) {
		p.Start, p.End = p.End, p.Start
		return p, true
	}
	return p, false
}

// parsePeriod parses a range that begins at a token: "from 2015 to 2019", "2019 –", "since 2019", "2019–22".
func parsePeriod(tokens []words.Token, at int) (Period, bool) {
	_, from := words.Vocabulary().SinceWords.Find(tokens, at)
	isSince := from > at
	if !isSince {
		_, from = words.Vocabulary().FromWords.Find(tokens, at)
	}
	start, next, ok := parseDate(tokens, words.SkipSpaces(tokens, from))
	if !ok {
		return Period{}, false
	}
	p := Period{Start: start.inOrder(start.start), First: tokens[at].First}
	if end, next, ok := parseEnd(tokens, next, start, at == 0); ok {
		p.End = end.inOrder(end.last)
		p.Current = end.last == Month{}
		p.Last = tokens[next-1].Last
		if end.swapped != (Month{}) && (start.start.Month > 12 || end.start.Month > 12) {
			p.End = end.swapped
			if start.swapped != (Month{}) {
				p.Start = start.swapped
			}
		}
		return p, p.Current || start.isShort == end.isShort || start.start.Month > 0
	}
	isFrom := from > at && isPart(tokens, at, next) // "from March 2019"
	after := words.SkipSpaces(tokens, next)
	_, ending := words.Vocabulary().SinceEndings.Find(tokens, after)
	isSince = isSince || isFrom || ending > after && isPart(tokens, at, ending)
	_, until := words.Vocabulary().UntilWords.Find(tokens, after)
	isUntil := until > after && isPart(tokens, at, until) // "2019 to", "(2019 to)"
	if isSince || isUntil || isOpen(tokens, next) {
		p.Current = true
		p.Last = openEnd(tokens, next, isSince)
		return p, true
	}
	return Period{}, false
}

// parseEnd parses the mark between the dates of a range and its second date, or a word
// for today, which gives the zero date. isFirst means that the range begins the line.
func parseEnd(tokens []words.Token, at int, start date, isFirst bool) (end date, next int, ok bool) {
	if year, next, ok := parseShortYear(tokens, at, start); ok {
		return singleDate(year, 0), next, true
	}
	after, ok := ParseRangeMark(tokens, at)
	if !ok {
		return date{}, at, false
	}
	if next, ok := parseToday(tokens, after, isFirst); ok {
		return date{}, next, true
	}
	_, after = words.Vocabulary().UntilWords.Find(tokens, after) // "– до 2020"
	after = words.SkipSpaces(tokens, after)
	if next, ok := parseToday(tokens, after, isFirst); ok {
		return date{}, next, true // "– bis heute"
	}
	return parseDate(tokens, after)
}

// parseToday skips a word for today. Some of them mean other things elsewhere, and count
// only where no other word follows, or the range begins the line.
func parseToday(tokens []words.Token, at int, isFirst bool) (next int, ok bool) {
	if _, next := words.Vocabulary().OpenWords.Find(tokens, at); next > at {
		return next, true
	}
	_, next = words.Vocabulary().TodayWords.Find(tokens, at)
	after := words.SkipSpaces(tokens, next)
	return next, next > at && (isFirst || after >= len(tokens) || tokens[after].Kind == words.Mark)
}

// ParseRangeMark skips the dash, arrow or word between two dates.
func ParseRangeMark(tokens []words.Token, at int) (next int, ok bool) {
	i := words.SkipSpaces(tokens, at)
	from := i
	for i < len(tokens) && tokens[i].Kind == words.Mark && strings.Contains("-–—−~〜～→⟶‒―‐>－ー", tokens[i].Text) {
		i++
	}
	if i == from {
		_, i = words.Vocabulary().UntilWords.Find(tokens, from)
	}
	if i == from || i > from+3 {
		return at, false
	}
	return words.SkipSpaces(tokens, i), true
}

// isOpen reports whether a dash ends the part with the dates: "2019 –", "(2019 – )".
func isOpen(tokens []words.Token, at int) bool {
	i := words.SkipSpaces(tokens, at)
	if i >= len(tokens) || tokens[i].Kind != words.Mark || tokens[i].Text == "ー" {
		return false
	}
	next, ok := ParseRangeMark(tokens, at)
	if !ok || next >= len(tokens) {
		return ok
	}
	behind := tokens[next].Text
	return strings.ContainsAny(behind, ")]\t|·•(,:：–—-") || words.IsLoneMark(behind)
}

// isPart reports whether tokens [from, next) are set apart from others in a line.
func isPart(tokens []words.Token, from, next int) bool {
	if from > 0 && tokens[from-1].Text == " " {
		from--
	}
	next = words.SkipSpaces(tokens, next)
	isFirst := from == 0 || strings.ContainsAny(tokens[from-1].Text, "\t([|·•")
	isLast := next >= len(tokens) || strings.ContainsAny(tokens[next].Text, ")]\t|·•(,") || words.IsLoneMark(tokens[next].Text)
	return isFirst && isLast
}

// openEnd returns the end of an open range in bytes. Of one without a mark, it is behind the spaces and the word that follow.
func openEnd(tokens []words.Token, at int, isSince bool) int {
	if next, ok := ParseRangeMark(tokens, at); ok && !isSince {
		for next > at && tokens[next-1].Kind == words.Space {
			next--
		}
		return tokens[next-1].Last
	}
	_, next := words.Vocabulary().SinceEndings.Find(tokens, words.SkipSpaces(tokens, at))
	return tokens[next-1].Last
}

// parseShortYear parses the second year of "2019–22", "2019 to 22" and "2019/20". "2019-05" is a month.
func parseShortYear(tokens []words.Token, at int, start date) (year, next int, ok bool) {
	i := words.SkipSpaces(tokens, at)
	k, ok := ParseRangeMark(tokens, at)
	if IsMark(tokens, i, "/") {
		k = words.SkipSpaces(tokens, i+1)
		ok = true
	}
	n, isShort := number(tokens, k, 2, 2)
	isRange := ok && isShort && !IsMark(tokens, k+1, "./-")
	if !isRange || start.start.Month != 0 || start.start.Year == 0 {
		return 0, at, false
	}
	after := words.SkipSpaces(tokens, k+1)
	isCount := tokens[i].Kind == words.Word && after < len(tokens) && tokens[after].Kind == words.Word // "2019 to 22 people"
	isMonth := tokens[i].Text == "-" && k == at+1 && n <= 12
	if isCount || isMonth || n <= start.start.Year%100 || n > start.start.Year%100+30 {
		return 0, at, false
	}
	return start.start.Year/100*100 + n, k + 1, true
}
