package jobs

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// splitRunIns parts the heads of jobs from the text that continues after them: "2019 –
// 2021<tab>Engineer, Acme, Leeds. Built machines."
func splitRunIns(lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		if head, rest, ok := cutRunIn(line); ok {
			out = append(out, head)
			if rest != "" {
				out = append(out, rest)
			}
			continue
		}
		out = append(out, line)
	}
	return out
}

// cutRunIn cuts a line behind a head that begins with a range of dates and ends with a point: it
// lists two names or more, and does not say what was done.
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
	if unicode.IsLower(first) || !listsNames(names) {
		return "", "", false
	}
	return line[:at], rest, true
}

// listsNames reports whether a text is a list of two names or more, and says nothing.
func listsNames(text string) bool {
	if len(strings.Fields(text)) > maxRunIn || facts.IsPhrase(text) {
		return false
	}
	return len(facts.JoinLegalForms(facts.CommaGap().Split(text, 5))) > 1
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

// isAbbreviated reports whether a text before a period ends with an abbreviation: "Inc", "jan".
func isAbbreviated(text string) bool {
	word := words.Last(strings.Map(spaceDash, text[max(0, len(text)-words.MaxLine):]))
	_, next, isMonth := dates.ParseMonthName(words.Scan(word), 0)
	if strings.Contains(word, ".") {
		return true // "U.S"
	}
	short := utf8.RuneCountInString(word) < 4 && (utf8.RuneCountInString(word) < 2 || word != strings.ToUpper(word))
	return short || facts.IsLegalForm(word) || isMonth && next > 0
}
