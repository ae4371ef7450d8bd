package recommend

import "slices"

// scoredRole is a role's number with its score.
type scoredRole struct {
	role  int
	score float64
}

// bestRoles are the best roles of a segment so far, best first.
type bestRoles []scoredRole

// newBestRoles returns room for the best roles.
func newBestRoles() bestRoles { return make(bestRoles, 0, MaxRecommendations+1) }

// admits reports whether a role with the score would be among the best. Roles come in Browse
// order: the later one of a tie goes behind.
func (b bestRoles) admits(score float64) bool {
	return score >= minSuggested && (len(b) < MaxRecommendations || score > b[MaxRecommendations-1].score)
}

// add adds an admitted role.
func (b bestRoles) add(role int, score float64) bestRoles {
	at, _ := slices.BinarySearchFunc(b, score, func(s scoredRole, score float64) int {
		if s.score >= score {
			return -1
		}
		return 1
	})
	b = slices.Insert(b, at, scoredRole{role, score})
	return b[:min(len(b), MaxRecommendations)]
}

// rankRoles returns the best roles of a segment. It keeps the reasons of those only.
func (t *factTable) rankRoles() []Recommendation {
	best := newBestRoles()
	var reasons Reasons
	for role := range t.Roles() {
		if t.creditFacets(role, &reasons) && best.admits(reasons.Score()) && t.creditFigures(role, &reasons) {
			if score := reasons.Score(); best.admits(score) {
				best = best.add(role, score)
			}
		}
	}
	out := make([]Recommendation, len(best))
	for i, s := range best {
		r := Recommendation{Row: t.Row(s.role), Score: s.score}
		t.creditFacets(s.role, &r.Reasons)
		t.creditFigures(s.role, &r.Reasons)
		out[i] = r
	}
	return out
}
