package jobs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/facts"
)

// pattern is a way to head a job: the lines of title and company, counted from the line with the dates without those that
// hold only a place. titleFirst is their order if both are on one line.
type pattern struct {
	title, company int
	titleFirst     bool
}

const (
	noLine         = 99
	maxPlaceOffset = 3 // lines from a job's dates to its place
)

// patterns holds all patterns: title and company on one line, on two, and a title alone. Of equal ones the first is preferred.
var patterns = []pattern{
	{0, 0, true}, {0, 0, false}, {-1, -1, true}, {-1, -1, false}, {1, 1, true}, {1, 1, false},
	{-2, -2, true}, {-2, -2, false}, {2, 2, true}, {2, 2, false},

	{0, 1, true}, {-1, 0, true}, {0, -1, true}, {1, 0, true}, {-2, -1, true}, {-1, -2, true}, {1, 2, true},
	{2, 1, true}, {-1, 1, true}, {1, -1, true}, {-3, -2, true}, {-2, -3, true}, {2, 3, true}, {3, 2, true},

	{0, noLine, true}, {-1, noLine, true}, {1, noLine, true},
}

// choosePattern returns the usual pattern, or the one with the highest score on a job if it fits so much better that
// the job is an exception. One that only reverses the usual one needs a title of known words, and none
// has the lines that the usual one takes for the jobs beside it.
func (s *jobSection) choosePattern(usual pattern, job int) pattern {
	taken := make(map[int]bool)
	for _, other := range []int{job - 1, job + 1} {
		if other >= 0 && other < len(s.anchors) && s.scorePattern(usual, other) >= 0 {
			taken[s.lineAt(other, usual.title)] = true
			taken[s.lineAt(other, usual.company)] = true
		}
	}
	own := maxPattern(func(p pattern) float64 {
		if taken[s.lineAt(job, p.title)] || p.company != noLine && taken[s.lineAt(job, p.company)] {
			return -1e9
		}
		return s.scorePattern(p, job)
	})
	isReverse := own.title == usual.company && own.company == usual.title
	if own.title == own.company {
		isReverse = isReverse && own.titleFirst != usual.titleFirst
	}
	if title, _, _ := s.pickFacts(own, job); isReverse && !title.Title {
		return usual
	}
	score := s.scorePattern(usual, job)
	if score < 0 && !isReverse || s.scorePattern(own, job)-score >= ownPatternLead {
		return own
	}
	return usual
}

func maxPattern(score func(pattern) float64) pattern {
	best := patterns[0]
	most := -1e9
	for _, p := range patterns {
		if sum := score(p); sum > most {
			best = p
			most = sum
		}
	}
	return best
}

// scorePattern returns how well a pattern fits a job: facts that look like what they
// should be count for it, facts on its lines that it does not explain against it.
func (s *jobSection) scorePattern(p pattern, job int) float64 {
	title, company, left := s.pickFacts(p, job)
	score := -0.7 * float64(left)
	if title.Text == "" {
		score -= 4
	} else {
		score += title.ScoreTitle()
	}
	switch {
	case p.company == noLine:
		score -= 0.5
	case company.Text == "" && s.isPromotion(p, job) && title.Text != "":
		score -= 0.5 // as without any company
	case company.Text == "":
		score -= 4
	default:
		score += company.ScoreCompany()
		if p.title != p.company && s.facts[s.lineAt(job, p.company)].Place != "" {
			score += 0.5 // places are beside companies
		}
	}
	return score
}

// isPromotion reports whether a job may be one more of the company above: only list items or the job before are where its company would be.
func (s *jobSection) isPromotion(p pattern, job int) bool {
	if job == 0 || p.company >= p.title || p.title > 0 {
		return false
	}
	return len(dropPhrases(s.factsAt(p.company, job).Whole)) == 0
}

// pickFacts returns the facts that a pattern takes for title and company, and how many others its lines hold.
func (s *jobSection) pickFacts(p pattern, job int) (title, company facts.Fact, left int) {
	if p.title == p.company {
		return s.pickPair(p, job)
	}
	titles := s.factsAt(p.title, job).Whole
	title = firstWanted(titles, func(f facts.Fact) bool { return f.Role == document.TitleRole || f.Title && f.Role == 0 })
	left = max(0, len(titles)-1)
	if p.company != noLine {
		companies := dropPhrases(s.factsAt(p.company, job).Whole)
		company = firstWanted(companies, func(f facts.Fact) bool {
			mayBeCompany := f.Company || !f.Title
			return f.Role == document.CompanyRole || f.Role == 0 && mayBeCompany
		})
		left += max(0, len(companies)-1)
		company.Paired = len(companies) == 1 && p.company == 0
	}
	if p.title != 0 && p.company != 0 {
		left += len(s.factsAt(0, job).Whole)
	}
	return title, company, left
}

