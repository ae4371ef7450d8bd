package resume

import "strings"

// joinDateLines joins the lines over which a page spreads a range of dates: "Mar 2019" and
// "– Present", or two dates without a mark between them.
func joinDateLines(lines []string) []string {
	out := make([]string, 0, len(lines))
	for i := 0; i < len(lines); {
		text, n := joinDateLine(lines[i:min(len(lines), i+maxDateLines)])
		out = append(out, text)
		i += n
	}
	return out
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
