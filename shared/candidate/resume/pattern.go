package resume

import "strings"

// pattern is a way to head a job: the lines of title and company, counted from the
// line with the dates. titleFirst is their order if both are on one line.
type pattern struct {
	title, company int
	titleFirst     bool
}

const noLine = 99

// patterns holds all patterns; of equal ones the first is preferred.
var patterns = func() []pattern {
	all := []pattern{{0, 0, true}, {0, 0, false}}
	for _, at := range []int{-1, 1, -2, 2} {
		all = append(all, pattern{at, at, true}, pattern{at, at, false})
	}
	for _, p := range [][2]int{{0, 1}, {-1, 0}, {0, -1}, {1, 0}, {-2, -1}, {-1, -2}, {1, 2}, {2, 1}, {-1, 1}, {1, -1}, {-3, -2}, {-2, -3}, {2, 3}, {3, 2}} {
		all = append(all, pattern{p[0], p[1], true})
	}
	for _, at := range []int{0, -1, 1} {
		all = append(all, pattern{at, noLine, true})
	}
	return all
}()

// bestPattern returns the pattern with the highest score on the given anchors.
func (s *jobSection) bestPattern(anchors []anchor) pattern {
	best, most := patterns[0], -1e9
	for _, p := range patterns {
		sum := 0.0
		for _, a := range anchors {
			sum += s.scorePattern(p, s.dated[a.at])
		}
		if sum > most {
			best, most = p, sum
		}
	}
	return best
}

// scorePattern returns how well a pattern fits a job: facts that look like what they
// should be count for it, facts on its lines that it does not explain against it.
func (s *jobSection) scorePattern(p pattern, job int) float64 {
	title, company, left := s.pickFacts(p, job)
	score := -0.7 * float64(left)
	switch {
	case title.text == "":
		score -= 4
	case title.title:
		score += 3
	case title.legal || !isNameLike(title.text):
		score -= 3
	case title.company:
		score--
	}
	switch {
	case p.company == noLine:
		score -= 0.5
	case company.text == "" || !isNameLike(company.text):
		score -= 4
	case company.legal:
		score += 3
	case company.company && !company.title:
		score += 2
	case company.title:
		score -= 1.5
	default:
		score++
	}
	return score
}

// pickFacts returns the facts that a pattern takes for title and company, and how many
// others its lines hold.
func (s *jobSection) pickFacts(p pattern, job int) (title, company fact, left int) {
	at := s.anchors[job].at
	titles, companies := s.factsAt(at+p.title, job), s.factsAt(at+p.company, job)
	if p.title != p.company {
		title, companyLeft := firstWanted(titles, func(f fact) bool { return f.title }), 0
		if p.company != noLine {
			company = firstWanted(companies, func(f fact) bool { return f.company || !f.title })
			companyLeft = max(0, len(companies)-1)
		}
		left = max(0, len(titles)-1) + companyLeft
		if p.title != 0 && p.company != 0 {
			left += len(s.factsAt(at, job))
		}
		return title, company, left
	}
	if len(titles) < 2 {
		if len(titles) == 1 {
			title = titles[0]
		}
		return title, fact{}, 0
	}
	if left = len(titles) - 2; p.title != 0 {
		left += len(s.factsAt(at, job))
	}
	a, b := titles[0], titles[1]
	if p.titleFirst {
		return a, b, left
	}
	return b, a, left
}

// firstWanted returns the first wanted fact, or the first of all if none is wanted.
func firstWanted(facts []fact, wanted func(fact) bool) fact {
	for _, f := range facts {
		if wanted(f) {
			return f
		}
	}
	if len(facts) > 0 {
		return facts[0]
	}
	return fact{}
}

// factsAt returns the facts of a line if a job may use them: not those beyond its
// neighbours' dates.
func (s *jobSection) factsAt(i, job int) []fact {
	if i < 0 || i >= len(s.lines) || !s.usable[i] || s.dated[i] >= 0 && s.dated[i] != job {
		return nil
	}
	if job > 0 && i <= s.anchors[job-1].at || job+1 < len(s.anchors) && i >= s.anchors[job+1].at {
		return nil
	}
	return s.facts[i]
}

// readJob returns a job's title, company and place by a pattern. What does not look
// right is left out: an empty field is better than a wrong one. from and to are the
// first and the last line used.
func (s *jobSection) readJob(p pattern, job int) (e Experience, from, to int) {
	title, company, _ := s.pickFacts(p, job)
	at := s.anchors[job].at
	from, to = at, at
	for _, offset := range []int{p.title, p.company} {
		if i := at + offset; offset != noLine && len(s.factsAt(i, job)) > 0 {
			from, to = min(from, i), max(to, i)
		}
	}
	if title.text != "" && isNameLike(title.text) && !title.legal {
		e.Title = title.text
	}
	if company.text != "" && isNameLike(company.text) && e.Title != "" {
		e.Company = company.text
	}
	if e.Title != "" && !title.title && (e.Company == "" || s.scorePattern(p, job) < 0 || !s.trusted) {
		e.Title, e.Company = "", "" // no evidence that this is a job
	}
	for i := from; i <= to && e.Location == ""; i++ {
		e.Location = s.places[i]
	}
	if i := to + 1; e.Location == "" && i < len(s.lines) && s.usable[i] && s.dated[i] < 0 && len(s.facts[i]) == 0 && s.places[i] != "" {
		e.Location, to = s.places[i], i // a place on a line of its own
	}
	e.Title, e.Company = strings.TrimSpace(e.Title), strings.TrimSpace(e.Company)
	return e, from, to
}
