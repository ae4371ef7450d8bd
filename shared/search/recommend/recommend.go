// Package recommend is the matcher: which roles of the catalogue suit a candidate
// (contract, recommended-roles).
//
//	[Rank]    the best roles of a view for a candidate, each with its score and the reasons
//	[Weights] what a score consists of, with the reason for every part
//
// Hard constraints come first: a role that breaks one is never ranked. Other roles are
// scored from 0 to 1 over the parts of Weights, in one pass over the columns of the
// catalogue. What is not known about a role or a candidate breaks no constraint and
// earns a share of a part only (Weight.Unknown).
//
// The package reads the catalogue's columns and nothing else: no store, no clock, no
// caller. Which roles are open to a caller, and which the candidate was submitted to,
// comes in with the query.
package recommend

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Candidate is what is known of a candidate, mostly as keys of the contract's
// enumerations. Empty means unknown or without a preference.
type Candidate struct {
	RoleTypes, Locations, Workplaces []string
	FundingRounds, CompanySizes      []string
	// ExcludedIndustries, VisaNeeded and SalaryFloor are hard constraints, and so
	// are Locations and Workplaces.
	ExcludedIndustries []string
	// VisaNeeded limits the roles to those that are known to sponsor visas.
	VisaNeeded bool
	// SalaryFloor and SalaryTarget are annual, in whole units, 0 unknown. They are
	// compared like the filters of the role list: to the nearest thousand and without
	// converting currencies.
	SalaryFloor, SalaryTarget int64
	// Skills are compared with tech stacks, folded.
	Skills []string
	// Years of experience; nil unknown.
	Years *float64
}

// The bands of recommendations.
const (
	Endorsed  = "ENDORSED"
	Suggested = "SUGGESTED"
)

// The lowest scores of the bands, and the length of a list.
const (
	minEndorsed  = 0.75
	minSuggested = 0.5
	// MaxRecommendations bounds the roles that are recommended.
	MaxRecommendations = 15
)

// Recommendation is a role that suits a candidate.
type Recommendation struct {
	roleindex.Row
	// Score is at least 0.5 and at most 1.
	Score float64
	// Reasons are what the score consists of, in the order of Weights.
	Reasons Reasons
}

// Band returns ENDORSED or SUGGESTED.
func (r Recommendation) Band() string {
	if r.Score >= minEndorsed {
		return Endorsed
	}
	return Suggested
}

// Rank returns the best of the roles that the query matches, best first, at most
// MaxRecommendations; ties are in Browse order. What counts of the query is what
// [roleindex.View.Segments] reads. It should match open roles only.
func Rank(v *roleindex.View, q roleindex.Query, c Candidate, now time.Time) []Recommendation {
	if c.VisaNeeded {
		flags := map[roleindex.Flag]bool{}
		maps.Copy(flags, q.Flags)
		flags[roleindex.VisaSponsorship] = true
		q.Flags = flags
	}
	criteria := newCriteria(c, now)
	var best []Recommendation
	for _, s := range v.Segments(q) {
		best = append(best, criteria.tableFor(s).rankRoles()...)
	}
	slices.SortFunc(best, func(a, b Recommendation) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
	})
	return best[:min(len(best), MaxRecommendations)]
}

// scoredRole is a role's number with its score.
type scoredRole struct {
	role  int
	score float64
}

// rankRoles returns the best roles of a segment. It keeps the reasons of those only.
func (t *factTable) rankRoles() []Recommendation {
	best := make([]scoredRole, 0, MaxRecommendations+1)
	for role := range t.Roles() {
		reasons, ok := t.reasonsFor(role)
		if !ok {
			continue
		}
		score := reasons.Score()
		if score < minSuggested || len(best) == MaxRecommendations && score <= best[MaxRecommendations-1].score {
			continue // roles come in Browse order: the later one of a tie goes behind
		}
		at, _ := slices.BinarySearchFunc(best, score, func(s scoredRole, score float64) int {
			if s.score >= score {
				return -1
			}
			return 1
		})
		best = slices.Insert(best, at, scoredRole{role, score})
		best = best[:min(len(best), MaxRecommendations)]
	}
	out := make([]Recommendation, len(best))
	for i, s := range best {
		reasons, _ := t.reasonsFor(s.role)
		out[i] = Recommendation{Row: t.Row(s.role), Score: s.score, Reasons: reasons}
	}
	return out
}
