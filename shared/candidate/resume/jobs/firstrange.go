package jobs

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

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
