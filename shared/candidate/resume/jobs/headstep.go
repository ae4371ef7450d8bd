package jobs

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// headSteps make a line of each head of a job that its page spreads over several, tears or marks. Each is applied
// to the result of those before it, for the reason given beside it.
var headSteps = []func(lines []string) []string{
	rejoin.Dates,     // all others look for whole ranges of dates
	closeFirstRange,  // makes a range that the next steps find
	splitRunIns,      // parts a head from its text, so that the text is neither a mark nor a half of the head
	unmarkHeads,      // heads that have marks as list items have
	unmarkEmployers,  // are above heads without marks
	joinFlowingHeads, // both halves are without marks
}

// closeFirstRange ends the range of the current job, which is the first, if only a dash parts its date
// from its head, as in "May 2022 - Engineer, Acme", and the next job has dates in the same place.
func closeFirstRange(lines []string) []string {
	for i, line := range lines {
		if facts.IsBullet(line) || facts.IsProse(line) || !dates.HasDigit(line) {
			continue
		}
		if _, dated := dates.FindPeriod(line); dated {
			return lines
		}
		tokens := words.Scan(line)
		_, next, ok := dates.ParseDate(tokens, 0)
		if !ok {
			continue
		}
		text, ok := dates.ParseRangeMark(tokens, next)
		isBeforeWord := ok && text < len(tokens) && tokens[text].Kind == words.Word
		if !isBeforeWord || !hasDatesFirst(lines[i+1:]) {
			return lines
		}
		out := slices.Clone(lines)
		out[i] = line[:tokens[text-1].First] + "\t" + line[tokens[text].First:]
		return out
	}
	return lines
}

// hasDatesFirst reports whether the first line with a range of dates begins with it, and
// continues after a space.
func hasDatesFirst(lines []string) bool {
	for _, line := range lines {
		if p, dated := dates.FindPeriod(line); dated && !facts.IsBullet(line) {
			return p.First == 0 && p.Last < len(line) && line[p.Last] == ' '
		}
	}
	return false
}

// unmarkHeads removes the marks of list items from the heads of jobs where no other line has dates:
// "• Engineer, Acme<tab>2019 – 2021".
func unmarkHeads(lines []string) []string {
	heads := make(map[string][]int) // the lines with dates at their end, by their marks
	for i, line := range lines {
		p, dated := dates.FindPeriod(line)
		mark := facts.BulletMark().FindString(line)
		switch {
		case dated && mark == "":
			return lines
		case dated && p.First > len(mark) && p.Last == len(line):
			heads[mark] = append(heads[mark], i)
		}
	}
	return dropMarks(lines, heads)
}

// dropMarks removes the marks of the lines in heads if they all have the same one, and there are several.
func dropMarks(lines []string, heads map[string][]int) []string {
	out := slices.Clone(lines)
	for mark, at := range heads {
		for _, i := range at {
			if len(heads) == 1 && len(at) > 1 {
				out[i] = lines[i][len(mark):]
			}
		}
	}
	return out
}

// unmarkEmployers removes the marks of list items from lines that are all above one with dates, which has
// no mark, where list items have another mark: "● Acme" over "Engineer<tab>2019 – 2021", "* Built it".
func unmarkEmployers(lines []string) []string {
	heads := make(map[string][]int)
	others := make(map[string]bool)
	for i, line := range lines {
		mark := facts.BulletMark().FindString(line)
		if mark == "" {
			continue
		}
		isHead := false
		if i+1 < len(lines) && !facts.IsBullet(lines[i+1]) {
			_, isHead = dates.FindPeriod(lines[i+1])
		}
		if isHead {
			heads[mark] = append(heads[mark], i)
		} else {
			others[mark] = true
		}
	}
	if maps.DeleteFunc(heads, func(mark string, _ []int) bool { return others[mark] }); len(others) == 0 {
		return lines // a list item a job
	}
	return dropMarks(lines, heads)
}

// splitRunIns parts the heads of jobs from the text that continues after them: "2019 –
// 2021<tab>Engineer, Acme, Leeds. Built machines."
func splitRunIns(lines []string) []string {
	out := make([]string, 0, len(lines))
	for _, line := range lines {
		head, rest := cutRunIn(line)
		out = append(out, head)
		if rest != "" {
			out = append(out, rest)
		}
	}
	return out
}

// cutRunIn cuts a line behind a head, if it has one, that begins with a range of dates and ends with a point: it
// lists two names or more, and does not say what was done.
func cutRunIn(line string) (head, rest string) {
	short := line[:min(len(line), words.MaxLine)] + " "
	at := strings.Index(short, ". ")
	for at >= 0 && isAbbreviated(short[:at]) {
		next := strings.Index(short[at+1:], ". ")
		if next < 0 {
			return line, ""
		}
		at += 1 + next
	}
	if at < 0 {
		return line, ""
	}
	p, dated := dates.FindPeriod(line[:at])
	if !dated || p.First > 0 {
		return line, ""
	}
	rest = strings.TrimSpace(line[at+1:])
	if unicode.IsLower(words.FirstRune(rest)) || !listsNames(facts.Trim(line[p.Last:at])) {
		return line, ""
	}
	return line[:at], rest
}

// listsNames reports whether a text is a list of two names or more, and says nothing.
func listsNames(text string) bool {
	isText := len(strings.Fields(text)) > maxRunIn || facts.IsPhrase(text)
	return !isText && len(facts.JoinLegalForms(facts.CommaGap().Split(text, 5))) > 1
}

// maxRunIn is how many words a head has at most that text follows in the same line.
const maxRunIn = 14

// spacedDash replaces dashes, which need no spaces around them: "2020–Feb".
var spacedDash = strings.NewReplacer("–", " ", "—", " ")

// isAbbreviated reports whether a text before a period ends with an abbreviation: "Inc", "jan".
func isAbbreviated(text string) bool {
	word := words.Last(spacedDash.Replace(text[max(0, len(text)-words.MaxLine):]))
	_, next, isMonth := dates.ParseMonthName(words.Scan(word), 0)
	if strings.Contains(word, ".") {
		return true // "U.S"
	}
	short := utf8.RuneCountInString(word) < 4 && (utf8.RuneCountInString(word) < 2 || word != strings.ToUpper(word))
	return short || facts.IsLegalForm(word) || isMonth && next > 0
}
