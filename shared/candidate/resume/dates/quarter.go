package dates

import "github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"

// parseQuarter parses "Q3 2019" and "3. Quartal 2019".
func parseQuarter(tokens []words.Token, at int) (d date, next int, ok bool) {
	quarter, i, ok := parseQuarterName(tokens, at)
	if !ok {
		return date{}, at, false
	}
	for IsMark(tokens, i, "/'’-") || i < len(tokens) && tokens[i].Kind == words.Space {
		i++
	}
	year, ok := fourDigitYear(tokens, i)
	return quarterOf(year, quarter), i + 1, ok
}

func parseQuarterName(tokens []words.Token, at int) (quarter, next int, ok bool) {
	if isWord(tokens, at, "q", "t", "k", "кв") {
		quarter, ok = number(tokens, at+1, 1, 1)
		return quarter, at + 2, ok && quarter >= 1 && quarter <= 4
	}
	quarter, ok = number(tokens, at, 1, 1)
	i := at + 1
	if IsMark(tokens, i, ".") {
		i++
	}
	i = words.SkipSpaces(tokens, i)
	isNamed := isWord(tokens, i, "q", "quartal", "trimestre", "кв", "квартал", "quarter", "kwartał", "kwartaal")
	return quarter, i + 1, ok && isNamed && quarter >= 1 && quarter <= 4
}

func quarterOf(year, quarter int) date {
	return date{start: Month{year, 3*quarter - 2}, last: Month{year, 3 * quarter}}
}
