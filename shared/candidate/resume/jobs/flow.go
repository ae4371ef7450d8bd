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

// flowingHead is a line with a range of dates behind the names of a job, or alone.
type flowingHead struct {
	at          int
	text, dates string // text is "" if the dates stand alone
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
// July 2019", or above dates that stand alone. The first half ends or the second begins with what needs
// the other, or it fills the line where other heads need one line only.
func joinFlowingHeads(lines []string) []string {
	heads := findFlowingHeads(lines)
	longest := longestWhole(heads, lines)
	joined := make(map[int]string) // lines by the index of the first half
	for _, h := range heads {
		first, second := h.halves(lines)
		if first < 0 || h.text != "" && h.whole || !isHeadHalf(lines[first]) || !isHeadHalf(second) {
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
// than the longest head with the first word of what may be the rest of the name.
func isTornAtEnd(line, next string, longest int) bool {
	isFull := utf8.RuneCountInString(line+" "+words.First(next)) > int(fullHead*float64(longest))
	return longest > 0 && isFull && isPlainRest(next) && namesTitle(line)
}

// findFlowingHeads returns the heads whose dates end a line or stand alone.
func findFlowingHeads(lines []string) []flowingHead {
	var heads []flowingHead
	for i, line := range lines {
		p, dated := dates.FindPeriod(line)
		if mark := facts.BulletMark().FindString(line); !dated || len(line) > words.MaxLine || mark != "" && p.First > len(mark) {
			continue
		}
		h := flowingHead{at: i, text: strings.TrimRight(line[:p.First], " \t,·|–—-("), dates: line[p.First:]}
		if h.text == "" || facts.IsBullet(line) {
			h.text = ""
			h.whole = i > 0 && isHeadHalf(lines[i-1]) && (i < 2 || !isHeadHalf(lines[i-2]))
		} else {
			h.whole = facts.IsTitleAndEmployer(facts.Split(h.text).Pair)
		}
		heads = append(heads, h)
	}
	return heads
}

// isHeadHalf reports whether a line may be one half of the names of a job.
func isHeadHalf(line string) bool {
	_, dated := dates.FindPeriod(line)
	return line != "" && !dated && !facts.IsBullet(line) && !facts.IsProse(line) && !facts.IsPhrase(line) && !heading.Is(line) && !isSkillLine(line) && len(line) <= words.MaxLine
}

// isTornName reports whether a line ends within a name that the next one continues.
func isTornName(line, next string) bool { return isUnfinished(line) || goesOn().MatchString(next) }

// isPlainRest reports whether a text may be the end of a name: it says neither a title nor a place.
func isPlainRest(text string) bool {
	f := facts.Split(text)
	return len(f.Whole) == 1 && f.Place == "" && !f.Whole[0].Title && len(f.Pair) == 1
}

// namesTitle reports whether a line names a title and begins to name an employer.
func namesTitle(line string) bool {
	pair := facts.Split(line).Pair
	return len(pair) > 1 && (pair[0].Title || pair[1].Title) || facts.EnglishAt().MatchString(line)
}

// replacePairs replaces the pairs of lines that begin at the indexes by joined lines.
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
