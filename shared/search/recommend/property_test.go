package recommend_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// A few values each, so that they meet.
var (
	someTypes      = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"backend_engineer", "full_stack_engineer", "people_talent"}), 0, 2, rapid.ID)
	somePlaces     = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"new_york", "texas", "india", "uk", "korea"}), 0, 2, rapid.ID)
	someIndustries = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"gaming", "fintech", "law"}), 0, 2, rapid.ID)
	someStack      = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"Go", "Rust", "PostgreSQL", "C++"}), 0, 4, rapid.ID)
	someWorkplaces = rapid.SliceOfNDistinct(rapid.SampledFrom(contract.WorkplaceTypes.Values), 0, 2, rapid.ID)
	aSalary        = rapid.SampledFrom([]int{0, 80_000, 99_400, 99_600, 100_000, 150_000})
)

func drawOne(t *rapid.T, label string, from []string) string {
	return rapid.SampledFrom(append([]string{""}, from...)).Draw(t, label)
}

func anyCandidate(t *rapid.T) recommend.Candidate {
	c := recommend.Candidate{
		RoleTypes: someTypes.Draw(t, "types"), Locations: somePlaces.Draw(t, "places"), Workplaces: someWorkplaces.Draw(t, "workplaces"),
		ExcludedIndustries: someIndustries.Draw(t, "excluded"), VisaNeeded: rapid.Bool().Draw(t, "visa"),
		SalaryFloor: int64(aSalary.Draw(t, "floor")), Skills: someStack.Draw(t, "skills"),
		FundingRounds: rapid.SliceOfN(rapid.SampledFrom(contract.FundingRounds.Values), 0, 3).Draw(t, "rounds"),
		CompanySizes:  rapid.SliceOfN(rapid.SampledFrom(contract.CompanySizes.Values), 0, 3).Draw(t, "sizes"),
	}
	if rapid.Bool().Draw(t, "known") {
		c.Years = new(rapid.Float64Range(0, 50).Draw(t, "years"))
	}
	return c
}

func anyRoles(t *rapid.T, n int) []roleindex.Doc {
	docs := make([]roleindex.Doc, n)
	for i := range docs {
		d := roleindex.Doc{
			ID: fmt.Sprint("r", i), BrowseRank: rapid.IntRange(0, 2).Draw(t, "rank"), PostedAt: now.AddDate(0, 0, -rapid.IntRange(0, 200).Draw(t, "age")),
			RoleTypes: someTypes.Draw(t, "types"), Locations: somePlaces.Draw(t, "places"), Industries: someIndustries.Draw(t, "industries"),
			Workplace: drawOne(t, "workplace", contract.WorkplaceTypes.Values), FundingRound: drawOne(t, "round", contract.FundingRounds.Values),
			Status: rapid.SampledFrom([]string{"ACTIVE", "ACTIVE", "PAUSED"}).Draw(t, "status"), TechStack: someStack.Draw(t, "stack"),
			SalaryLower: float64(aSalary.Draw(t, "lower")), SalaryUpper: float64(aSalary.Draw(t, "upper")),
			YearsMin: float64(rapid.IntRange(0, 9).Draw(t, "min")), CompanySize: rapid.IntRange(0, 2000).Draw(t, "size"),
		}
		for _, flag := range []roleindex.Flag{roleindex.VisaSponsorship, roleindex.SelfServeClosed, roleindex.StoppedReviewing} {
			if rapid.IntRange(0, 3).Draw(t, string(flag)) == 0 {
				d.Flags = append(d.Flags, flag)
			}
		}
		docs[i] = d
	}
	return docs
}

