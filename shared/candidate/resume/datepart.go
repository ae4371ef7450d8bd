package resume

// Dates that line breaks split.

// isTornPeriod reports whether a line ends within a range of dates that the next line
// continues: "Jul 2018 –", "Jun 2021".
func isTornPeriod(a, b string) bool {
	tokens := scanTokens(b)
	_, dated, ok := parseDate(tokens, 0)
	if !ok || dated == 0 {
		if _, ok = parseToday(tokens, 0, false); !ok {
			return false
		}
	}
	return endsWithRangeMark(a[max(0, len(a)-100):])
}

// endsWithRangeMark reports whether a line ends with a date and a dash or word for until.
func endsWithRangeMark(line string) bool {
	tokens := scanTokens(line)
	for at := max(0, len(tokens)-12); at < len(tokens); at++ {
		if _, next, ok := parseDate(tokens, at); ok {
			if after, ok := parseRangeMark(tokens, next); ok && after == len(tokens) {
				return true
			}
		}
	}
	return false
}

// endsWithDate reports whether a line ends with a date.
func endsWithDate(line string) bool {
	tokens := scanTokens(line)
	for at := max(0, len(tokens)-8); at < len(tokens); at++ {
		if _, next, ok := parseDate(tokens, at); ok && next == len(tokens) {
			return true
		}
	}
	return false
}

// beginsWithPeriodEnd reports whether a line begins with the second half of a range:
// "– Jun 2021".
func beginsWithPeriodEnd(line string) bool {
	tokens := scanTokens(line)
	if len(tokens) == 0 || tokens[0].kind != markToken {
		return false
	}
	next, ok := parseRangeMark(tokens, 0)
	if !ok {
		return false
	}
	if _, ok := parseToday(tokens, next, false); ok {
		return true
	}
	_, _, ok = parseDate(tokens, next)
	return ok
}

// isWholeDate reports whether a line is a date, or a word for today, and nothing else.
func isWholeDate(line string) bool {
	tokens := scanTokens(line)
	if _, next, ok := parseDate(tokens, 0); ok && next == len(tokens) {
		return true
	}
	next, ok := parseToday(tokens, 0, false)
	return ok && next == len(tokens)
}

// isDuration reports whether a piece of a line says how long something lasted: "2 years
// 4 months", "1 Jahr", "3年2か月".
func isDuration(piece string) bool {
	tokens := scanTokens(piece)
	found := false
	for at := 0; at < len(tokens); {
		switch {
		case tokens[at].kind == numberToken && len(tokens[at].text) <= 2:
			i := at + 1
			if isMark(tokens, i, ".,") { // 2.5 years
				i += 2
			}
			i = skipSpaces(tokens, i)
			_, next := vocabulary().timeUnits.find(tokens, i)
			if next == i {
				return false
			}
			found, at = true, next
		case tokens[at].kind == wordToken && !isWord(tokens, at, "and", "und", "et", "y", "e", "i", "och", "og", "en", "ve", "и", "va"):
			return false
		default:
			at++
		}
	}
	return found
}
