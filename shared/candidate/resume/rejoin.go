package resume

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	unfinishedAddress = expression(`(?i)(?:linkedin\.com|github\.com|https?:/|www\.)\S*[-/._]$|[\w.+-]+@(?:[\w-]+[.-])?$`)
	unfinishedProfile = expression(`(?i)linkedin\.com/?(?:in/?)?$`)
	addressTail       = expression(`^[\w%./@-]+$`)
	addressOnly       = expression(`(?i)^\S*(?:@\S+|linkedin\.com/\S+|github\.com/\S+)$`)
	addressEnd        = expression(`^[a-z0-9]{1,6}$`)
	unfinishedFact    = expression(`\s[/&|·—–@]$`)
	unfinishedList    = expression(`\s[|·—–]$|,$`)
)

// lineEndHyphen is pdfium's mark for a hyphen at the end of a line.
const lineEndHyphen = "\u0002"

// rejoinLines joins what line breaks split: hyphenated words, addresses, dates and
// lists of facts that end with their separator.
func rejoinLines(lines []string) []string {
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
		out[i] = strings.ReplaceAll(out[i], lineEndHyphen, "-")
	}
	return out
}

// rejoinPair joins two lines, and reports whether the second continues the first. The
// result is never longer than maxLine.
func rejoinPair(a, b string) (string, bool) {
	if len(a)+len(b) >= maxLine || isBullet(b) || isHeading(b) {
		return "", false
	}
	word, rest := lastWord(a), firstWord(b)
	switch {
	case strings.HasSuffix(a, lineEndHyphen):
		return joinHyphen(strings.TrimSuffix(a, lineEndHyphen), b), true
	case strings.Contains(a, lineEndHyphen+"\t") && startsLower(b):
		return joinCell(a, b), true
	case (unfinishedAddress().MatchString(word) || unfinishedProfile().MatchString(word)) && addressTail().MatchString(rest) && !strings.Contains(word+" "+rest, "@ @"):
		return a + b, true
	case strings.HasPrefix(rest, "@") && len(rest) > 1 && strings.Contains(rest, ".") && addressTail().MatchString(word) && !strings.Contains(word, "@"):
		return a + b, true
	case addressOnly().MatchString(a) && addressEnd().MatchString(b):
		return a + b, true
	case isTornPeriod(a, b):
		return a + " " + b, true
	case unfinishedList().MatchString(a) && !isBullet(a) && !isProse(a) && !endsWithPeriodHead(a) && !endsWithRangeMark(a[max(0, len(a)-100):]):
		return a + " " + b, true
	case strings.Count(a, "(") > strings.Count(a, ")") && !strings.Contains(b, "(") && strings.Contains(b, ")") && !isBullet(a):
		return a + " " + b, true
	}
	return "", false
}

// isTorn reports whether a fact goes on in the line below: it ends with a mark or a short word that
// joins, its company's legal form is below, or half of a place's name.
func isTorn(a, b string) bool {
	if len(a) > maxSpanText || len(b) > maxSpanText {
		return false
	}
	switch {
	case endsWithRangeMark(a) && hasDigit(a):
		return false
	case unfinishedFact().MatchString(a), endsWithShortWord(a):
		return true
	case beginsWithLegalForm(a, b):
		return true
	}
	next := commaGap().Split(b, 2)[0]
	gap := strings.LastIndexAny(a, ",·|\t")
	place := placeKey(a[gap+1:] + " " + next)
	return vocabulary().countries[place] != "" || vocabulary().cities[place] != ""
}

// beginsWithLegalForm reports whether a line begins with the legal form of the company above.
func beginsWithLegalForm(above, line string) bool {
	form := commaGap().Split(line, 2)[0]
	return (isLegalForm(form) || !strings.Contains(form, " ") && strings.HasSuffix(form, ".") && hasLegalForm(above+" "+form)) && !hasLegalForm(above)
}

// endsWithShortWord reports whether the last of several words could be one that joins others, as "of".
func endsWithShortWord(text string) bool {
	word := lastWord(text)
	return word != text && startsLower(word) && utf8.RuneCountInString(word) <= 3 && !isLegalForm(word) && !strings.HasSuffix(word, ".")
}

// joinHyphen joins two lines without the hyphen that divided a word. Inside an address,
// and before a capital letter or digit, the hyphen stays.
func joinHyphen(a, b string) string {
	next, _ := utf8.DecodeRuneInString(b)
	word := lastWord(a)
	if strings.ContainsAny(word, "@/") || strings.HasPrefix(word, "www.") || unicode.IsUpper(next) || unicode.IsDigit(next) {
		return a + "-" + b
	}
	return a + b
}

// joinCell continues the cell of a that ends with a hyphen with the first cell of b, whose others
// come last.
func joinCell(a, b string) string {
	cell, right, _ := strings.Cut(a, lineEndHyphen+"\t")
	next, rest, more := strings.Cut(b, "\t")
	joined := joinHyphen(cell, next) + "\t" + right
	if more {
		joined += "\t" + rest
	}
	return joined
}

func startsLower(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(first)
}

func lastWord(s string) string {
	s = s[max(0, len(s)-maxLine):]
	return s[strings.LastIndexAny(s, " \t")+1:]
}

func firstWord(s string) string {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i]
	}
	return s
}
