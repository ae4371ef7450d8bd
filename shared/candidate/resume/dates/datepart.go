package dates

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// IsPeriod reports whether a text is a range of dates, with its duration if any.
func IsPeriod(text string) bool {
	p, ok := FindPeriod(text)
	if !ok {
		return false
	}
	rest := strings.Trim(text[:p.First]+text[p.Last:], " .,·()")
	return rest == "" || IsDuration(rest)
}

// IsTornPeriod reports whether a line ends within a range of dates that the next line continues: "Jul 2018 –", "Jun 2021".
func IsTornPeriod(a, b string) bool {
	_, ok := parsePeriodEnd(words.Scan(b), 0)
	return ok && EndsWithRangeMark(a)
}

func parsePeriodEnd(tokens []words.Token, at int) (next int, ok bool) {
	if _, next, ok := parseDate(tokens, at); ok {
		return next, true
	}
	return parseToday(tokens, at, false)
}

// Tokens that are looked at for the end of a line.
const (
	maxDateTokens = 8 // of a date
	maxMarkTokens = 4 // of a dash or a word for until, with the spaces around it
)

// EndsWithRangeMark reports whether a line ends with a date and a dash or word for until.
func EndsWithRangeMark(line string) bool {
	return endsWithDate(line, maxDateTokens+maxMarkTokens, ParseRangeMark)
}

// EndsWithDate reports whether a line ends with a date.
func EndsWithDate(line string) bool {
	return endsWithDate(line, maxDateTokens, func(_ []words.Token, at int) (int, bool) { return at, true })
}

// endsWithDate reports whether one of the last tokens of a line begins a date behind which nothing is but what skip skips.
// It reads the last 100 bytes, and no date is as long.
func endsWithDate(line string, last int, skip func([]words.Token, int) (next int, ok bool)) bool {
	tokens := words.Scan(line[max(0, len(line)-100):])
	for at := max(0, len(tokens)-last); at < len(tokens); at++ {
		if _, next, ok := parseDate(tokens, at); ok {
			if after, ok := skip(tokens, next); ok && after == len(tokens) {
				return true
			}
		}
	}
	return false
}

// BeginsWithPeriodEnd reports whether a line begins with the second half of a range: "– Jun 2021".
func BeginsWithPeriodEnd(line string) bool {
	tokens := words.Scan(line)
	next, ok := ParseRangeMark(tokens, 0)
	if !ok || tokens[0].Kind != words.Mark {
		return false
	}
	_, ok = parsePeriodEnd(tokens, next)
	return ok
}

// IsWholeDate reports whether a line is a date, or a word for today, and nothing else.
func IsWholeDate(line string) bool {
	tokens := words.Scan(line)
	next, ok := parsePeriodEnd(tokens, 0)
	return ok && next == len(tokens)
}

// IsDuration reports whether a piece of a line says how long something lasted: "2 years 4 months", "1 Jahr", "3年2か月".
func IsDuration(piece string) bool {
	tokens := words.Scan(piece)
	found := false
	for at := 0; at < len(tokens); {
		switch {
		case tokens[at].Kind == words.Number && len(tokens[at].Text) <= 2:
			i := at + 1
			if IsMark(tokens, i, ".,") { // 2.5 years
				i += 2
			}
			i = words.SkipSpaces(tokens, i)
			_, next := words.Vocabulary().TimeUnits.Find(tokens, i)
			if next == i {
				return false
			}
			found = true
			at = next
		case tokens[at].Kind == words.Word && !isWord(tokens, at, "duration-and"):
			return false
		default:
			at++
		}
	}
	return found
}

// IsPeriodPiece reports whether a text has nothing but parts of a range of dates.
func IsPeriodPiece(text string) bool {
	if len(text) > 60 {
		return false
	}
	tokens := words.Scan(text)
	for at := 0; at < len(tokens); {
		next := skipPeriodPart(tokens, at)
		if next == at {
			return false
		}
		at = next
	}
	return len(tokens) > 0
}

// skipPeriodPart skips a space, a short number, a mark or a word of a range of dates.
func skipPeriodPart(tokens []words.Token, at int) int {
	if _, next, ok := ParseMonthName(tokens, at); ok {
		return next
	}
	v := words.Vocabulary()
	for _, phrases := range []*words.Phrases{
		&v.UntilWords, &v.SinceWords, &v.SinceEndings, &v.FromWords, &v.OpenWords,
		&v.TodayWords, &v.Seasons, &v.OfWords, &v.MonthWords, &v.TimeUnits,
	} {
		if _, next := phrases.Find(tokens, at); next > at {
			return next
		}
	}
	t := tokens[at]
	isNumber := t.Kind == words.Number && len(t.Text) <= 4
	if isNumber || t.Kind == words.Space || IsMark(tokens, at, "-–—−~〜～→.,'’/()·") {
		return at + 1
	}
	return at
}

// IsClosedPeriod reports whether a text is a range of dates that does not continue below.
func IsClosedPeriod(text string) bool {
	return IsPeriod(text) && !EndsWithRangeMark(text) && strings.Count(text, "(") == strings.Count(text, ")")
}

// parseQuarter parses "Q3 2019" and "3. Quartal 2019".
func parseQuarter(tokens []words.Token, at int) (d date, next int, ok bool) {
	quarter, i, isQuarter := parseQuarterName(tokens, at)
	for isQuarter && (IsMark(tokens, i, "/'’-") || hasKind(tokens, i, words.Space)) {
		i++
	}
	year, isYear := fourDigitYear(tokens, i)
	return quarterOf(year, quarter), i + 1, isQuarter && isYear
}

func parseQuarterName(tokens []words.Token, at int) (quarter, next int, ok bool) {
	if isWord(tokens, at, "quarter-before") {
		quarter, ok = number(tokens, at+1, 1, 1)
		return quarter, at + 2, ok && quarter >= 1 && quarter <= 4
	}
	quarter, ok = number(tokens, at, 1, 1)
	i := at + 1
	if IsMark(tokens, i, ".") {
		i++
	}
	i = words.SkipSpaces(tokens, i)
	isNamed := isWord(tokens, i, "quarter-behind")
	return quarter, i + 1, ok && isNamed && quarter >= 1 && quarter <= 4
}

func quarterOf(year, quarter int) date {
	return date{start: Month{year, 3*quarter - 2}, last: Month{year, 3 * quarter}}
}
