package recommend_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/local/demo/trial"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// open are the roles that come into question, as the route asks for them.
var open = roleindex.Query{
	AnyOf: map[roleindex.Field][]string{roleindex.Status: {"ACTIVE"}},
	Flags: map[roleindex.Flag]bool{roleindex.StoppedReviewing: false, roleindex.SelfServeClosed: false},
}

// seeker is an invented candidate, with the role that is ideal for them.
type seeker struct {
	recommend.Candidate
	planted roleindex.Doc
}

// seekerAt invents candidate number i from the vocabulary of the invented roles. The
// planted role has the type, place, salary and stack that is sought; the rest of
// it is left to chance.
func seekerAt(i int) seeker {
	r := rand.New(rand.NewPCG(uint64(i), 11))
	like := roles.At(1_000_000+i, now)
	floor := 60_000 + 5_000*r.IntN(20)
	s := seeker{Candidate: recommend.Candidate{
		RoleTypes: like.RoleTypes, Locations: like.LocationKeys, Workplaces: []string{*like.WorkplaceType},
		SalaryFloor: int64(floor), SalaryTarget: int64(floor) + 30_000, Years: new(float64(r.IntN(15))),
		Skills: slices.Concat(like.TechStack, []string{"Esperanto", "juggling"}), VisaNeeded: r.IntN(10) == 0,
		FundingRounds: drawSome(r, contract.FundingRounds.Values), CompanySizes: drawSome(r, contract.CompanySizes.Values),
	}}
	d := roleindex.Doc{
		ID: fmt.Sprintf("planted-%03d", i), BrowseRank: r.IntN(1000), PostedAt: now.AddDate(0, 0, -r.IntN(60)), Status: "ACTIVE",
		RoleTypes: like.RoleTypes[:1], Locations: like.LocationKeys[:1], Workplace: *like.WorkplaceType, TechStack: like.TechStack,
		SalaryLower: float64(floor), SalaryUpper: float64(floor + 40_000), YearsMin: float64(r.IntN(8)), CompanySize: 1 + r.IntN(2000),
		FundingRound: drawSome(r, contract.FundingRounds.Values)[0], Industries: drawSome(r, contract.Industries.Values),
		Flags: []roleindex.Flag{roleindex.VisaSponsorship},
	}
	for _, v := range drawSome(r, contract.Industries.Values) {
		if !slices.Contains(d.Industries, v) {
			s.ExcludedIndustries = append(s.ExcludedIndustries, v)
		}
	}
	s.planted = d
	return s
}

// drawSome takes one to three values.
func drawSome(r *rand.Rand, from []string) []string {
	from = slices.Clone(from)
	r.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
	return from[:1+r.IntN(3)]
}

// market is 10,000 invented roles with those planted for 300 seekers.
var market = sync.OnceValues(func() (docs []roleindex.Doc, all []seeker) {
	docs = trial.Docs(10_000, now)
	for i := range 300 {
		s := seekerAt(i)
		docs = append(docs, s.planted)
		all = append(all, s)
	}
	return docs, all
})

// The ideal role is among the first three for nine of ten candidates.
func TestPlantedRolesComeFirst(t *testing.T) {
	t.Parallel()
	docs, seekers := market()
	v := newTestView(t, docs...)
	first := 0
	third := 0
	for _, s := range seekers {
		found := recommend.Rank(v, open, s.Candidate.Criteria(now))
		at := slices.IndexFunc(found, func(r recommend.Recommendation) bool { return r.ID == s.planted.ID })
		if at == 0 {
			first++
		}
		if at >= 0 && at < 3 {
			third++
		}
	}
	t.Logf("of %d planted roles %d are first, %d among the first three", len(seekers), first, third)
	if third*10 < len(seekers)*9 {
		t.Errorf("%d of %d planted roles are among the first three; want 90 %%", third, len(seekers))
	}
}

