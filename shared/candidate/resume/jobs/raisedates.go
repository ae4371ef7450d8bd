package jobs

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
)

// raiseDates moves the dates of a job that a column at the right has beside one of its list items to its
// head: "Engineer, Acme<tab>Leeds" over "• Built machines<tab>2019 – 2021". If that head has dates, they
// are those of the head below.
func raiseDates(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i, line := range lines {
		at := strings.LastIndexByte(line, '\t')
		isDatedItem := at >= 0 && isListText(line[:at]) && dates.IsPeriod(line[at+1:])
		if !isDatedItem {
			out = append(out, line)
			continue
		}
		switch head, dated := findHeadAbove(out); {
		case head >= 0 && !dated:
			out[head] += line[at:]
			out = append(out, line[:at])
		case dated && i+1 < len(lines) && !facts.IsProse(lines[i+1]):
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
	for first > 0 && first > head-heading.MaxEntryHead && !facts.IsProse(lines[first-1]) {
		first--
	}
	_, dated = dates.FindPeriod(strings.Join(lines[max(first, 0):], "\t"))
	if head < 0 || facts.IsProse(lines[head]) {
		return -1, dated
	}
	return head, dated
}

// isListText reports whether a text is a list item of some words or a sentence. A mark before dates is none.
func isListText(text string) bool {
	return facts.IsProse(text) && len(strings.Fields(facts.BulletMark().ReplaceAllString(text, ""))) > 2
}
