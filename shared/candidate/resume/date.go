package resume

import (
	"fmt"
	"strconv"
	"strings"
)

// Month is a month of a year. Month 0 means that only the year is known; the zero
// value means no date.
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

func (d date) first() Month  { return d.inOrder(d.start) }
func (d date) latest() Month { return d.inOrder(d.last) }

// inOrder returns the date with the month first if its month is none: 05/28/2019.
func (d date) inOrder(m Month) Month {
	if m.Month > 12 {
		return d.swapped
	}
	return m
}

// period is a range of dates in a line.
type period struct {
	start, end  Month
	current     bool
	first, last int // the bytes [first, last) of the line
}

// findPeriod returns the first range of dates in a line. A single date is no range: it
// may mean anything.
func findPeriod(line string) (period, bool) {
	if !hasDigit(line) {
		return period{}, false
	}
	tokens := scanTokens(line)
	for at := range tokens {
		if tokens[at].kind == spaceToken || isInsideNumber(tokens, at) {
			continue
		}
		if p, ok := parsePeriod(tokens, at); ok {
			p.first, p.last = widenBrackets(line, p.first, p.last)
			return p.orderBy(line)
		}
	}
	if isRightToLeft(line) {
		return findTurnedPeriod(tokens)
	}
	return period{}, false
}

// findTurnedPeriod returns the open range of a line that is read from the right, and has its dash on
// the other side of the date: "–Q3 2025".
func findTurnedPeriod(tokens []token) (period, bool) {
	for at := range tokens {
		if !isMark(tokens, at, "-–—") || at > 0 && !strings.ContainsAny(tokens[at-1].text, "\t|(") {
			continue
		}
		if d, next, ok := parseDate(tokens, skipSpaces(tokens, at+1)); ok && (next == len(tokens) || strings.ContainsAny(tokens[next].text, "\t|)")) {
			return period{start: d.first(), current: true, first: tokens[at].first, last: tokens[next-1].last}, true
		}
	}
	return period{}, false
}

func hasDigit(line string) bool { return strings.ContainsAny(line, "0123456789") }

// orderBy returns the period with its earlier date first. Lines from right to left may have
// it last; elsewhere a range that runs backwards is none.
func (p period) orderBy(line string) (period, bool) {
	if p.current || !p.end.Before(p.start) || p.end.Year == p.start.Year {
		return p, true
	}
	if isRightToLeft(line) {
		p.start, p.end = p.end, p.start
		return p, true
	}
	return p, false
}

// widenBrackets adds the brackets around a period to it.
func widenBrackets(line string, first, last int) (int, int) {
	if first > 0 && strings.ContainsRune("([", rune(line[first-1])) {
		first--
		if last < len(line) && strings.ContainsRune(")]", rune(line[last])) {
			last++
		}
	}
	return first, last
}

// parsePeriod parses a range that begins at a token: "from 2015 to 2019", "2019 –",
// "since 2019", "2019–22".
func parsePeriod(tokens []token, at int) (period, bool) {
	from := at
	_, since := vocabulary().sinceWords.find(tokens, at)
	isSince := since > at
	if isSince {
		from = skipSpaces(tokens, since)
	} else if _, next := vocabulary().fromWords.find(tokens, at); next > at {
		from = skipSpaces(tokens, next)
	}
	start, next, ok := parseDate(tokens, from)
	if !ok {
		return period{}, false
	}
	p := period{start: start.first(), first: tokens[at].first}
	if end, next, ok := parseEnd(tokens, next, start, at == 0); ok {
		p.end, p.current, p.last = end.latest(), end.last == Month{}, tokens[next-1].last
		if end.swapped != (Month{}) && (start.start.Month > 12 || end.start.Month > 12) {
			p.start, p.end = start.swapped, end.swapped
		}
		return p, p.current || start.isShort == end.isShort || start.start.Month > 0
	}
	isFrom := from > at && isPart(tokens, at, next) // "from March 2019"
	_, ending := vocabulary().sinceEndings.find(tokens, skipSpaces(tokens, next))
	isSince = isSince || isFrom || ending > next && isPart(tokens, at, ending)
	if isSince || isOpen(tokens, next) || isOpenWord(tokens, at, next) {
		p.current, p.last = true, openEnd(tokens, next, isSince)
		return p, true
	}
	return period{}, false
}

// parseEnd parses the mark between the dates of a range and its second date, or a word
// for today, which gives the zero date. isFirst tells that the range begins the line.
func parseEnd(tokens []token, at int, start date, isFirst bool) (end date, next int, ok bool) {
	if year, next, ok := parseShortYear(tokens, at, start); ok {
		return date{start: Month{Year: year}, last: Month{Year: year}}, next, true
	}
	after, ok := parseRangeMark(tokens, at)
	if !ok {
		i := skipSpaces(tokens, at)
		_, next := vocabulary().openWords.find(tokens, i)
		return date{}, next, next > i && isUnspacedWord(tokens[i]) // 2019年3月至今
	}
	if next, ok := parseToday(tokens, after, isFirst); ok {
		return date{}, next, true
	}
	if _, next := vocabulary().untilWords.find(tokens, after); next > after {
		after = skipSpaces(tokens, next) // "– до 2020"
	}
	if next, ok := parseToday(tokens, after, isFirst); ok {
		return date{}, next, true // "– bis heute"
	}
	return parseDate(tokens, after)
}

