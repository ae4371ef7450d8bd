package jobs

import (
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
)

// maxPlaceOffset is how many lines from a job's dates its place may be.
const maxPlaceOffset = 3

// placeSlot is where a job may have its place: so many lines from its dates, behind one piece or more
// of the line, which commas part, or apart from so many others.
type placeSlot struct {
	offset, before int
	apart          bool
}

// slotUse counts the jobs that have a known place in a slot, those that have a possible name of a
// town, those of them with a possible employer before it or in one part with their title, those of
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
func (s *jobSection) cutTowns(heads []string, roles map[string]document.Role) {
	uses := make(map[placeSlot]slotUse)
	placed := make(map[int]bool) // the jobs that have a place beside their dates
	s.forEachSlot(func(i, job int, at placeSlot) {
		use := uses[at]
		switch _, isTown := s.lastTown(i); {
		case s.facts[i].Place != "":
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
	s.forEachSlot(func(i, job int, at placeSlot) {
		town, isTown := s.lastTown(i)
		rest, isAtEnd := strings.CutSuffix(strings.TrimRight(heads[i], " )"), town)
		mayBePlace := isTown && isAtEnd && !placed[job]
		if mayBePlace && uses[at].isPlaces(at) {
			s.facts[i] = facts.Split(strings.TrimRight(rest, " \t,(|·•–—-")).ApplyRoles(roles)
			s.facts[i].Place = town
		}
	})
}

// countNames counts the names before a possible town at the end of a line.
func (u *slotUse) countNames(l facts.Line, line string, at placeSlot) {
	isOfTwoFonts := at.apart && len(l.Whole) > 2 && strings.Contains(line, ",\t")
	switch {
	case isOfTwoFonts, l.HasEmployerBefore(at.apart):
		u.employers++
	case at.apart && l.HasPairBefore():
		u.pairs++
	case at.apart && !facts.CommaGap().MatchString(l.Whole[0].Text):
		u.alone++
	}
}

// forEachSlot calls do with the lines around each job's dates, the job, and the slot of a place at their end.
func (s *jobSection) forEachSlot(do func(line, job int, at placeSlot)) {
	for job, a := range s.anchors {
		first := max(0, a.at-maxPlaceOffset)
		end := min(len(s.lines), a.at+maxPlaceOffset+1)
		if job > 0 {
			first = max(first, s.anchors[job-1].at+1)
		}
		if job+1 < len(s.anchors) {
			end = min(end, s.anchors[job+1].at)
		}
		for i := first; i < end; i++ {
			if before, apart, ok := s.facts[i].FindLast(); ok {
				do(i, job, placeSlot{i - a.at, before, apart})
			}
		}
	}
}

// lastTown returns the last piece of a line without a place if it could name a town.
func (s *jobSection) lastTown(i int) (town string, ok bool) {
	if s.facts[i].Place != "" || len(s.facts[i].Whole) == 0 {
		return "", false
	}
	whole := s.facts[i].Whole
	last := whole[len(whole)-1]
	pieces := facts.JoinLegalForms(facts.CommaGap().Split(last.Text, 6))
	town = pieces[len(pieces)-1]
	if m := facts.InBrackets().FindStringSubmatch(town); m != nil {
		town = m[1]
	}
	return town, last.Role == 0 && facts.IsTownShaped(town)
}
