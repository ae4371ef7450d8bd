package resume

import "strings"

// headLine returns the line that names a job: the one with its dates, or the one above if dates stand alone.
func (s *jobSection) headLine(a anchor) int {
	if a.at > 0 && len(s.facts[a.at].whole) == 0 {
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
		case len(l.whole) != 1 || len(l.pair) != 2 || l.place != "" || !isTitleAndEmployer(l.pair):
		case l.pair[0].title:
			titleFirst++
		default:
			employerFirst++
		}
	}
	return titleFirst, employerFirst
}

// joinAreasByUse joins what titles are about to them where a dash parts it and a comma parts most titles from
// employers, or a comma with a gap behind it this one: "Adviser – Private Rents, Acme".
func (s *jobSection) joinAreasByUse(heads []string, roles map[string]Role) {
	titleFirst, employerFirst := s.countCommaPairs()
	isUsual := titleFirst+employerFirst > 1 && 2*(titleFirst+employerFirst) >= len(s.anchors)
	for _, a := range s.anchors {
		i := s.headLine(a)
		if joined, ok := joinArea(heads[i], isUsual, employerFirst > titleFirst); ok && s.usable[i] {
			s.facts[i] = splitFacts(joined).applyRoles(roles)
		}
	}
}

// joinArea joins the first dash of a head between a title and its area.
func joinArea(head string, isUsual, employerFirst bool) (string, bool) {
	gap := dashedPart().FindStringSubmatchIndex(head)
	if gap == nil || head[gap[5]:] == "" && !employerFirst {
		return "", false
	}
	before, area, rest := lastPart(head[:gap[0]]), newFact(strings.TrimSpace(head[gap[4]:gap[5]])), head[gap[5]:]
	if !isTitle(before) || area.company || area.title || isPlace(area.text) || isAside(area.text) {
		return "", false
	}
	switch {
	case strings.HasPrefix(rest, ",\t"), strings.HasPrefix(rest, ", ") && newFact(rest[2:]).company:
		return markDash(head, gap), true
	case !isUsual, employerFirst && (rest != "" || len(newPair(before)) == 0), !employerFirst && (!strings.HasPrefix(rest, ", ") || isPlace(rest[2:])):
		return "", false
	}
	return markDash(head, gap), true
}

// newPair returns title and employer of a text, or nil.
func newPair(text string) []fact {
	if pair := bestPair(text); pair != nil && isTitleAndEmployer(pair) {
		return pair
	}
	return nil
}

// takePlacesForTitles undoes that what follows an employer was taken for a town where most heads name a
// title there: "Acme Ltd, Deck Boy".
func (s *jobSection) takePlacesForTitles(heads []string, roles map[string]Role) {
	if titleFirst, employerFirst := s.countCommaPairs(); employerFirst < 2 || employerFirst < titleFirst {
		return
	}
	for _, a := range s.anchors {
		i := s.headLine(a)
		l := s.facts[i]
		if len(l.whole) != 1 || l.whole[0].title || l.place == "" || isPlace(l.place) || !strings.HasSuffix(heads[i], ", "+l.place) {
			continue
		}
		s.facts[i].place = ""
		s.facts[i].whole = []fact{newFact(heads[i])}
		s.facts[i].pair = []fact{l.whole[0], newFact(l.place)}
		s.facts[i] = s.facts[i].applyRoles(roles)
	}
}
