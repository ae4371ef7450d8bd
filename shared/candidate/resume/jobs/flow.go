package jobs

import (
	"strings"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/rejoin"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// fullHead is the share of the longest head's letters from which a head may fill its line: letters, and
// the dates beside them, differ in width.
const fullHead = 0.8

// flowingHead is a line with a range of dates behind the names of a job, or alone.
type flowingHead struct {
	at          int
	text, dates string // text is "" if the dates are alone
	whole       bool   // it names title and employer, in one line
}

// halves returns the index of the line that may be the first half of the names, and the second half.
func (h flowingHead) halves(lines []string) (first int, second string) {
	if h.text != "" {
		return h.at - 1, h.text
	}
	return h.at - 2, lines[max(0, h.at-1)]
}

// joinFlowingHeads joins heads that flow over the end of a line: "Engineer, Tern &", "Sons Jan 2018 –
// July 2019", or above dates alone on a line. The first half ends or the second begins with text that
// needs the other, or it fills the line where other heads need one line only.
func joinFlowingHeads(lines []string) []string {
	heads := findFlowingHeads(lines)
	longest := longestWhole(heads, lines)
	joined := make(map[int]string) // lines by the index of the first half
	for _, h := range heads {
		first, second := h.halves(lines)
		isWhole := h.text != "" && h.whole
		if first < 0 || isWhole || !areHeadHalves(lines[first], second) {
			continue
		}
		if isTornName(lines[first], second) || isTornAtEnd(lines[first], second, longest) {
			joined[first] = rejoin.Wrapped(lines[first], second)
			if h.text != "" {
				joined[first] += "\t" + h.dates
			}
		}
	}
	return replacePairs(lines, joined)
}

// longestWhole returns the letters of the longest head that needs one line, 0 if most need two.
func longestWhole(heads []flowingHead, lines []string) int {
	wholes := 0
	longest := 0
	for _, h := range heads {
		if !h.whole {
			continue
		}
		wholes++
		longest = max(longest, utf8.RuneCountInString(lines[h.at]))
		if h.text == "" {
			longest = max(longest, utf8.RuneCountInString(lines[h.at-1]))
		}
	}
	if 2*wholes < len(heads) {
		return 0
	}
	return longest
}

// isTornAtEnd reports whether a line names a title and begins to name an employer, and would be longer
// than the longest head with the first word of the possible rest of the name.
func isTornAtEnd(line, next string, longest int) bool {
	isFull := utf8.RuneCountInString(line+" "+words.First(next)) > int(fullHead*float64(longest))
	return longest > 0 && isFull && isPlainRest(next) && namesTitle(line)
}

// findFlowingHeads returns the heads with dates that end a line or are alone on it.
func findFlowingHeads(lines []string) []flowingHead {
	var heads []flowingHead
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
	}
	return heads
}

// isHeadHalf reports whether a line may be one half of the names of a job: it has no range of dates, and is
// neither a phrase, a list item, a sentence, a heading nor a list of skills.
func isHeadHalf(line string) bool {
	if line == "" || len(line) > words.MaxLine {
		return false
	}
	if _, dated := dates.FindPeriod(line); dated || facts.IsPhrase(line) || facts.IsProse(line) {
		return false
	}
	return !heading.Is(line) && !isSkillLine(line)
}

func areHeadHalves(first, second string) bool { return isHeadHalf(first) && isHeadHalf(second) }

// isTornName reports whether a line ends within a name that the next one continues: with a word or a mark that something
// must follow, or within quotation marks or brackets.
func isTornName(line, next string) bool {
	return facts.JoinsNext().MatchString(line) || isWithinQuotes(line) || goesOn().MatchString(next)
}

// isPlainRest reports whether a text may be the end of a name: it says neither a title nor a place.
func isPlainRest(text string) bool {
	f := facts.Split(text)
	isOneFact := len(f.Whole) == 1 && len(f.Pair) == 1
	return isOneFact && f.Place == "" && !f.Whole[0].Title
}

// namesTitle reports whether a line names a title and begins to name an employer.
func namesTitle(line string) bool {
	pair := facts.Split(line).Pair
	return len(pair) > 1 && (pair[0].Title || pair[1].Title) || facts.EnglishAt().MatchString(line)
}

func replacePairs(lines []string, joined map[int]string) []string {
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); i++ {
		if line, ok := joined[i]; ok {
			out = append(out, line)
			i++
			continue
		}
		out = append(out, lines[i])
	}
	return out
}

// isWithinQuotes reports whether a line opens a quotation or a bracket that it does not close.
func isWithinQuotes(line string) bool {
	return strings.Count(line, "«") > strings.Count(line, "»") ||
		strings.Count(line, "„") > strings.Count(line, "“")+strings.Count(line, "”") ||
		strings.Count(line, "(") > strings.Count(line, ")")
}

var goesOn = words.Expression(`^(?:[&(№]|(?:and|of|for) )`)
