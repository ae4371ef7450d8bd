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

const (
	// LineEndHyphen is pdfium's mark for a hyphen at the end of a line.
	LineEndHyphen = "\u0002"
	// MaxText is how many bytes a line has at most to which more is joined: each join reads both sides.
	MaxText = 4096
	// MaxDateLines bounds the lines over which a narrow cell spreads a range of dates.
	MaxDateLines = 5

	maxGaps = 8 // of a line that is searched for the halves of ranges
)

// Lines joins what line breaks split: hyphenated words, addresses, dates and lists of facts that end with their separator.
func Lines(lines []string) []string {
	out := words.Merge(lines, rejoinPair)
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], LineEndHyphen, "-")
	}
	return out
}

// rejoinPair joins two lines, up to words.MaxLine, and reports whether the second continues the first.
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
	isList := UnfinishedList().MatchString(line) && !facts.IsProse(line)
	isRange := dates.EndsWithDate(line) || dates.EndsWithRangeMark(line)
	return isList && !isRange
}

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

// Wrapped joins a line and its continuation; a word that was divided by a hyphen becomes one again.
func Wrapped(a, b string) string {
	if head, ok := strings.CutSuffix(a, LineEndHyphen); ok {
		return joinHyphen(head, b)
	}
	return a + " " + b
}

// Dates joins the lines over which a page spreads a range of dates: "Mar 2019" and "– Present", or two dates without a mark between them.
func Dates(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); {
		text, n := joinDateLine(lines[i:min(len(lines), i+MaxDateLines)])
		if at := i + n; n == 1 && at < len(lines) && (isTornDate(text, lines[at]) || isTornMonth(text, lines[at])) {
			text = text + " " + lines[at]
			n = 2
		}
		out = append(out, text)
		i += n
	}
	return out
}

// isTornDate reports whether a line ends within a range of dates, with its year as the line below: "Acme · Feb 2014 – Aug", "2017".
func isTornDate(line, below string) bool {
	if len(below) > len("'2017 ") || len(line) > words.MaxLine || facts.IsBullet(line) {
		return false
	}
	if !dates.HasDigit(below) || !dates.HasDigit(line) {
		return false
	}
	if p, dated := dates.FindPeriod(line); dated && p.Last == len(line) {
		return false
	}
	p, dated := dates.FindPeriod(line + " " + below)
	endsBelow := p.First < len(line) && p.Last == len(line)+1+len(below)
	return dated && endsBelow && !p.Current
}

// isTornMonth reports whether a line ends with the first month of the range of dates with which the
// line below begins: "Engineer, Acme July", "2020 – Feb 2022".
func isTornMonth(line, below string) bool {
	p, dated := dates.FindPeriod(below)
	beginsWithYear := dated && p.First == 0 && p.Start.Month == 0
	if !beginsWithYear || len(line)+len(below) > words.MaxLine || facts.IsProse(line) {
		return false
	}
	month := words.Last(line)
	whole, dated := dates.FindPeriod(line + " " + below)
	return dated && len(month) < len(line) && whole.First == len(line)-len(month) && whole.Start.Year == p.Start.Year
}

// joinDateLine returns the first line, or the range that begins with it, and how many lines it takes. Two dates in the
// line that only a gap parts are a range.
func joinDateLine(lines []string) (text string, taken int) {
	text = lines[0]
	if len(text) <= words.MaxLine && strings.Contains(text, "\t") {
		parts := words.Merge(strings.Split(text, "\t"), func(a, b string) (string, bool) {
			pair, ok := joinWholeDates(a, b)
			return pair, ok && dates.HasDigit(a)
		})
		text = strings.Join(parts, "\t")
	}
	isOpen := dates.HasDigit(text) && dates.IsPeriodPiece(text) && !dates.IsClosedPeriod(text)
	if !isOpen {
		return text, 1
	}
	for i, line := range lines[1:] {
		if !dates.IsPeriodPiece(line) {
			break
		}
		if i == 0 {
			if pair, ok := joinWholeDates(text, line); ok {
				return pair, 2
			}
		}
		text += " " + line
		if dates.IsClosedPeriod(text) {
			return text, i + 2
		}
	}
	return lines[0], 1
}

// PeriodHalves joins the halves of a range of dates that only a gap parts: "04/2022" and "– Present".
func PeriodHalves(line string) string {
	if gaps := strings.Count(line, "\t"); gaps == 0 || gaps > maxGaps {
		return line
	}
	parts := words.Merge(strings.Split(line, "\t"), func(a, b string) (string, bool) {
		isPeriod := dates.EndsWithDate(a) && dates.BeginsWithPeriodEnd(b) || dates.IsTornPeriod(a, b)
		return a + " " + b, isPeriod
	})
	return strings.Join(parts, "\t")
}

func joinWholeDates(a, b string) (pair string, ok bool) {
	pair = a + " – " + b
	return pair, dates.IsWholeDate(a) && dates.IsWholeDate(b) && dates.IsPeriod(pair)
}
