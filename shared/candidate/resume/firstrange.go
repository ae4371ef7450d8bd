package resume

import "slices"

// closeFirstRange ends the range of the current job, which is the first, if only a dash parts its date
// from its head, as in "May 2022 - Engineer, Acme", and the next job has dates in the same place.
func closeFirstRange(lines []string) []string {
	for i, line := range lines {
		if isBullet(line) || isProse(line) || !hasDigit(line) {
			continue
		}
		if _, dated := findPeriod(line); dated {
			return lines
		}
		tokens := scanTokens(line)
		_, next, ok := parseDate(tokens, 0)
		if !ok {
			continue
		}
		text, ok := parseRangeMark(tokens, next)
		if !ok || text == len(tokens) || tokens[text].kind != wordToken || !hasDatesFirst(lines[i+1:]) {
			return lines
		}
		out := slices.Clone(lines)
		out[i] = line[:tokens[text-1].first] + "\t" + line[tokens[text].first:]
		return out
	}
	return lines
}

// hasDatesFirst reports whether the first line with a range of dates begins with it, and goes on
// behind a space.
func hasDatesFirst(lines []string) bool {
	for _, line := range lines {
		if p, dated := findPeriod(line); dated && !isBullet(line) {
			return p.first == 0 && p.last < len(line) && line[p.last] == ' '
		}
	}
	return false
}
