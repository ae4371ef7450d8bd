package dates

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// IsPeriodPiece reports whether a text has nothing but parts of a range of
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

// skipPeriodPart skips a number, a mark or a word of a range of
func skipPeriodPart(tokens []words.Token, at int) int {
	if _, next, ok := ParseMonthName(tokens, at); ok {
		return next
	}
	v := words.Vocabulary()
	for _, words := range []words.Phrases{v.UntilWords, v.SinceWords, v.SinceEndings, v.FromWords, v.OpenWords, v.TodayWords, v.Seasons, v.OfWords, v.MonthWords, v.TimeUnits} {
		if _, next := words.Find(tokens, at); next > at {
			return next
		}
	}
	if t := tokens[at]; t.Kind == words.Space || t.Kind == words.Number && len(t.Text) <= 4 || t.Kind == words.Mark && strings.Contains("-–—−~〜～→.,'’/()·", t.Text) {
		return at + 1
	}
	return at
}

// IsClosedPeriod reports whether a text is a range of dates that does not go on below.
func IsClosedPeriod(text string) bool {
	return IsPeriod(text) && !EndsWithRangeMark(text) && strings.Count(text, "(") == strings.Count(text, ")")
}
