package opensearch

import (
	"context"
	"math"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// choices is how many documents are worth scoring exactly, a multiple of those recommended: the
// engine's scores are rounded to 24 bits, which matters to ties only.
const choices = 20 * recommend.MaxRecommendations

// Choose returns a view of the documents of the index that are best for a candidate, without
// their texts, for [recommend.Rank], and the head of the index. Roles that changed since are
// not among them.
func (x *Index) Choose(ctx context.Context, q roleindex.Query, s Scope, c *recommend.Criteria) (_ *roleindex.View, _ Head, err error) {
	defer fault.Wrap(&err, "opensearch.Choose")

	t := &search{Index: x, client: x.searches}
	all, not := filterConditions(&q)
	must, mustNot := constraints(c)
	request := object{
		"size": choices, "track_total_hits": false, "sort": []any{"_score", "key", "id"},
		"query": object{"bool": object{
			"filter": append(append(all, s.conditions()), must...), "must_not": append(not, mustNot...), "should": credits(c),
		}},
	}
	answers, err := t.multiSearch(ctx, []object{request})
	if err != nil {
		return nil, t.head, err
	}
	docs := map[string]*roleindex.Doc{}
	for _, h := range answers[0].Hits.Hits {
		docs[h.Source.ID] = new(h.Source.Doc())
	}
	return roleindex.Join().Overlay(docs), t.head, nil
}

func constraints(c *recommend.Criteria) (must, mustNot []object) {
	is := func(f roleindex.Field, facts recommend.Fact) object { return hasFacet(f, c.Values(f, facts)...) }
	suits := []object{is(roleindex.RoleType, recommend.SameType|recommend.NearType), hasFacet(roleindex.TechStack, c.Skills...)}
	must = []object{anyOf(suits)}
	if c.VisaNeeded {
		must = append(must, hasFacet(roleindex.FlagField, string(roleindex.VisaSponsorship)))
	}
	isNear := anyOf([]object{
		is(roleindex.Location, recommend.PreferredPlace),
		allOf([]object{hasFacet(roleindex.Workplace, recommend.Remote), is(roleindex.Location, recommend.PreferredRegion)}, nil),
	})
	mustNot = []object{
		is(roleindex.Industry, recommend.Excluded), is(roleindex.Workplace, recommend.OtherWorkplace),
		allOf([]object{is(roleindex.Location, recommend.OtherPlace)}, []object{isNear}),
		within("salaryUpper", 1, c.Floor-1),
	}
	return must, mustNot
}

// credits returns the parts of a score (recommend.Weights): what a role has, in points.
// Parts that every role has alike are left out.
func credits(c *recommend.Criteria) (parts []object) {
	credit := func(p recommend.Part, share float64, condition object) {
		parts = append(parts, constantScore(share*recommend.Weights[p].Points, condition))
	}
	is := func(f roleindex.Field, facts recommend.Fact) object { return hasFacet(f, c.Values(f, facts)...) }
	unknown := func(p recommend.Part) float64 { return recommend.Weights[p].Unknown }
	credit(recommend.RoleType, recommend.AdjacentType, is(roleindex.RoleType, recommend.SameType|recommend.NearType))
	credit(recommend.RoleType, 1-recommend.AdjacentType, is(roleindex.RoleType, recommend.SameType))
	// A role in the region has more than one of no known place, and one in a preferred place most.
	credit(recommend.Location, recommend.SameRegion-unknown(recommend.Location), is(roleindex.Location, recommend.PreferredRegion))
	credit(recommend.Location, 1-recommend.SameRegion, is(roleindex.Location, recommend.PreferredPlace))
	credit(recommend.Workplace, 1-unknown(recommend.Workplace), is(roleindex.Workplace, recommend.PreferredWorkplace))
	credit(recommend.FundingRound, 1-unknown(recommend.FundingRound), is(roleindex.FundingRound, recommend.PreferredRound))
	isOther := is(roleindex.FundingRound, recommend.OtherRound)
	credit(recommend.FundingRound, unknown(recommend.FundingRound), allOf(nil, []object{isOther}))
	if !c.VisaNeeded {
		credit(recommend.Visa, 1-unknown(recommend.Visa), hasFacet(roleindex.FlagField, string(roleindex.VisaSponsorship)))
	}
	credit(recommend.Skills, unknown(recommend.Skills), equals("skillShare", 0))
	var skills []object
	for _, facet := range slices.Compact(slices.Sorted(slices.Values(facets(roleindex.TechStack, c.Skills)))) {
		skills = append(skills, constantScore(1, equals("facets", facet)))
	}
	mastered := object{"function_score": object{ // the share of the stack that the candidate masters
		"query":              anyOf(skills),
		"field_value_factor": object{"field": "skillShare", "factor": recommend.Weights[recommend.Skills].Points, "missing": 0},
		"boost_mode":         "multiply",
	}}
	isPosted := within("hour", 1, math.MaxInt)
	parts = append(parts, mastered, fade(recommend.Freshness, "hour", c.Hour, recommend.FreshHours, isPosted))
	if len(c.Sizes) > 0 {
		credit(recommend.CompanySize, unknown(recommend.CompanySize), equals("companySize", 0))
		var ranges []object
		for _, s := range c.Sizes {
			ranges = append(ranges, within("companySize", s.Least, s.Most))
		}
		credit(recommend.CompanySize, 1, anyOf(ranges))
	}
	return append(append(parts, salaryCredits(c)...), experienceCredits(c)...)
}

// fade credits a number fully at one value, and less on both sides until nothing is left at a
// distance.
func fade(p recommend.Part, field string, at, distance int, condition object) object {
	return object{"function_score": object{
		"query": constantScore(recommend.Weights[p].Points, condition),
		// What is half as far as where nothing is left has half.
		"linear": object{field: object{"origin": at, "scale": float64(distance) / 2, "decay": 0.5}}, "boost_mode": "multiply",
	}}
}

func salaryCredits(c *recommend.Criteria) []object {
	if c.Target == 0 {
		return nil
	}
	weight := recommend.Weights[recommend.Salary]
	distance := c.Target
	if c.Floor > 0 {
		distance = max(1, int(float64(c.Target-c.Floor)/(1-recommend.FloorOnly)))
	}
	return []object{
		constantScore(weight.Unknown*weight.Points, equals("salaryUpper", 0)),
		constantScore(weight.Points, within("salaryUpper", c.Target, math.MaxInt)),
		fade(recommend.Salary, "salaryUpper", c.Target, distance, within("salaryUpper", 1, c.Target-1)),
	}
}

func experienceCredits(c *recommend.Criteria) []object {
	if c.Tenths < 0 {
		return nil
	}
	weight := recommend.Weights[recommend.Experience]
	open := equals("yearsMax", 0)
	enough := within("yearsMin", 0, c.Tenths)
	return []object{
		constantScore(weight.Unknown*weight.Points, allOf([]object{equals("yearsMin", 0), open}, nil)),
		constantScore(weight.Points, anyOf([]object{
			allOf([]object{within("yearsMin", 1, c.Tenths), open}, nil),
			allOf([]object{enough, within("yearsMax", max(1, c.Tenths), math.MaxInt)}, nil),
		})),
		fade(recommend.Experience, "yearsMin", c.Tenths, recommend.YearsBelow, within("yearsMin", c.Tenths+1, math.MaxInt)),
		fade(recommend.Experience, "yearsMax", c.Tenths, recommend.YearsAbove, allOf([]object{enough, within("yearsMax", 1, c.Tenths-1)}, nil)),
	}
}