// brokenConstraint is what breaks a constraint, written down as plainly as can be.
func brokenConstraint(c recommend.Candidate, d roleindex.Doc) string {
	has := func(list []string) func(string) bool {
		return func(v string) bool { return slices.Contains(list, v) }
	}
	us := []string{
		"boston", "chicago", "denver", "florida", "los_angeles", "minnesota", "new_york", "sacramento", "san_francisco",
		"seattle", "south_bay_area", "texas", "washington_dc",
	}
	places := c.Locations
	if d.Workplace == "REMOTE" && slices.ContainsFunc(places, has(us)) {
		places = slices.Concat(places, us)
	}
	salary := max(d.SalaryUpper, d.SalaryLower)
	switch {
	case d.Status != "ACTIVE":
		return "it is not active"
	case slices.Contains(d.Flags, roleindex.SelfServeClosed) || slices.Contains(d.Flags, roleindex.StoppedReviewing):
		return "it is closed"
	case slices.ContainsFunc(d.Industries, has(c.ExcludedIndustries)):
		return "its industry is excluded"
	case d.Workplace != "" && len(c.Workplaces) > 0 && !slices.Contains(c.Workplaces, d.Workplace):
		return "another workplace"
	case len(c.Locations) > 0 && len(d.Locations) > 0 && !slices.ContainsFunc(d.Locations, has(places)):
		return "another place"
	case salary > 0 && math.Round(salary/1000) < math.Round(float64(c.SalaryFloor)/1000):
		return "the salary is below the floor"
	case c.VisaNeeded && !slices.Contains(d.Flags, roleindex.VisaSponsorship):
		return "no visa is sponsored"
	}
	return ""
}

// masteredShare is the share of a role's stack that a candidate has.
func masteredShare(c recommend.Candidate, d roleindex.Doc) float64 {
	n := 0
	skills := map[string]bool{}
	for _, s := range c.Skills {
		skills[text.Fold(s)] = true
	}
	for _, s := range d.TechStack {
		if skills[text.Fold(s)] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(d.TechStack)))
}

func sameType(c recommend.Candidate, d roleindex.Doc) bool {
	return slices.ContainsFunc(d.RoleTypes, func(v string) bool { return slices.Contains(c.RoleTypes, v) })
}

// gradeRole is how good a recommendation would be, by a rule that knows no weights.
func gradeRole(c recommend.Candidate, d roleindex.Doc) float64 {
	if !sameType(c, d) || brokenConstraint(c, d) != "" {
		return 0
	}
	switch share := masteredShare(c, d); {
	case share >= 0.8:
		return 3
	case share >= 0.5:
		return 2
	}
	return 1
}

// discountedGain is the discounted gain of the first 15 grades.
func discountedGain(grades []float64) (sum float64) {
	for i, g := range grades[:min(len(grades), recommend.MaxRecommendations)] {
		sum += (math.Exp2(g) - 1) / math.Log2(float64(i+2))
	}
	return sum
}

// TestGain measures nDCG@15 beside a ranker by chance and one by role type alone,
// both of open roles only.
func TestGain(t *testing.T) {
	t.Parallel()
	docs, seekers := market()
	v := newTestView(t, docs...)
	byID := map[string]roleindex.Doc{}
	for _, d := range docs {
		byID[d.ID] = d
	}
	sums := map[string]float64{}
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range seekers {
		graded := func(ids []string) (all []float64) {
			for _, id := range ids {
				all = append(all, gradeRole(s.Candidate, byID[id]))
			}
			return all
		}
		var best []float64
		for _, d := range docs {
			best = append(best, gradeRole(s.Candidate, d))
		}
		slices.SortFunc(best, func(a, b float64) int { return cmp.Compare(b, a) })
		for name, ids := range map[string][]string{
			"matcher": rankedIDs(v, s), "by role type": byType(v, s), "by chance": byChance(r, docs),
		} {
			sums[name] += discountedGain(graded(ids)) / discountedGain(best) / float64(len(seekers))
		}
	}
	t.Logf("nDCG@15: matcher %.3f, by role type %.3f, by chance %.3f", sums["matcher"], sums["by role type"], sums["by chance"])
	if sums["matcher"] < 0.9 || sums["matcher"] < sums["by role type"]+0.2 || sums["by role type"] <= sums["by chance"] {
		t.Errorf("nDCG@15 %v; want the matcher far ahead", sums)
	}
}

func rankedIDs(v *roleindex.View, s seeker) (ids []string) {
	for _, r := range recommend.Rank(v, open, s.Candidate.Criteria(now)) {
		ids = append(ids, r.ID)
	}
	return ids
}

// byType are the open roles of the types in Browse order.
func byType(v *roleindex.View, s seeker) (ids []string) {
	q := open
	q.AnyOf = map[roleindex.Field][]string{roleindex.Status: {"ACTIVE"}, roleindex.RoleType: s.RoleTypes}
	q.Limit = recommend.MaxRecommendations
	for _, row := range v.Search(q).Rows {
		ids = append(ids, row.ID)
	}
	return ids
}

func byChance(r *rand.Rand, docs []roleindex.Doc) (ids []string) {
	for len(ids) < recommend.MaxRecommendations {
		if d := docs[r.IntN(len(docs))]; brokenConstraint(recommend.Candidate{}, d) == "" {
			ids = append(ids, d.ID)
		}
	}
	return ids
}
