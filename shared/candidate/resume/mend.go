package resume

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	tornAddress = regexp.MustCompile(`(?i)(?:linkedin\.com|github\.com|https?:/|www\.)\S*[-/._]$|[\w.+-]+@(?:[\w-]+[.-])?$`)
	tornProfile = regexp.MustCompile(`(?i)linkedin\.com/?(?:in/?)?$`)
	addressRest = regexp.MustCompile(`^[\w%./@-]+$`)
	tornPeriod  = regexp.MustCompile(`(?i)(?:` + point + `)\s*(?:-|–|—|to)$`)
	periodHead  = regexp.MustCompile(`(?i)(?:^|[|·•,\s])` + point + `$`)
	periodTail  = regexp.MustCompile(`(?i)^[-–—]\s*(?:` + point + `|` + open + `)\b`)
	periodRest  = regexp.MustCompile(`(?i)^(?:` + point + `|` + open + `)\b`)
	tornCell    = regexp.MustCompile(`(?i)(?:` + point + `)\s*(?:-|–|—|to)(?:\s+` + monthName + `\.?)?$|^` + monthName + `\.?$`)
	cellRest    = regexp.MustCompile(`(?i)^(?:` + point + `|` + open + `)$`)
	addressOnly = regexp.MustCompile(`(?i)^\S*(?:@\S+|linkedin\.com/\S+|github\.com/\S+)$`)
	addressEnd  = regexp.MustCompile(`^[a-z0-9]{1,6}$`)
	tornList    = regexp.MustCompile(`\s[|·—–]$|,$`)
)

// tornHyphen is pdfium's mark for a hyphen at the end of a line.
const tornHyphen = "\u0002"

// mendLines joins what the end of a line tore: hyphenated words, addresses, dates
// and lists of facts that end with their separator.
func mendLines(lines []string) []string {
	var out []string
	for _, line := range lines {
		if n := len(out) - 1; n >= 0 {
			if joined, ok := mend(out[n], line); ok && len(joined) <= maxLine {
				out[n] = joined
				continue
			}
		}
		out = append(out, line)
	}
	for i := range out {
		out[i] = strings.ReplaceAll(out[i], tornHyphen, "-")
	}
	return out
}

// mend joins two lines if the second goes on where the end of the line tore the first.
func mend(a, b string) (string, bool) {
	if isBullet(b) {
		return "", false
	}
	if _, ok := headingOf(b); ok {
		return "", false
	}
	word, rest := lastWord(a), firstWord(b)
	switch {
	case strings.HasSuffix(a, tornHyphen):
		return joinHyphen(strings.TrimSuffix(a, tornHyphen), b), true
	case (tornAddress.MatchString(word) || tornProfile.MatchString(word)) && addressRest.MatchString(rest) && !strings.Contains(word+" "+rest, "@ @"):
		return a + b, true
	case strings.HasPrefix(rest, "@") && len(rest) > 1 && strings.Contains(rest, ".") && addressRest.MatchString(word) && !strings.Contains(word, "@"):
		return a + b, true
	case addressOnly.MatchString(a) && addressEnd.MatchString(b):
		return a + b, true
	case tornPeriod.MatchString(a) && periodRest.MatchString(b):
		return a + " " + b, true
	case tornList.MatchString(a) && !isBullet(a) && !isProse(a):
		return a + " " + b, true
	case strings.Count(a, "(") > strings.Count(a, ")") && !strings.Contains(b, "(") && strings.Contains(b, ")") && !isBullet(a):
		return a + " " + b, true
	}
	return "", false
}

// joinHyphen drops the hyphen that only divided a word. Inside an address, and before a capital letter, it was written.
func joinHyphen(a, b string) string {
	next, _ := utf8.DecodeRuneInString(b)
	word := lastWord(a)
	if strings.ContainsAny(word, "@/") || strings.HasPrefix(word, "www.") || unicode.IsUpper(next) || unicode.IsDigit(next) {
		return a + "-" + b
	}
	return a + b
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

// mendCells joins the halves of a range of dates that a narrow cell tore, and with
// them the other cells of that row; the first column stays, since it may have
// lines of its own.
func mendCells(lines [][]span) [][]span {
	for i := 0; i+1 < len(lines); i++ {
		for k, s := range lines[i] {
			if !tornCell.MatchString(s.text) {
				continue
			}
			if rest := under(lines[i+1], s); rest >= 0 && cellRest.MatchString(lines[i+1][rest].text) {
				for m := range lines[i] {
					if rest := under(lines[i+1], lines[i][m]); rest >= 0 && (m == k || m > 0 && len(lines[i]) > 2) {
						lines[i][m].text += " " + lines[i+1][rest].text
						lines[i+1] = slices.Delete(slices.Clone(lines[i+1]), rest, rest+1)
					}
				}
				break
			}
		}
	}
	return slices.DeleteFunc(lines, func(line []span) bool { return len(line) == 0 })
}

// under returns the index of the span that begins right below s, or -1.
func under(line []span, s span) int {
	return slices.IndexFunc(line, func(b span) bool { return math.Abs(b.left-s.left) < 3 && s.bottom-b.top < closeBelow*s.height() })
}
