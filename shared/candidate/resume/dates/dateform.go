package dates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// parseDate parses a date that begins at a token, in one of the forms that resumes use.
func parseDate(tokens []words.Token, at int) (d date, next int, ok bool) {
	for _, parse := range []func([]words.Token, int) (d date, next int, ok bool){
		parseEraDate, parseQuarter, parseNamedMonth, parseYearFirst, parseNumericDate, parseSeason,
	} {
		if d, next, ok := parse(tokens, at); ok {
			return d, next, true
		}
	}
	return date{}, at, false
}

// SkipDate returns the index behind a date that begins at a token, and whether one does.
func SkipDate(tokens []words.Token, at int) (next int, ok bool) {
	_, next, ok = parseDate(tokens, at)
	return next, ok
}

func singleDate(year, month int) date {
	m := Month{year, month}
	return date{start: m, last: m}
}

func number(tokens []words.Token, at, least, most int) (value int, ok bool) {
	if !hasKind(tokens, at, words.Number) {
		return 0, false
	}
	digits := tokens[at].Text
	if len(digits) < least || len(digits) > most {
		return 0, false
	}
	value, _ = strconv.Atoi(digits)
	return value, true
}

func hasKind(tokens []words.Token, at int, kind words.TokenKind) bool {
	return at >= 0 && at < len(tokens) && tokens[at].Kind == kind
}

func isMonth(n int) bool { return n >= 1 && n <= 12 }

func isDay(n int) bool { return n >= 1 && n <= 31 }

func fourDigitYear(tokens []words.Token, at int) (int, bool) {
	year, ok := number(tokens, at, 4, 4)
	return year, ok && year >= 1900 && year < 2100
}

// IsMark reports whether the token at an index is one of these marks.
func IsMark(tokens []words.Token, at int, marks string) bool {
	return hasKind(tokens, at, words.Mark) && strings.Contains(marks, tokens[at].Text)
}

// isWord reports whether a token is a word of a list of rules.txt.
func isWord(tokens []words.Token, at int, list string) bool {
	return at < len(tokens) && tokens[at].Kind == words.Word && slices.Contains(words.Vocabulary().Rules[list], tokens[at].Text)
}

// parseNamedMonth parses "March 2019", "1. März 2019", "Mar '19", "Mar-19", "março de 2019" and "tháng 3/2019".
func parseNamedMonth(tokens []words.Token, at int) (d date, next int, ok bool) {
	i := at
	if _, isDay := number(tokens, i, 1, 2); isDay {
		i++
		if IsMark(tokens, i, ".") || isWord(tokens, i, "day-ending") {
			i++
		}
		_, i = words.Vocabulary().OfWords.Find(tokens, words.SkipSpaces(tokens, i))
		i = words.SkipSpaces(tokens, i)
	}
	month, i, ok := ParseMonthName(tokens, i)
	if !ok {
		return date{}, at, false
	}
	marked := false
	for k := 0; k < 4 && i < len(tokens); k++ {
		switch {
		case IsMark(tokens, i, ".,/’'-‘،"):
			marked = marked || !IsMark(tokens, i, ".,،")
			i++
		case tokens[i].Kind == words.Space:
			i++
		}
		_, i = words.Vocabulary().OfWords.Find(tokens, i)
	}
	if year, ok := fourDigitYear(tokens, i); ok {
		return singleDate(year, month), skipYearWord(tokens, i+1), true
	}
	year, ok := number(tokens, i, 2, 2)
	return singleDate(fullYear(year), month), i + 1, ok && marked
}

// ParseMonthName parses a month's name, also one with its ending ("мартом") or a number behind the word for month.
func ParseMonthName(tokens []words.Token, at int) (month, next int, ok bool) {
	if month, next := words.Vocabulary().MonthNames.Find(tokens, at); next > at {
		return month, next, true
	}
	if _, next := words.Vocabulary().MonthWords.Find(tokens, at); next > at {
		next = words.SkipSpaces(tokens, next)
		month, ok := number(tokens, next, 1, 2)
		return month, next + 1, ok && month >= 1 && month <= 12
	}
	return 0, at, false
}

// parseYearFirst parses "2019", "2019-03", "2019/03/01", "2019. március", "2019年3月" and "2019 Q3".
func parseYearFirst(tokens []words.Token, at int) (d date, next int, ok bool) {
	year, ok := fourDigitYear(tokens, at)
	if !ok {
		return date{}, at, false
	}
	return parseAfterYear(tokens, at+1, year)
}

func parseAfterYear(tokens []words.Token, at, year int) (d date, next int, ok bool) {
	i := at
	if isWord(tokens, words.SkipSpaces(tokens, i), "year-unspaced") {
		i = words.SkipSpaces(tokens, i) + 1
		k := words.SkipSpaces(tokens, i)
		sign := words.SkipSpaces(tokens, k+1)
		month, ok := number(tokens, k, 1, 2)
		hasMonth := ok && month <= 12 && isWord(tokens, sign, "month-unspaced")
		if !hasMonth {
			return singleDate(year, 0), i, true
		}
		day := words.SkipSpaces(tokens, sign+1)
		if _, ok := number(tokens, day, 1, 2); ok && isWord(tokens, day+1, "day-unspaced") {
			return singleDate(year, month), day + 2, true
		}
		return singleDate(year, month), sign + 1, true
	}
	if quarter, next, ok := parseQuarterName(tokens, words.SkipSpaces(tokens, i)); ok {
		return quarterOf(year, quarter), next, true
	}
	k := i
	for IsMark(tokens, k, ".,/-") || hasKind(tokens, k, words.Space) || isYearSign(tokens, k) {
		k++
	}
	if k > i && k < i+6 {
		month, next, ok := ParseMonthName(tokens, k)
		_, hasOwnYear := fourDigitYear(tokens, words.SkipSpaces(tokens, next)) // "2018 – Mar 2019" without its dash
		if ok && !hasOwnYear {
			if IsMark(tokens, next, ".") {
				next++
			}
			return singleDate(year, month), next, true
		}
	}
	if IsMark(tokens, i, "./-") {
		if month, next, ok := parseMonthNumber(tokens, i); ok {
			return singleDate(year, month), next, true
		}
	}
	return singleDate(year, 0), skipYearWord(tokens, i), true
}

