package dates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/expression"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/words"
)

// yearAndNumber matches what is a year and a month, or two years: "2010-12".
var yearAndNumber = expression.New(`\b((?:19|20)\d\d)-(\d\d)($|[^-/.\d])`)

// ExpandShortYears writes the ranges of a resume that has them as "2010-12" with a dash that no month
// follows. Others in the same form must prove it: "2018-22" is no month, and "2019-03" no range.
func ExpandShortYears(columns [][]string) [][]string {
	years := 0
	months := 0
	for _, lines := range columns {
		for _, line := range lines {
			for _, m := range yearAndNumber().FindAllStringSubmatch(line[:min(len(line), words.MaxLine)], MaxGaps) {
				switch isRange, isMonth := readYearAndNumber(m[1], m[2]); {
				case isRange && !isMonth:
					years++
				case isMonth && !isRange:
					months++
				}
			}
		}
	}
	if years == 0 || months > 0 {
		return columns
	}
	out := slices.Clone(columns)
	for i, lines := range out {
		out[i] = slices.Clone(lines)
		for k, line := range lines {
			if strings.Contains(line, "-") && len(line) <= words.MaxLine {
				out[i][k] = yearAndNumber().ReplaceAllString(line, "$1–$2$3")
			}
		}
	}
	return out
}

// readYearAndNumber reports whether a number behind a year may be a later year's end, and whether it
// may be a month.
func readYearAndNumber(year, number string) (isRange, isMonth bool) {
	y, _ := strconv.Atoi(year)
	n, _ := strconv.Atoi(number)
	return n > y%100, n >= 1 && n <= 12
}
