package page

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// JoinDateLines joins the lines over which a page spreads a range of dates: "Mar 2019" and
// "– Present", or two dates without a mark between them.
func JoinDateLines(lines []string) []string {
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
	if len(below) > len("'2017 ") || !dates.HasDigit(below) || len(line) > words.MaxLine || facts.IsBullet(line) || !dates.HasDigit(line) {
		return false
	}
	if p, dated := dates.FindPeriod(line); dated && p.Last == len(line) {
		return false
	}
	p, dated := dates.FindPeriod(line + " " + below)
	return dated && !p.Current && p.First < len(line) && p.Last == len(line)+1+len(below)
}

// isTornMonth reports whether a line ends with the first month of the range of dates with which the
// line below begins: "Engineer, Acme July", "2020 – Feb 2022".
func isTornMonth(line, below string) bool {
	p, dated := dates.FindPeriod(below)
	if !dated || p.First > 0 || p.Start.Month > 0 || len(line)+len(below) > words.MaxLine || facts.IsProse(line) {
		return false
	}
	month := words.Last(line)
	whole, dated := dates.FindPeriod(line + " " + below)
	return dated && len(month) < len(line) && whole.First == len(line)-len(month) && whole.Start.Year == p.Start.Year
}

// joinDateLine returns the first line, or the range that begins with it, and how many lines
// it takes.
func joinDateLine(lines []string) (text string, taken int) {
	text = joinDatePair(lines[0])
	if !dates.HasDigit(text) || !isPeriodPiece(text) || isClosedPeriod(text) {
		return text, 1
	}
	for i, line := range lines[1:] {
		if !isPeriodPiece(line) {
			break
		}
		if i == 0 {
			if pair := text + " – " + line; dates.IsWholeDate(text) && dates.IsWholeDate(line) && dates.IsPeriod(pair) {
				return pair, 2
			}
		}
		if text += " " + line; isClosedPeriod(text) {
			return text, i + 2
		}
	}
	return lines[0], 1
}

// JoinPeriodHalves joins the halves of a range of dates that only a gap parts: "04/2022" and
// "– Present".
func JoinPeriodHalves(line string) string {
	if gaps := strings.Count(line, "\t"); gaps == 0 || gaps > dates.MaxGaps {
		return line
	}
	var parts []string
	for part := range strings.SplitSeq(line, "\t") {
		if n := len(parts); n > 0 && (dates.EndsWithDate(parts[n-1]) && dates.BeginsWithPeriodEnd(part) || dates.IsTornPeriod(parts[n-1], part)) {
			parts[n-1] += " " + part
		} else {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\t")
}

// joinDatePair puts a dash between two dates that only a gap parts.
func joinDatePair(line string) string {
	if len(line) > words.MaxLine || !strings.Contains(line, "\t") {
		return line
	}
	parts := strings.Split(line, "\t")
	for i := 1; i < len(parts); i++ {
		if dates.HasDigit(parts[i-1]) && dates.IsWholeDate(parts[i-1]) && dates.IsWholeDate(parts[i]) && dates.IsPeriod(parts[i-1]+" – "+parts[i]) {
			parts[i-1] += " – " + parts[i]
			parts = append(parts[:i], parts[i+1:]...)
		}
	}
	return strings.Join(parts, "\t")
}

// RaiseDates moves the dates of a job that a column at the right has beside one of its list items to its
// head: "Engineer, Acme<tab>Leeds" over "• Built machines<tab>2019 – 2021". If that head has dates, they
// are those of the head below.
func RaiseDates(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i, line := range lines {
		at := strings.LastIndexByte(line, '\t')
		if at < 0 || !isListText(line[:at]) || !dates.IsPeriod(line[at+1:]) {
			out = append(out, line)
			continue
		}
		switch head, dated := findHeadAbove(out); {
		case head >= 0 && !dated:
			out[head] += line[at:]
			out = append(out, line[:at])
		case dated && i+1 < len(lines) && !facts.IsBullet(lines[i+1]) && !facts.IsProse(lines[i+1]):
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
	for head > 0 && head > len(lines)-heading.MaxEntryHead && facts.IsBullet(lines[head]) {
		head--
	}
	first := head
	for first > 0 && first > head-heading.MaxEntryHead && !facts.IsBullet(lines[first-1]) && !facts.IsProse(lines[first-1]) {
		first--
	}
	_, dated = dates.FindPeriod(strings.Join(lines[max(first, 0):], "\t"))
	if head < 0 || facts.IsBullet(lines[head]) || facts.IsProse(lines[head]) {
		return -1, dated
	}
	return head, dated
}

// isListText reports whether a text is a list item of some words or a sentence. A mark before dates is none.
func isListText(text string) bool {
	return facts.IsProse(text) && len(strings.Fields(facts.BulletMark().ReplaceAllString(text, ""))) > 2
}

// SplitRunIns parts the heads of jobs from the text that goes on behind them: "2019 – 2021<tab>Engineer,
// Acme, Leeds. Built machines."
func SplitRunIns(lines []string) []string {
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
	short := line[:min(len(line), words.MaxLine)] + " "
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
	p, dated := dates.FindPeriod(line[:at])
	if !dated || p.First > 0 {
		return "", "", false
	}
	rest = strings.TrimSpace(line[at+1:])
	first, _ := utf8.DecodeRuneInString(rest)
	names := facts.Trim(line[p.Last:at])
	if unicode.IsLower(first) || len(strings.Fields(names)) > maxRunIn || facts.IsPhrase(names) || len(facts.JoinLegalForms(facts.CommaGap().Split(names, 5))) < 2 {
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
	word := words.Last(strings.Map(spaceDash, text[max(0, len(text)-words.MaxLine):]))
	_, next, isMonth := dates.ParseMonthName(words.Scan(word), 0)
	if strings.Contains(word, ".") {
		return true // "U.S"
	}
	short := utf8.RuneCountInString(word) < 4 && (utf8.RuneCountInString(word) < 2 || word != strings.ToUpper(word))
	return short || facts.IsLegalForm(word) || isMonth && next > 0
}
