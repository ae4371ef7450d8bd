// Package rejoin joins what line breaks and gaps tear: words, addresses, dates and lists of facts.
package rejoin

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

var (
	unfinishedAddress = words.Expression(`(?i)(?:linkedin\.com|github\.com|https?:/|www\.)\S*[-/._]$|[\w.+-]+@(?:[\w-]+[.-])?$|linkedin\.com/?(?:in/?)?$`)
	addressTail       = words.Expression(`^[\w%./@-]+$`)
	unfinishedFact    = words.Expression(`\s[/&|·—–@]$`)
	// UnfinishedList matches a line that ends with the separator of a list.
	UnfinishedList = words.Expression(`\s[|·—–]$|,$`)
)

// LineEndHyphen is pdfium's mark for a hyphen at the end of a line.
const LineEndHyphen = "\u0002"

// Lines joins what line breaks split: hyphenated words, addresses, dates and
// lists of facts that end with their separator.
func Lines(lines []string) []string {
	var out []string
	for _, line := range lines {
		if n := len(out) - 1; n >= 0 {
			if joined, ok := rejoinPair(out[n], line); ok {
				out[n] = joined
				continue
			}
		}
		out = append(out, line)
	}
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], LineEndHyphen, "-")
	}
	return out
}

// rejoinPair joins two lines, and reports whether the second continues the first. The
// result is never longer than words.MaxLine.
func rejoinPair(a, b string) (string, bool) {
	if len(a)+len(b) >= words.MaxLine || facts.IsBullet(b) || heading.Is(b) {
		return "", false
	}
	switch {
	case strings.HasSuffix(a, LineEndHyphen):
		return joinHyphen(strings.TrimSuffix(a, LineEndHyphen), b), true
	case isTornAddress(a, b):
		return a + b, true
	case dates.IsTornPeriod(a, b):
		return a + " " + b, true
	case !facts.IsBullet(a) && (isUnfinishedList(a) || areTornBrackets(a, b)):
		return a + " " + b, true
	}
	return "", false
}

// isTornAddress reports whether the last word of a line and the first of the next are one address.
func isTornAddress(a, b string) bool {
	word := words.Last(a)
	rest := words.First(b)
	if addressTail().MatchString(rest) && unfinishedAddress().MatchString(word) && !strings.Contains(word+" "+rest, "@ @") {
		return true
	}
	isDomain := strings.HasPrefix(rest, "@") && strings.Contains(rest, ".")
	return isDomain && addressTail().MatchString(word) && !strings.Contains(word, "@")
}

// isUnfinishedList reports whether a line of facts ends with the separator of a list, and not within a range of dates.
func isUnfinishedList(line string) bool {
	if !UnfinishedList().MatchString(line) || facts.IsProse(line) {
		return false
	}
	return !EndsWithPeriodHead(line) && !dates.EndsWithRangeMark(line)
}

// areTornBrackets reports whether the next line closes the brackets that a line opens.
func areTornBrackets(a, b string) bool {
	isOpen := strings.Count(a, "(") > strings.Count(a, ")")
	return isOpen && strings.Contains(b, ")") && !strings.Contains(b, "(")
}

// IsTorn reports whether a fact continues in the line below: it ends with a mark or a short word
// that joins, its company's legal form is below, or half of a place's name.
func IsTorn(a, b string) bool {
	if len(a) > MaxText || len(b) > MaxText {
		return false
	}
	switch {
	case dates.EndsWithRangeMark(a) && dates.HasDigit(a):
		return false
	case unfinishedFact().MatchString(a), EndsWithShortWord(a), BeginsWithLegalForm(a, b):
		return true
	}
	next := facts.CommaGap().Split(b, 2)[0]
	gap := strings.LastIndexAny(a, ",·|\t")
	place := words.PlaceKey(a[gap+1:] + " " + next)
	return words.Vocabulary().Countries[place] != "" || words.Vocabulary().Cities[place] != ""
}

// BeginsWithLegalForm reports whether a line begins with the legal form of the company above.
func BeginsWithLegalForm(above, line string) bool {
	if facts.HasLegalForm(above) {
		return false
	}
	form := facts.CommaGap().Split(line, 2)[0]
	isShort := strings.HasSuffix(form, ".") && !strings.Contains(form, " ")
	return facts.IsLegalForm(form) || isShort && facts.HasLegalForm(above+" "+form)
}

// EndsWithShortWord reports whether the last of several words could be one that joins others, as "of".
func EndsWithShortWord(text string) bool {
	word := words.Last(text)
	if strings.HasSuffix(word, ".") || facts.IsLegalForm(word) {
		return false
	}
	return word != text && unicode.IsLower(words.FirstRune(word)) && utf8.RuneCountInString(word) <= 3
}

// joinHyphen joins two lines without the hyphen that divided a word. Inside an address,
// and before a capital letter or digit, the hyphen stays.
func joinHyphen(a, b string) string {
	next := words.FirstRune(b)
	word := words.Last(a)
	if strings.ContainsAny(word, "@/") || strings.HasPrefix(word, "www.") || unicode.IsUpper(next) || unicode.IsDigit(next) {
		return a + "-" + b
	}
	return a + b
}

// MaxText is how many bytes a line has at most to which more is joined; each join reads both sides, so long ones are not extended.
const MaxText = 4096

// Wrapped joins a line and its continuation; a word that was divided by a hyphen becomes one again.
func Wrapped(a, b string) string {
	if head, ok := strings.CutSuffix(a, LineEndHyphen); ok {
		return joinHyphen(head, b)
	}
	return a + " " + b
}

// EndsWithPeriodHead reports whether line ends with the first date of a range.
func EndsWithPeriodHead(line string) bool { return len(line) < MaxText && dates.EndsWithDate(line) }