// isYearSign reports whether a word for year is shortened: "2019 m. kovas".
func isYearSign(tokens []words.Token, at int) bool {
	return isWord(tokens, at, "year-sign") && IsMark(tokens, at+1, ".")
}

// parseMonthNumber parses the month behind a year and a mark, and its day if there is one. A dash needs two digits.
func parseMonthNumber(tokens []words.Token, at int) (month, next int, ok bool) {
	mark := tokens[at].Text
	k := at + 1
	if mark == "." {
		k = words.SkipSpaces(tokens, k)
	}
	month, _ = number(tokens, k, 1, 2)
	if !isMonth(month) || mark == "-" && len(tokens[k].Text) != 2 {
		return 0, at, false
	}
	_, isOfNextDate := fourDigitYear(tokens, k+2) // "2018-03/2019"
	if isOfNextDate && IsMark(tokens, k+1, "./") {
		return 0, at, false
	}
	k++
	if !IsMark(tokens, k, "./-") {
		return month, k, true
	}
	if day, ok := number(tokens, k+1, 1, 2); ok && day <= 31 {
		return month, k + 2, true
	}
	if tokens[k].Text == "." {
		k++
	}
	return month, k, true
}

// skipYearWord skips the word for year behind one: "2019 г.", "2019 р."
func skipYearWord(tokens []words.Token, at int) int {
	i := words.SkipSpaces(tokens, at)
	if isWord(tokens, i, "year-behind") && (IsMark(tokens, i+1, ".") || len(tokens[i].Text) > 2) {
		if IsMark(tokens, i+1, ".") {
			i++
		}
		return i + 1
	}
	return at
}

// parseNumericDate parses "03/2019", "01.03.2019" and "03/19".
func parseNumericDate(tokens []words.Token, at int) (d date, next int, ok bool) {
	a, ok := number(tokens, at, 1, 2)
	if !ok || !IsMark(tokens, at+1, "./-") {
		return date{}, at, false
	}
	i := at + 2
	if tokens[at+1].Text == "." {
		i = words.SkipSpaces(tokens, i)
	}
	if year, ok := fourDigitYear(tokens, i); ok {
		return singleDate(year, a), skipYearWord(tokens, i+1), a >= 1 && a <= 12
	}
	b, ok := number(tokens, i, 1, 2)
	if !ok {
		return date{}, at, false
	}
	if IsMark(tokens, i+1, tokens[at+1].Text) {
		k := i + 2
		if tokens[i+1].Text == "." {
			k = words.SkipSpaces(tokens, k)
		}
		year, ok := fourDigitYear(tokens, k)
		if !ok && tokens[at+1].Text != "-" {
			year, ok = number(tokens, k, 2, 2)
			year = fullYear(year)
		}
		d = singleDate(year, b)
		d.swapped = Month{year, a} // which is meant only if b is not a month
		return d, skipYearWord(tokens, k+1), ok && isDay(a) && isDay(b) && min(a, b) <= 12
	}
	isOther := IsMark(tokens, i+1, ".") || tokens[at+1].Text == "-"
	if isOther || len(tokens[i].Text) != 2 || !isMonth(a) {
		return date{}, at, false
	}
	d = singleDate(fullYear(b), a)
	d.isShort = true
	return d, i + 1, true
}

// parseEraDate parses the years of Japanese and Taiwanese eras: "平成31年4月".
func parseEraDate(tokens []words.Token, at int) (d date, next int, ok bool) {
	before, era := words.Vocabulary().Eras.Find(tokens, at)
	i := words.SkipSpaces(tokens, era)
	year, ok := number(tokens, i, 1, 3)
	if isWord(tokens, i, "first-year") {
		year = 1
		ok = true
	}
	if !ok || era == at {
		return date{}, at, false
	}
	return parseAfterYear(tokens, i+1, before+year)
}

// parseSeason parses "Summer 2019" as its year.
func parseSeason(tokens []words.Token, at int) (d date, next int, ok bool) {
	_, season := words.Vocabulary().Seasons.Find(tokens, at)
	i := words.SkipSpaces(tokens, season)
	year, ok := fourDigitYear(tokens, i)
	return singleDate(year, 0), i + 1, ok && season > at
}

func fullYear(year int) int {
	if year >= 60 {
		return 1900 + year
	}
	return 2000 + year
}

// FindDate returns the first date in a line, which may be a single one, and its bytes.
func FindDate(line string) (m Month, first, last int, ok bool) {
	if !HasDigit(line) {
		return Month{}, 0, 0, false
	}
	tokens := words.Scan(line)
	for at := range tokens {
		d, next, ok := parseDate(tokens, at)
		isOther := d.isShort || isInsideNumber(tokens, at)
		if ok && !isOther {
			return d.inOrder(d.last), tokens[at].First, tokens[next-1].Last, true
		}
	}
	return Month{}, 0, 0, false
}

// isInsideNumber reports whether the number before continues: the 03 of "12.03.2019".
func isInsideNumber(tokens []words.Token, at int) bool {
	return IsMark(tokens, at-1, "./-") && at > 1 && tokens[at-2].Kind == words.Number
}
