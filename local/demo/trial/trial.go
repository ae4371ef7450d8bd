// Package trial tests a search engine with the invented catalogue: queries as people type
// them, the same with typos, and how much of the clean result the misspelt query still
// finds.
//
// Recall is the share of an engine's first 20 results of the clean query that are among
// its first 20 of the misspelt one. It compares an engine with itself: it measures how
// much a typo costs, not how good the results are.
package trial

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Docs returns the first n invented roles as the catalogue knows them.
func Docs(n int, now time.Time) []roleindex.Doc {
	docs := make([]roleindex.Doc, 0, n)
	for r := range roles.All(n, now) {
		docs = append(docs, newDoc(&r))
	}
	return docs
}

func newDoc(r *roles.Role) roleindex.Doc {
	c := &r.Company
	d := roleindex.Doc{
		ID: r.ID, BrowseRank: r.BrowseRank, PostedAt: r.PostedAt, UpdatedAt: r.UpdatedAt,
		Name: r.Title, Company: c.Name, OneLiner: c.OneLiner, Description: r.Description,
		Locations: r.Locations, RoleTypes: r.RoleTypes, Industries: c.Industries,
		Workplace: r.Workplace, FundingRound: c.FundingRound, CompanyTier: c.Tier, Density: r.Density, Status: r.Status,
		TechStack: r.TechStack, Investors: c.Investors,
		SalaryLower: float64(r.SalaryLower), SalaryUpper: float64(r.SalaryUpper),
		YearsMin: float64(r.YearsMin), YearsMax: float64(r.YearsMax), FeePercent: r.FeePercent, CompanySize: c.Size,
	}
	for f, holds := range map[roleindex.Flag]bool{
		roleindex.SelfServeClosed: r.SelfServeClosed, roleindex.StoppedReviewing: r.StoppedReviewing, roleindex.VisaSponsorship: r.VisaSponsorship,
	} {
		if holds {
			d.Flags = append(d.Flags, f)
		}
	}
	return d
}

// Engine returns the ids of the first 20 roles that match a query.
type Engine func(query string) []string

// Typo is a way of misspelling.
type Typo string

// The ways of misspelling.
const (
	OneEdit  Typo = "one edit"  // a letter replaced, missing or added
	TwoEdits Typo = "two edits" // two of them, in one word or two
	Swap     Typo = "swap"      // two neighbours swapped
	Prefix   Typo = "prefix"    // one edit in an unfinished last word
)

// Typos are all ways of misspelling.
var Typos = []Typo{OneEdit, TwoEdits, Swap, Prefix}

// Pair is a query and the same with a typo.
type Pair struct{ Clean, Misspelt string }

// Pairs returns n queries for the roles, each misspelt in the one way. The same roles
// always give the same queries.
func Pairs(docs []roleindex.Doc, way Typo, n int) []Pair {
	r := rand.New(rand.NewPCG(uint64(len(way)), uint64(n)))
	pairs := make([]Pair, 0, n)
	for len(pairs) < n {
		words := drawPhrase(r, &docs[r.IntN(len(docs))])
		if p, ok := misspellWords(r, words, way); ok {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// Recall returns the mean recall of an engine over pairs, from 0 to 1.
func Recall(engine Engine, pairs []Pair) float64 {
	sum := 0.0
	counted := 0
	for _, p := range pairs {
		want := engine(p.Clean)
		got := engine(p.Misspelt)
		if len(want) == 0 {
			continue
		}
		lost := slices.DeleteFunc(slices.Clone(want), func(id string) bool { return slices.Contains(got, id) })
		sum += float64(len(want)-len(lost)) / float64(len(want))
		counted++
	}
	return sum / float64(max(1, counted))
}