func (s *jobSection) pickPair(p pattern, job int) (title, company facts.Fact, left int) {
	list := s.factsAt(p.title, job).Pair
	switch len(list) {
	case 0:
		return facts.Fact{}, facts.Fact{}, 0
	case 1:
		return list[0], facts.Fact{}, 0
	}
	left = len(list) - 2
	if p.title != 0 {
		left += len(s.factsAt(0, job).Whole)
	}
	title = list[0]
	company = list[1]
	if !p.titleFirst {
		title, company = company, title
	}
	company.Paired = true
	return title, company, left
}

func dropPhrases(list []facts.Fact) []facts.Fact {
	return slices.DeleteFunc(slices.Clone(list), func(f facts.Fact) bool { return f.IsPhrase })
}

func firstWanted(list []facts.Fact, wanted func(facts.Fact) bool) facts.Fact {
	if len(list) == 0 {
		return facts.Fact{}
	}
	return list[max(0, slices.IndexFunc(list, wanted))]
}

// lineAt returns the line at an offset from a job's dates without lines that hold only a place. It may be outside the section.
func (s *jobSection) lineAt(job, offset int) int {
	i := s.anchors[job].at
	step := cmp.Compare(offset, 0)
	for ; offset != 0; offset -= step {
		i += step
		for s.hasOnlyPlace(i) {
			i += step
		}
	}
	return i
}

func (s *jobSection) hasLine(i int) bool { return i >= 0 && i < len(s.lines) }

// hasOnlyPlace reports whether a line holds nothing but a place or a duration.
func (s *jobSection) hasOnlyPlace(i int) bool {
	return s.hasLine(i) && s.usable[i] && s.undated[i] && len(s.facts[i].Whole) == 0
}

// factsAt returns the facts of a line if a job may use them: not those beyond its neighbours' dates.
func (s *jobSection) factsAt(offset, job int) facts.Line {
	i := s.lineAt(job, offset)
	isAbove := job > 0 && i <= s.anchors[job-1].at
	isBelow := job+1 < len(s.anchors) && i >= s.anchors[job+1].at
	if !s.hasLine(i) || isAbove || isBelow {
		return facts.Line{}
	}
	return s.facts[i]
}

// readJob returns a job's title, company and place by a pattern. What does not look right is left out: an empty field is
// better than a wrong one. from and to are the first and the last line used.
func (s *jobSection) readJob(p pattern, job int) (e Experience, from, to int) {
	title, company, _ := s.pickFacts(p, job)
	a := s.anchors[job]
	e = Experience{Start: a.Start, End: a.End, Current: a.Current}
	from = a.at
	to = a.at
	for _, offset := range []int{p.title, p.company} {
		if offset != noLine && len(s.factsAt(offset, job).Whole) > 0 {
			i := s.lineAt(job, offset)
			from = min(from, i)
			to = max(to, i)
		}
	}
	if title.Text != "" && facts.IsNameLike(title.Text) && !title.Legal {
		e.Title = title.Text
	}
	if company.IsEmployerLike() && e.Title != "" {
		e.Company = company.Text
	}
	isTitle := title.Title || title.Role == document.TitleRole || s.isTrusted(p, job, e.Company)
	if e.Title != "" && !isTitle {
		e.Title = ""
		e.Company = "" // no evidence that this is a job
	}
	for s.hasOnlyPlace(to + 1) {
		to++
	}
	for i := from; i <= to && e.Location == ""; i++ {
		e.Location = s.facts[i].Place
	}
	return e, from, to
}

// isTrusted reports whether the text at the place of a job's title is one, whatever its words:
// the company beside it, or that of the job above, is evidence.
func (s *jobSection) isTrusted(p pattern, job int, company string) bool {
	score := s.scorePattern(p, job)
	if company == "" {
		return s.trusted && score >= -0.5 && s.isPromotion(p, job)
	}
	if _, _, left := s.pickFacts(p, job); left <= 0 {
		score++ // "Studio Potter", "Bluestem", and nothing else
	}
	return s.trusted && score > 0
}

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
			l := s.facts[i]
			isOfTwoFonts := at.apart && len(l.Whole) > 2 && strings.Contains(heads[i], ",\t")
			switch {
			case isOfTwoFonts, l.HasEmployerBefore(at.apart):
				use.employers++
			case at.apart && l.HasPairBefore():
				use.pairs++
			case at.apart && !facts.CommaGap().MatchString(l.Whole[0].Text):
				use.alone++
			}
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
