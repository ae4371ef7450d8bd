package jobs

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
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

const (
	maxRunIn = 14 // words of a head that text follows in the same line
	// fullHead is the share of the longest head's letters from which a head may fill its line: letters, and
	// the dates beside them, differ in width.
	fullHead = 0.8
)

var (
	loneYear   = words.Expression(`\b(?:19|20)\d{2}\b`)
	goesOn     = words.Pattern(`^(?:[&(№]|<goes-on> )`)
	spacedDash = strings.NewReplacer("–", " ", "—", " ") // which needs no spaces around it: "2020–Feb"
)

// closeFirstRange ends the range of the current job, which is the first, if only a dash parts its date
// from its head, as in "May 2022 - Engineer, Acme", and the next job has dates in the same place.
func closeFirstRange(lines []string) []string {
	for i, line := range lines {
		if facts.IsProse(line) || !dates.HasDigit(line) {
			continue
		}
		if dates.HasPeriod(line) {
			return lines
		}
		tokens := words.Scan(line)
		next, ok := dates.SkipDate(tokens, 0)
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

func hasDatesFirst(lines []string) bool {
	for _, line := range lines {
		if p, dated := dates.FindPeriod(line); dated && !facts.IsBullet(line) {
			return p.First == 0 && p.Last < len(line) && line[p.Last] == ' '
		}
	}
	return false
}

// unmarkHeads removes the marks of list items from the heads of jobs where no other line has dates: "• Engineer, Acme<tab>2019 – 2021".
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
		isHead := i+1 < len(lines) && !facts.IsBullet(lines[i+1]) && dates.HasPeriod(lines[i+1])
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

// splitRunIns parts the heads of jobs from the text after them: "2019 – 2021<tab>Engineer, Acme, Leeds. Built machines."
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

// cutRunIn cuts a line behind a head that begins with a range of dates, lists two names or more and ends with a point.
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
	rest = strings.TrimSpace(line[at+1:])
	if !dated || p.First > 0 || unicode.IsLower(words.FirstRune(rest)) {
		return line, ""
	}
	names := facts.Trim(line[p.Last:at])
	isText := len(strings.Fields(names)) > maxRunIn || facts.IsPhrase(names)
	if isText || len(facts.JoinLegalForms(facts.CommaGap().Split(names, 5))) < 2 {
		return line, ""
	}
	return line[:at], rest
}

// isAbbreviated reports whether a text before a period ends with an abbreviation: "Inc", "jan".
func isAbbreviated(text string) bool {
	word := words.Last(spacedDash.Replace(text))
	_, _, isMonth := dates.ParseMonthName(words.Scan(word), 0)
	if strings.Contains(word, ".") {
		return true // "U.S"
	}
	short := utf8.RuneCountInString(word) < 4 && (utf8.RuneCountInString(word) < 2 || word != strings.ToUpper(word))
	return short || facts.IsLegalForm(word) || isMonth
}

// flowingHead is a line with a range of dates behind the names of a job, or alone.
type flowingHead struct {
	at          int
	text, dates string // text is "" if the dates are alone
	whole       bool   // it names title and employer, in one line
}

// joinFlowingHeads joins heads that flow over the end of a line: "Engineer, Tern &", "Sons Jan 2018 –
// July 2019", or above dates alone on a line. The first half ends or the second begins with text that
// needs the other, or it fills the line where other heads need one line only.
func joinFlowingHeads(lines []string) []string {
	heads, longest := findFlowingHeads(lines)
	joined := make(map[int]string) // lines by the index of the first half
	for _, h := range heads {
		first := h.at - 1
		second := h.text
		if h.text == "" {
			first = h.at - 2
			second = lines[max(0, h.at-1)]
		}
		isWhole := h.text != "" && h.whole
		areHalves := first >= 0 && !isWhole && isHeadHalf(lines[first])
		if !areHalves || !isHeadHalf(second) {
			continue
		}
		isOpen := facts.JoinsNext().MatchString(lines[first]) || isWithinQuotes(lines[first]) || goesOn().MatchString(second)
		if isOpen || isTornAtEnd(lines[first], second, longest) {
			joined[first] = rejoin.Wrapped(lines[first], second)
			if h.text != "" {
				joined[first] += "\t" + h.dates
			}
		}
	}
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		line, isJoined := joined[i]
		if isJoined {
			i++ // the second half
		} else {
			line = lines[i]
		}
		out = append(out, line)
	}
	return out
}

// isTornAtEnd reports whether a line names a title and begins to name an employer, and would be longer than the longest
// head with the first word of the possible rest of the name, which says neither a title nor a place.
func isTornAtEnd(line, next string, longest int) bool {
	isFull := utf8.RuneCountInString(line+" "+words.First(next)) > int(fullHead*float64(longest))
	if longest == 0 || !isFull {
		return false
	}
	rest := facts.Split(next)
	isOneFact := len(rest.Whole) == 1 && len(rest.Pair) == 1
	isPlain := isOneFact && rest.Place == "" && !rest.Whole[0].Title
	if !isPlain {
		return false
	}
	pair := facts.Split(line).Pair
	return len(pair) > 1 && (pair[0].Title || pair[1].Title) || facts.AtCapital().MatchString(line)
}

// findFlowingHeads returns the heads, and the letters of the longest one that needs one line, 0 if most need two.
func findFlowingHeads(lines []string) (heads []flowingHead, longest int) {
	wholes := 0
	for i, line := range lines {
		p, dated := dates.FindPeriod(line)
		mark := facts.BulletMark().FindString(line)
		isDatedItem := mark != "" && p.First > len(mark) // a list item that has dates within
		if !dated || isDatedItem || len(line) > words.MaxLine {
			continue
		}
		h := flowingHead{at: i, text: strings.TrimRight(line[:p.First], " \t,·|–—-("), dates: line[p.First:]}
		if h.text == "" || facts.IsBullet(line) {
			h.text = ""
			isOnly := i < 2 || !isHeadHalf(lines[i-2])
			h.whole = i > 0 && isHeadHalf(lines[i-1]) && isOnly
		} else {
			h.whole = facts.IsTitleAndEmployer(facts.Split(h.text).Pair)
		}
		heads = append(heads, h)
		if h.whole {
			wholes++
			longest = max(longest, utf8.RuneCountInString(line))
		}
		if h.whole && h.text == "" {
			longest = max(longest, utf8.RuneCountInString(lines[i-1]))
		}
	}
	if 2*wholes < len(heads) {
		return heads, 0
	}
	return heads, longest
}

func isHeadHalf(line string) bool {
	if line == "" || len(line) > words.MaxLine {
		return false
	}
	return !words.IsAny(line, dates.HasPeriod, facts.IsPhrase, facts.IsProse, heading.Is, isSkillLine)
}

func isWithinQuotes(line string) bool {
	return strings.Count(line, "«") > strings.Count(line, "»") ||
		strings.Count(line, "„") > strings.Count(line, "“")+strings.Count(line, "”") ||
		strings.Count(line, "(") > strings.Count(line, ")")
}
