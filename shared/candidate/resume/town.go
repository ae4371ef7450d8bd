package resume

import (
	"slices"
	"strings"
)

// maxPlaceOffset is how many lines from a job's dates its place may be.
const maxPlaceOffset = 3

// placeSlot is where a job may have its place: so many lines from its dates, behind one piece or more
// of the line, which commas part, or apart from so many others.
type placeSlot struct {
	offset, before int
	apart          bool
}

// slotUse counts the jobs that have a known place in a slot, those that have what could name a town,
// those of them with what may be their employer before it or in one part with their title, those of
// them with one name alone before it, and those that have something else there.
type slotUse struct{ known, towns, employers, pairs, alone, other int }

// isPlaces reports whether what could name towns in a slot does: other jobs have known places
// there, or each job has its employer before it.
func (u slotUse) isPlaces(at placeSlot) bool {
	if u.known > 0 || u.other > 0 {
		return u.known > u.other
	}
	if u.pairs > 0 {
		return u.alone == 0 && u.towns > 1 && 2*(u.pairs+u.employers) >= u.towns
	}
	return at.apart && u.employers == u.towns || u.towns > 1 && 2*u.employers >= u.towns
}

// cutTowns takes pieces of lines for places where other jobs have a place that is known: a
// resume has them all in one slot, and towns are too many to list.
func (s *jobSection) cutTowns(heads []string, roles map[string]Role) {
	uses, placed := s.countSlots(heads)
	s.forEachSlot(func(i, job int, at placeSlot) {
		town, isTown := s.lastTown(i)
		rest, found := strings.CutSuffix(strings.TrimRight(heads[i], " )"), town)
		if !placed[job] && isTown && found && uses[at].isPlaces(at) {
			s.facts[i] = splitFacts(strings.TrimRight(rest, " \t,(|·•–—-")).applyRoles(roles)
			s.facts[i].place = town
		}
	})
}

// countSlots returns what the jobs have in each slot, and the jobs that have a place beside their dates.
func (s *jobSection) countSlots(heads []string) (uses map[placeSlot]slotUse, placed map[int]bool) {
	uses, placed = make(map[placeSlot]slotUse), make(map[int]bool)
	s.forEachSlot(func(i, job int, at placeSlot) {
		use := uses[at]
		switch _, isTown := s.lastTown(i); {
		case s.facts[i].place != "":
			use.known++
			placed[job] = placed[job] || at.offset == 0
		case !isTown:
			use.other++
		default:
			use.towns++
			use.countNames(s.facts[i], heads[i], at)
		}
		uses[at] = use
	})
	return uses, placed
}

// countNames counts what stands before what could name a town at the end of a line.
func (u *slotUse) countNames(l lineFacts, line string, at placeSlot) {
	isOfTwoFonts := at.apart && len(l.whole) > 2 && strings.Contains(line, ",\t")
	switch {
	case isOfTwoFonts, l.hasEmployerBefore(at.apart):
		u.employers++
	case at.apart && l.hasPairBefore():
		u.pairs++
	case at.apart && !commaGap().MatchString(l.whole[0].text):
		u.alone++
	}
}

// forEachSlot calls do with the lines around each job's dates, the job, and the slot of a place at their end.
func (s *jobSection) forEachSlot(do func(line, job int, at placeSlot)) {
	for job, a := range s.anchors {
		first, end := max(0, a.at-maxPlaceOffset), min(len(s.lines), a.at+maxPlaceOffset+1)
		if job > 0 {
			first = max(first, s.anchors[job-1].at+1)
		}
		if job+1 < len(s.anchors) {
			end = min(end, s.anchors[job+1].at)
		}
		for i := first; i < end; i++ {
			if before, apart, ok := s.facts[i].findLast(); ok && s.usable[i] {
				do(i, job, placeSlot{i - a.at, before, apart})
			}
		}
	}
}

// findLast returns how many pieces or parts are before the last of a line, which may be its place,
// and whether it stands apart from them.
func (l lineFacts) findLast() (before int, apart, ok bool) {
	pieces, most := 0, 2 // before the place
	if n := len(l.whole); n > 0 {
		pieces = len(joinLegalForms(commaGap().Split(l.whole[n-1].text, 6)))
	}
	if len(l.whole) > 1 {
		most = 1 // an employer, perhaps with commas of its own
	}
	switch n := len(l.whole); {
	case l.place != "" && l.apart:
		return l.parts, true, true
	case l.place != "":
		return min(pieces, most), false, true
	case n == 0:
		return 0, false, false
	case commaGap().MatchString(l.whole[n-1].text) && !l.endsWithRegion():
		return min(pieces-1, most), false, true
	}
	return l.parts - 1, true, true
}

// hasEmployerBefore reports whether a line names an employer before the last part, or before the last
// piece of that, and a title if it has other parts.
func (l lineFacts) hasEmployerBefore(apart bool) bool {
	n := len(l.whole) - 1
	if apart {
		return isTitleAndEmployer(l.whole[:n])
	}
	if slices.ContainsFunc(l.whole[:n], func(f fact) bool { return f.title }) {
		return true // "Cooper", "Acme, Wickling"
	}
	pieces := joinLegalForms(commaGap().Split(l.whole[n].text, 6))
	for from := len(pieces) - 2; from >= 0; from-- { // "Mendoza, Black and Robinson" is one employer
		if f := newFact(strings.Join(pieces[from:len(pieces)-1], ", ")); f.company && !f.title || f.lean < 0 {
			return true
		}
	}
	return false
}

// hasPairBefore reports whether the halves of the only part before the last are a title and what may be
// an employer: "Cooper, Tern Rail – Wickling".
func (l lineFacts) hasPairBefore() bool {
	if len(l.whole) != 2 {
		return false
	}
	pair := bestPair(l.whole[0].text)
	return len(pair) == 2 && pair[0].title != pair[1].title && isTitleAndEmployer(pair)
}

// lastTown returns the last piece of a line without a place if it could name a town.
func (s *jobSection) lastTown(i int) (town string, ok bool) {
	if s.facts[i].place != "" || len(s.facts[i].whole) == 0 {
		return "", false
	}
	whole := s.facts[i].whole
	last := whole[len(whole)-1]
	if last.role == 0 && s.facts[i].endsWithRegion() {
		return last.text, true
	}
	pieces := joinLegalForms(commaGap().Split(last.text, 6))
	town = pieces[len(pieces)-1]
	if m := inBrackets().FindStringSubmatch(town); m != nil {
		town = m[1]
	}
	return town, last.role == 0 && isTownShaped(town)
}

// endsWithRegion reports whether the last part of a line could be a town and its region: the parts
// before name title and employer.
func (l lineFacts) endsWithRegion() bool {
	n := len(l.whole) - 1
	return n > 0 && isTownWithRegion(l.whole[n].text) && (n > 1 || isTitleAndEmployer(l.whole[:n]))
}

// isTownWithRegion reports whether a text could name a town and its region: "Beccles, Suffolk".
func isTownWithRegion(text string) bool {
	pieces := commaGap().Split(text, 3)
	return len(pieces) == 2 && isTownShaped(pieces[0]) && (isCountry(pieces[1]) || isTownShaped(pieces[1]))
}