// TestConstraints: what breaks a constraint never appears, and what breaks none and
// is of a type and stack that is sought always does.
func TestConstraints(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := anyCandidate(r)
		docs := anyRoles(r, recommend.MaxRecommendations)
		found := recommend.Rank(newTestView(t, docs...), open, c.Criteria(now))
		for _, d := range docs {
			appears := slices.ContainsFunc(found, func(r recommend.Recommendation) bool { return r.ID == d.ID })
			why := brokenConstraint(c, d)
			if appears && why != "" {
				r.Fatalf("%+v appears for %+v, although %s", d, c, why)
			}
			if !appears && why == "" && sameType(c, d) && masteredShare(c, d) == 1 {
				r.Fatalf("%+v does not appear for %+v", d, c)
			}
		}
	})
}

// TestIrrelevant: what the score is not made of changes nothing: the order in which
// anything is told, and all that the weights do not name.
func TestIrrelevant(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := anyCandidate(r)
		docs := anyRoles(r, 20)
		want := recommend.Rank(newTestView(t, docs...), open, c.Criteria(now))
		other := rapid.Permutation(docs).Draw(r, "order")
		for i := range other {
			d := &other[i]
			d.Name = rapid.String().Draw(r, "name")
			d.Company = rapid.String().Draw(r, "company")
			d.OneLiner = rapid.String().Draw(r, "one-liner")
			d.Description = rapid.String().Draw(r, "description")
			d.Investors = []string{rapid.String().Draw(r, "investor")}
			d.FeePercent = rapid.Float64Range(0, 30).Draw(r, "fee")
			d.Density = drawOne(r, "density", []string{"low", "high"})
			d.CompanyTier = drawOne(r, "tier", []string{"S", "C"})
			d.UpdatedAt = now.Add(-time.Duration(i) * time.Hour)
			d.Flags = rapid.Permutation(d.Flags).Draw(r, "flags")
			d.TechStack = rapid.Permutation(d.TechStack).Draw(r, "stack")
			d.Locations = rapid.Permutation(d.Locations).Draw(r, "places")
			d.RoleTypes = rapid.Permutation(d.RoleTypes).Draw(r, "types")
		}
		again := c
		again.Skills = slices.Concat(rapid.Permutation(c.Skills).Draw(r, "skills"), c.Skills, []string{"Esperanto"})
		again.RoleTypes = slices.Concat(rapid.Permutation(c.RoleTypes).Draw(r, "types"), c.RoleTypes)
		again.Locations = rapid.Permutation(c.Locations).Draw(r, "places")
		again.CompanySizes = rapid.Permutation(c.CompanySizes).Draw(r, "sizes")
		got := recommend.Rank(newTestView(t, other...), open, again.Criteria(now))
		if diff := gocmp.Diff(summaries(want), summaries(got)); diff != "" {
			r.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

// summaries is a ranking without the roles' versions and dates.
func summaries(all []recommend.Recommendation) (lines []string) {
	for _, r := range all {
		lines = append(lines, fmt.Sprintln(r.ID, r.Score, r.Reasons, r.Band()))
	}
	return lines
}

// TestBestOfMany: the ranking of many roles is that of each role alone, merged: roles that are not
// read because they cannot be among the best are not.
func TestBestOfMany(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		c := anyCandidate(r)
		docs := anyRoles(r, 4*recommend.MaxRecommendations)
		if rapid.Bool().Draw(r, "free") { // many roles suit
			c.ExcludedIndustries = nil
			c.Workplaces = nil
			c.Locations = nil
			c.VisaNeeded = false
		}
		for i := range docs {
			docs[i].Status = "ACTIVE"
			docs[i].Flags = nil
		}
		var want []recommend.Recommendation
		for _, d := range docs {
			want = append(want, recommend.Rank(newTestView(t, d), open, c.Criteria(now))...)
		}
		slices.SortFunc(want, func(a, b recommend.Recommendation) int {
			return cmp.Or(-cmp.Compare(a.Score, b.Score), cmp.Compare(a.Key, b.Key))
		})
		want = want[:min(len(want), recommend.MaxRecommendations)]
		if diff := gocmp.Diff(summaries(want), summaries(recommend.Rank(newTestView(t, docs...), open, c.Criteria(now)))); diff != "" {
			r.Fatalf("(-want +got):\n%s", diff)
		}
	})
}