// parseToday skips a word for today. Some of them mean other things elsewhere, and count
// only where no other word follows, or the range begins the line.
func parseToday(tokens []token, at int, isFirst bool) (next int, ok bool) {
	if _, next := vocabulary().openWords.find(tokens, at); next > at {
		return skipAfterToday(tokens, next), true
	}
	_, next = vocabulary().todayWords.find(tokens, at)
	after := skipSpaces(tokens, next)
	return next, next > at && (isFirst || after >= len(tokens) || tokens[after].kind == markToken)
}

func isUnspacedWord(t token) bool {
	return t.kind == wordToken && isUnspaced([]rune(t.text)[0])
}

// skipAfterToday skips what belongs to a word for today: "до н.в.", "2019 से अब तक", "現在まで".
func skipAfterToday(tokens []token, at int) int {
	next := skipSpaces(tokens, at)
	if next < len(tokens) && (tokens[next].text == "तक" || tokens[next].text == "ま" && next+1 < len(tokens)) {
		return next + 1
	}
	return at
}

// parseRangeMark skips the dash, arrow or word between two dates.
func parseRangeMark(tokens []token, at int) (next int, ok bool) {
	i := skipSpaces(tokens, at)
	from := i
	for i < len(tokens) && tokens[i].kind == markToken && strings.Contains("-–—−~〜～→⟶‒―‐>－ー", tokens[i].text) {
		i++
	}
	if i == from {
		_, i = vocabulary().untilWords.find(tokens, from)
	}
	if i == from || i > from+3 {
		return at, false
	}
	return skipSpaces(tokens, i), true
}

// isOpen reports whether a dash ends what is said of the dates: "2019 –", "(2019 – )".
func isOpen(tokens []token, at int) bool {
	i := skipSpaces(tokens, at)
	if i >= len(tokens) || tokens[i].kind != markToken || tokens[i].text == "ー" {
		return false
	}
	next, ok := parseRangeMark(tokens, at)
	return ok && (next >= len(tokens) || strings.ContainsAny(tokens[next].text, ")]\t|·•(,:：–—-") || isLoneMark(tokens[next].text))
}

// isOpenWord reports whether a word for "to" ends what is said of dates that stand apart: "2019 to", "(2019 to)".
func isOpenWord(tokens []token, from, at int) bool {
	_, next := vocabulary().untilWords.find(tokens, skipSpaces(tokens, at))
	return next > at && isPart(tokens, from, next)
}

// isPart reports whether tokens [from, next) stand apart from others in a line.
func isPart(tokens []token, from, next int) bool {
	if from > 0 && tokens[from-1].text == " " {
		from--
	}
	next = skipSpaces(tokens, next)
	return (from == 0 || strings.ContainsAny(tokens[from-1].text, "\t([|·•")) &&
		(next >= len(tokens) || strings.ContainsAny(tokens[next].text, ")]\t|·•(,") || isLoneMark(tokens[next].text))
}

// openEnd returns the end of an open range in bytes.
func openEnd(tokens []token, at int, isSince bool) int {
	if next, ok := parseRangeMark(tokens, at); ok && !isSince {
		for next > at && tokens[next-1].kind == spaceToken {
			next--
		}
		return tokens[next-1].last
	}
	if _, next := vocabulary().sinceEndings.find(tokens, skipSpaces(tokens, at)); next > at {
		return tokens[next-1].last
	}
	return tokens[at-1].last
}

// parseShortYear parses the second year of "2019–22", "2019 to 22" and "2019/20". "2019-05" is a month.
func parseShortYear(tokens []token, at int, start date) (year, next int, ok bool) {
	i := skipSpaces(tokens, at)
	k, ok := parseRangeMark(tokens, at)
	if isMark(tokens, i, "/") {
		k, ok = skipSpaces(tokens, i+1), true
	}
	n, isShort := number(tokens, k, 2, 2)
	if !ok || !isShort || start.start.Month != 0 || start.start.Year == 0 || isMark(tokens, k+1, "./-") {
		return 0, at, false
	}
	after := skipSpaces(tokens, k+1)
	isCount := tokens[i].kind == wordToken && after < len(tokens) && tokens[after].kind == wordToken // "2019 to 22 people"
	isMonth := tokens[i].text == "-" && k == at+1 && n <= 12
	if isCount || isMonth || n <= start.start.Year%100 || n > start.start.Year%100+30 {
		return 0, at, false
	}
	return start.start.Year/100*100 + n, k + 1, true
}
