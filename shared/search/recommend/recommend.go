// Package recommend is the matcher: which roles of the catalogue suit a candidate
// (contract, recommended-roles).
//
// Hard constraints come first: a role that breaks one is never ranked. Other roles are
// scored from 0 to 1 over the parts of Weights, from the columns of the catalogue: those
// of the sought types first, others only if one could still be among the best. What is
// not known about a role or a candidate breaks no constraint and earns a share of a part
// only (Weight.Unknown).
//
// The package reads the catalogue's columns and nothing else: no store, no clock, no
// caller. Which roles are open to a caller, and which the candidate was submitted to,
// comes in with the query.
package recommend

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"
	"unicode"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/text"
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
func (r Recommendation) Band() contract.RecommendationBand {
	if r.Score >= minEndorsed {
		return contract.RecommendationBandEndorsed
	}
	return contract.RecommendationBandSuggested
}

// Rank returns the best of the roles that the query matches, best first, at most
// MaxRecommendations; ties are in Browse order. What counts of the query is what
// [roleindex.View.Segments] reads. It should match open roles only.
//
// Roles of other types than those sought need a skill of the candidate. They are read only if they
// could still be among the best.
func Rank(v *roleindex.View, q roleindex.Query, c *Criteria) []Recommendation {
	if c.VisaNeeded {
		q = restrict(q, roleindex.FlagField, []string{string(roleindex.VisaSponsorship)})
	}
	listed := map[string]bool{} // the skills that a role has
	var tables []*factTable
	var best []Recommendation
	for _, s := range v.Segments(restrict(q, roleindex.RoleType, slices.Collect(maps.Keys(c.facts[roleindex.RoleType])))) {
		t := c.newTable(s, listed)
		tables = append(tables, t)
		best = append(best, t.rankRoles()...)
	}
	best = bestOf(best)
	if len(best) == MaxRecommendations && best[len(best)-1].Score > highestOfOtherTypes {
		return best
	}
	for i, s := range v.Segments(restrict(q, roleindex.TechStack, slices.Collect(maps.Keys(listed)))) {
		t := tables[i]
		t.Segment = s
		t.ranked = SameType | NearType
		best = append(best, t.rankRoles()...)
	}
	return bestOf(best)
}

// restrict returns the query with values of a field, of which a role must also have one.
func restrict(q roleindex.Query, f roleindex.Field, values []string) roleindex.Query {
	if accepted, ok := q.AnyOf[f]; ok {
		values = slices.DeleteFunc(values, func(v string) bool { return !slices.Contains(accepted, v) })
	}
	anyOf := map[roleindex.Field][]string{}
	maps.Copy(anyOf, q.AnyOf)
	anyOf[f] = values
	q.AnyOf = anyOf
	return q
}

// bestOf sorts recommendations, best first, and returns the first.
func bestOf(all []Recommendation) []Recommendation {
	slices.SortFunc(all, func(a, b Recommendation) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), MaxRecommendations)]
}

type scoredRole struct {
	role    int
	score   float64
	reasons Reasons
}

// bestRoles are the best roles of a segment so far, best first.
type bestRoles []scoredRole

// admits reports whether a role with the score would be among the best. Roles come in Browse
// order: the later one of a tie goes behind.
func (b bestRoles) admits(score float64) bool {
	return score >= minSuggested && (len(b) < MaxRecommendations || score > b[MaxRecommendations-1].score)
}

func (t *factTable) rankRoles() []Recommendation {
	best := make(bestRoles, 0, MaxRecommendations+1)
	var reasons Reasons
	for role := range t.Roles() {
		if !t.creditFacets(role, &reasons) || !best.admits(reasons.Score()) {
			continue
		}
		figures := t.Figures(role)
		if figures.SalaryUpper > 0 && figures.SalaryUpper < t.Floor {
			continue
		}
		reasons[Salary] = t.salaryCredit(figures)
		reasons[Experience] = t.experienceCredit(figures)
		reasons[CompanySize] = t.sizeCredit(figures)
		reasons[Freshness] = fadingCredit(t.Hour-t.PostedHour(role), FreshHours)
		if score := reasons.Score(); best.admits(score) {
			at := sort.Search(len(best), func(i int) bool { return best[i].score < score })
			best = slices.Insert(best, at, scoredRole{role, score, reasons})
			best = best[:min(len(best), MaxRecommendations)]
		}
	}
	out := make([]Recommendation, len(best))
	for i, s := range best {
		out[i] = Recommendation{Row: t.Row(s.role), Score: s.score, Reasons: s.reasons}
	}
	return out
}

// maxTerms bounds the terms of a candidate's texts that are looked up.
const maxTerms = 1000

// SkillTerms returns what could be technologies in the texts of a resume and a profile:
// words and pairs of words, folded, each once. Words of one or two letters are left out:
// in a text, "go" and "r" are ordinary words.
func SkillTerms(texts ...string) []string {
	var terms []string
	seen := map[string]bool{}
	add := func(term string) {
		if len(term) > 2 && !seen[term] && len(terms) < maxTerms {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	isSeparator := func(r rune) bool { // no technology is spelled with it
		isPart := unicode.IsLetter(r) || unicode.IsNumber(r) || strings.ContainsRune(".+#-", r)
		return !isPart
	}
	for _, t := range texts {
		last := ""
		for _, word := range strings.FieldsFunc(text.Fold(t), isSeparator) {
			word = strings.TrimRight(word, ".-")
			if word == "" {
				continue
			}
			add(word)
			if last != "" {
				add(last + " " + word)
			}
			last = word
		}
	}
	return terms
}

// RoleTypesOf returns the role types with all of their words in a job title: "Senior
// Backend Engineer" is a backend_engineer.
func RoleTypesOf(title string) (types []string) {
	words := text.Words(title)
	for _, key := range contract.RoleTypes.Values {
		if !slices.ContainsFunc(strings.Split(key, "_"), func(w string) bool { return !slices.Contains(words, w) }) {
			types = append(types, key)
		}
	}
	return types
}
