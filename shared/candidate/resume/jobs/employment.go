package jobs

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/dates"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/expression"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
)

// employmentWord matches a type of employment that stands beside a name without a mark.
var employmentWord = expression.New(`(?i)( [-–] )(?:full-time|part-time|permanent|temporary|freelance|contract|internship), | (?:full-time|part-time|permanent|temporary|freelance|contract|internship)(\t|$)`)

// dropEmploymentWords removes the types of employment from the heads of a resume that has one beside
// the names of most jobs: "Acme Ltd Permanent<tab>2019 – 2021". One alone may belong to a title.
func dropEmploymentWords(lines []string) []string {
	var at []int
	dated := 0
	for i, line := range lines {
		if facts.IsBullet(line) || facts.IsProse(line) {
			continue
		}
		if _, ok := dates.FindPeriod(line); ok {
			dated++
		}
		if employmentWord().MatchString(line) {
			at = append(at, i)
		}
	}
	if len(at) < 2 || 2*len(at) < dated {
		return lines
	}
	out := slices.Clone(lines)
	for _, i := range at {
		out[i] = employmentWord().ReplaceAllString(out[i], "$1$2")
	}
	return out
}
