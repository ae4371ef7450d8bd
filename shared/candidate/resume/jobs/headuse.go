package jobs

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
)

// headLine returns the line that names a job: the one with its dates, or the one above if dates stand alone.
func (s *jobSection) headLine(a anchor) int {
	if a.at > 0 && len(s.facts[a.at].Whole) == 0 {
		return a.at - 1
	}
	return a.at
}

// countCommaPairs returns how many jobs have title and employer on one line, with a comma between them
// and nothing else beside, the title first and the employer first.
func (s *jobSection) countCommaPairs() (titleFirst, employerFirst int) {
	for _, a := range s.anchors {
		l := s.facts[s.headLine(a)]
		switch {
		case len(l.Whole) != 1 || len(l.Pair) != 2:
		case l.Place != "" || !facts.IsTitleAndEmployer(l.Pair):
		case l.Pair[0].Title:
			titleFirst++
		default:
			employerFirst++
		}
	}
	return titleFirst, employerFirst
}

// joinAreasByUse joins what titles are about to them where a dash parts it and a comma parts most titles from
// employers, or a comma with a gap behind it this one: "Adviser – Private Rents, Acme".
func (s *jobSection) joinAreasByUse(heads []string, roles map[string]document.Role) {
	titleFirst, employerFirst := s.countCommaPairs()
	isUsual := titleFirst+employerFirst > 1 && 2*(titleFirst+employerFirst) >= len(s.anchors)
	for _, a := range s.anchors {
		i := s.headLine(a)
		if joined, ok := joinArea(heads[i], isUsual, employerFirst > titleFirst); ok && s.usable[i] {
			s.facts[i] = facts.Split(joined).ApplyRoles(roles)
		}
	}
}

// joinArea joins the first dash of a head between a title and its area.
func joinArea(head string, isUsual, employerFirst bool) (string, bool) {
	gap := facts.DashedPart().FindStringSubmatchIndex(head)
	if gap == nil || head[gap[5]:] == "" && !employerFirst {
		return "", false
	}
	before := facts.LastPart(head[:gap[0]])
	area := facts.New(strings.TrimSpace(head[gap[4]:gap[5]]))
	rest := head[gap[5]:]
	if !facts.IsTitle(before) || !mayBeArea(area) {
		return "", false
	}
	next, beforeComma := strings.CutPrefix(rest, ", ")
	isBeforeEmployer := beforeComma && !facts.IsPlace(next)
	switch {
	case strings.HasPrefix(rest, ",\t"), beforeComma && facts.New(next).Company:
		return facts.MarkDash(head, gap), true
	case !isUsual:
		return "", false
	case employerFirst && (rest != "" || len(newPair(before)) == 0):
		return "", false
	case !employerFirst && !isBeforeEmployer:
		return "", false
	}
	return facts.MarkDash(head, gap), true
}

// mayBeArea reports whether a fact could be what a title is about: it looks like nothing else.
func mayBeArea(f facts.Fact) bool {
	if f.Company || f.Title {
		return false
	}
	return !facts.IsPlace(f.Text) && !facts.IsAside(f.Text)
}

// newPair returns title and employer of a text, or nil.
func newPair(text string) []facts.Fact {
	if pair := facts.BestPair(text); pair != nil && facts.IsTitleAndEmployer(pair) {
		return pair
	}
	return nil
}

// takePlacesForTitles undoes that what follows an employer was taken for a town where most heads name a
// title there: "Acme Ltd, Deck Boy".
func (s *jobSection) takePlacesForTitles(heads []string, roles map[string]document.Role) {
	if titleFirst, employerFirst := s.countCommaPairs(); employerFirst < 2 || employerFirst < titleFirst {
		return
	}
	for _, a := range s.anchors {
		i := s.headLine(a)
		l := s.facts[i]
		if len(l.Whole) != 1 || l.Whole[0].Title || !hasUnknownPlace(l, heads[i]) {
			continue
		}
		s.facts[i].Place = ""
		s.facts[i].Whole = []facts.Fact{facts.New(heads[i])}
		s.facts[i].Pair = []facts.Fact{l.Whole[0], facts.New(l.Place)}
		s.facts[i] = s.facts[i].ApplyRoles(roles)
	}
}

// hasUnknownPlace reports whether a head ends with what was taken for its place, behind a comma, and is no known one.
func hasUnknownPlace(l facts.Line, head string) bool {
	if l.Place == "" || facts.IsPlace(l.Place) {
		return false
	}
	return strings.HasSuffix(head, ", "+l.Place)
}
