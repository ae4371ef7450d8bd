package resume

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// joinDateLines joins the lines over which a page spreads a range of dates: "Mar 2019" and
// "– Present", or two dates without a mark between them.
func joinDateLines(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); {
		text, n := joinDateLine(lines[i:min(len(lines), i+maxDateLines)])
		if at := i + n; n == 1 && at < len(lines) && (isTornDate(text, lines[at]) || isTornMonth(text, lines[at])) {
			text, n = text+" "+lines[at], 2
		}
		out = append(out, text)
		i += n
	}
	return out
}

// isTornDate reports whether a line ends within a range of dates, whose year is the line below: "Acme ·
// Feb 2014 – Aug", "2017".
func isTornDate(line, below string) bool {
	if len(below) > len("'2017 ") || !hasDigit(below) || len(line) > maxLine || isBullet(line) || !hasDigit(line) {
		return false
	}
	if p, dated := findPeriod(line); dated && p.last == len(line) {
		return false
	}
	p, dated := findPeriod(line + " " + below)
	return dated && !p.current && p.first < len(line) && p.last == len(line)+1+len(below)
}

// isTornMonth reports whether a line ends with the first month of the range of dates with which the
// line below begins: "Engineer, Acme July", "2020 – Feb 2022".
func isTornMonth(line, below string) bool {
	p, dated := findPeriod(below)
	if !dated || p.first > 0 || p.start.Month > 0 || len(line)+len(below) > maxLine || isProse(line) {
		return false
	}
	month := lastWord(line)
	whole, dated := findPeriod(line + " " + below)
	return dated && len(month) < len(line) && whole.first == len(line)-len(month) && whole.start.Year == p.start.Year
}

// joinDateLine returns the first line, or the range that begins with it, and how many lines
// it takes.
func joinDateLine(lines []string) (text string, taken int) {
	text = joinDatePair(lines[0])
	if !hasDigit(text) || !isPeriodPiece(text) || isClosedPeriod(text) {
		return text, 1
	}
	for i, line := range lines[1:] {
		if !isPeriodPiece(line) {
			break
		}
		if i == 0 {
			if pair := text + " – " + line; isWholeDate(text) && isWholeDate(line) && isPeriod(pair) {
				return pair, 2
			}
		}
		if text += " " + line; isClosedPeriod(text) {
			return text, i + 2
		}
	}
	return lines[0], 1
}

// maxGaps is how many gaps a line has at most that is searched for the halves of ranges.
const maxGaps = 8

