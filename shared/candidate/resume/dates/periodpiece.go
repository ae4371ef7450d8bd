package dates

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

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

// skipPeriodPart skips a number, a mark or a word of a range of dates.
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
	if isPeriodSign(tokens[at]) {
		return at + 1
	}
	return at
}

// isPeriodSign reports whether a token is a space, a short number or a mark that ranges of dates have.
func isPeriodSign(t words.Token) bool {
	switch t.Kind {
	case words.Space:
		return true
	case words.Number:
		return len(t.Text) <= 4
	case words.Mark:
		return strings.Contains("-–—−~〜～→.,'’/()·", t.Text)
	}
	return false
}

// IsClosedPeriod reports whether a text is a range of dates that does not continue below.
func IsClosedPeriod(text string) bool {
	return IsPeriod(text) && !EndsWithRangeMark(text) && strings.Count(text, "(") == strings.Count(text, ")")
}