// joinPeriodHalves joins the halves of a range of dates that only a gap parts: "04/2022" and
// "– Present".
func joinPeriodHalves(line string) string {
	if gaps := strings.Count(line, "\t"); gaps == 0 || gaps > maxGaps {
		return line
	}
	var parts []string
	for part := range strings.SplitSeq(line, "\t") {
		if n := len(parts); n > 0 && (endsWithDate(parts[n-1]) && beginsWithPeriodEnd(part) || isTornPeriod(parts[n-1], part)) {
			parts[n-1] += " " + part
		} else {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\t")
}

// joinDatePair puts a dash between two dates that only a gap parts.
func joinDatePair(line string) string {
	if len(line) > maxLine || !strings.Contains(line, "\t") {
		return line
	}
	parts := strings.Split(line, "\t")
	for i := 1; i < len(parts); i++ {
		if hasDigit(parts[i-1]) && isWholeDate(parts[i-1]) && isWholeDate(parts[i]) && isPeriod(parts[i-1]+" – "+parts[i]) {
			parts[i-1] += " – " + parts[i]
			parts = append(parts[:i], parts[i+1:]...)
		}
	}
	return strings.Join(parts, "\t")
}

// raiseDates moves the dates of a job that a column at the right has beside one of its list items to its
// head: "Engineer, Acme<tab>Leeds" over "• Built machines<tab>2019 – 2021". If that head has dates, they
// are those of the head below.
func raiseDates(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i, line := range lines {
		at := strings.LastIndexByte(line, '\t')
		if at < 0 || !isListText(line[:at]) || !isPeriod(line[at+1:]) {
			out = append(out, line)
			continue
		}
		switch head, dated := findHeadAbove(out); {
		case head >= 0 && !dated:
			out[head] += line[at:]
			out = append(out, line[:at])
		case dated && i+1 < len(lines) && !isBullet(lines[i+1]) && !isProse(lines[i+1]):
			out = append(out, line[:at], line[at+1:])
		default:
			out = append(out, line)
		}
	}
	return out
}

// findHeadAbove returns the index of the last line before the list items at the end of lines, -1 if
// that is no head, and whether it or the lines above it have dates.
func findHeadAbove(lines []string) (head int, dated bool) {
	head = len(lines) - 1
	for head > 0 && head > len(lines)-maxEntryHead && isBullet(lines[head]) {
		head--
	}
	first := head
	for first > 0 && first > head-maxEntryHead && !isBullet(lines[first-1]) && !isProse(lines[first-1]) {
		first--
	}
	_, dated = findPeriod(strings.Join(lines[max(first, 0):], "\t"))
	if head < 0 || isBullet(lines[head]) || isProse(lines[head]) {
		return -1, dated
	}
	return head, dated
}

// isListText reports whether a text is a list item of some words or a sentence. A mark before dates is none.
func isListText(text string) bool {
	return isProse(text) && len(strings.Fields(bulletMark().ReplaceAllString(text, ""))) > 2
}

// splitRunIns parts the heads of jobs from the text that goes on behind them: "2019 – 2021<tab>Engineer,
// Acme, Leeds. Built machines."
func splitRunIns(lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		if head, rest, ok := cutRunIn(line); ok {
			if out = append(out, head); rest != "" {
				out = append(out, rest)
			}
			continue
		}
		out = append(out, line)
	}
	return out
}

// cutRunIn cuts a line behind a head that begins with a range of dates and ends with a point: it
// lists two names or more, and says nothing of what was done.
func cutRunIn(line string) (head, rest string, ok bool) {
	short := line[:min(len(line), maxLine)] + " "
	at := strings.Index(short, ". ")
	for at >= 0 && isAbbreviated(short[:at]) {
		next := strings.Index(short[at+1:], ". ")
		if next < 0 {
			return "", "", false
		}
		at += 1 + next
	}
	if at < 0 {
		return "", "", false
	}
	p, dated := findPeriod(line[:at])
	if !dated || p.first > 0 {
		return "", "", false
	}
	rest = strings.TrimSpace(line[at+1:])
	first, _ := utf8.DecodeRuneInString(rest)
	names := trimFact(line[p.last:at])
	if unicode.IsLower(first) || len(strings.Fields(names)) > maxRunIn || isPhrase(names) || len(joinLegalForms(commaGap().Split(names, 5))) < 2 {
		return "", "", false
	}
	return line[:at], rest, true
}

// maxRunIn is how many words a head has at most that text follows in the same line.
const maxRunIn = 14

// spaceDash returns a space for a dash that needs none around it: "2020–Feb".
func spaceDash(r rune) rune {
	if r == '–' || r == '—' {
		return ' '
	}
	return r
}

// isAbbreviated reports whether a text with a point behind it ends with a shortened word: "Inc", "jan".
func isAbbreviated(text string) bool {
	word := lastWord(strings.Map(spaceDash, text[max(0, len(text)-maxLine):]))
	_, next, isMonth := parseMonthName(scanTokens(word), 0)
	if strings.Contains(word, ".") {
		return true // "U.S"
	}
	short := utf8.RuneCountInString(word) < 4 && (utf8.RuneCountInString(word) < 2 || word != strings.ToUpper(word))
	return short || isLegalForm(word) || isMonth && next > 0
}
