package recommend

import (
	"cmp"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Part is one part of a score.
type Part int

// The parts.
const (
	RoleType Part = iota
	Skills
	Location
	Salary
	Experience
	Workplace
	Freshness
	CompanySize
	FundingRound
	Visa
	parts
)

// Weight is how much a part counts.
type Weight struct {
	Part Part
	// Name is the part's name in logs.
	Name string
	// Code is the part's published name; "" means that it is not published.
	Code contract.RecommendationReason
	// Points are the part's share of a score; their sum is 1.
	Points float64
	// Unknown is the share of the points if the part of a role or candidate is not known.
	Unknown float64
	// Reason is why it counts that much.
	Reason string
}

// Weights is the one table of a score's parts, by Part.
var Weights = [parts]Weight{
	{RoleType, "role type", contract.ReasonRoleType, 0.40, 0, "the kind of work decides: without it no other part justifies proposing " +
		"a role, and what a candidate does must be known to propose anything"},
	{Skills, "skills", contract.ReasonSkills, 0.20, 0.25,
		"the stack distinguishes roles of one type; a stack that is not listed is no sign of fit"},
	{Location, "location", contract.ReasonLocation, 0.08, 0.5,
		"a hard constraint already; what remains is a preferred place against a remote role of the same region"},
	{Salary, "salary", contract.ReasonSalary, 0.08, 0.5, "the floor is a hard constraint; above it a salary closer to the target is better"},
	{Experience, "experience", contract.ReasonExperience, 0.08, 0.5,
		"bounds of years are often stretched by a year or two, so credit fades instead of ending"},
	{Workplace, "workplace", contract.ReasonWorkplace, 0.05, 0.5, "a hard constraint already; a stated one is more certain than an open one"},
	{Freshness, "freshness", "", 0.04, 0, "a role posted lately is more likely to be open and has fewer submissions"},
	{CompanySize, "company size", contract.ReasonCompanySize, 0.03, 0.5, "a preference that candidates readily give up"},
	{FundingRound, "funding round", contract.ReasonFundingRound, 0.03, 0.5, "as company size"},
	{Visa, "visa", "", 0.01, 0.5, "a hard constraint for a candidate who needs one, and irrelevant to others"},
}

// The credits and bounds of the parts.
const (
	AdjacentType = 0.5  // a type of the same family
	SameRegion   = 0.75 // remote work in the region of a preferred place
	FloorOnly    = 0.5  // a salary that reaches just the floor
	YearsBelow   = 30   // tenths of a year below the least at which nothing is left
	YearsAbove   = 80   // tenths above the most: too much experience harms less
	FreshHours   = 90 * 24
)

// Reasons are the credits of the parts, each from 0 to 1, by Part.
type Reasons [parts]float64

// Score returns the sum of the credits, each times its points.
func (r *Reasons) Score() float64 {
	score := 0.0
	for p := range r {
		score += r[p] * Weights[p].Points
	}
	return score
}

var fullCredit = Reasons{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}

// highestOfOtherTypes is the highest score of a role with a type neither sought nor near.
var highestOfOtherTypes = func() float64 {
	r := fullCredit
	r[RoleType] = Weights[RoleType].Unknown
	return r.Score()
}()

// creditOf returns the credit of a part: full with one fact, some with another one, and with neither that of what is
// not known.
func creditOf(p Part, facts, full, partial Fact, some float64) float64 {
	switch {
	case facts&full != 0:
		return 1
	case facts&partial != 0:
		return some
	}
	return Weights[p].Unknown
}

func (c *Criteria) salaryCredit(f roleindex.Figures) float64 {
	switch {
	case f.SalaryUpper == 0 || c.Target == 0:
		return Weights[Salary].Unknown
	case f.SalaryUpper >= c.Target:
		return 1
	case c.Floor == 0:
		return float64(f.SalaryUpper) / float64(c.Target)
	}
	return FloorOnly + (1-FloorOnly)*float64(f.SalaryUpper-c.Floor)/float64(c.Target-c.Floor)
}

func (c *Criteria) experienceCredit(f roleindex.Figures) float64 {
	switch {
	case c.Tenths < 0 || f.YearsMin == 0 && f.YearsMax == 0:
		return Weights[Experience].Unknown
	case c.Tenths < f.YearsMin:
		return fadingCredit(f.YearsMin-c.Tenths, YearsBelow)
	case f.YearsMax > 0:
		return fadingCredit(c.Tenths-f.YearsMax, YearsAbove)
	}
	return 1
}

func (c *Criteria) sizeCredit(f roleindex.Figures) float64 {
	if len(c.Sizes) == 0 || f.CompanySize == 0 {
		return Weights[CompanySize].Unknown
	}
	for _, b := range c.Sizes {
		if b.Least <= f.CompanySize && f.CompanySize <= b.Most {
			return 1
		}
	}
	return 0
}

// fadingCredit returns 1 up to a distance of 0, and 0 from end on.
func fadingCredit(distance, end int) float64 {
	return min(1, max(0, 1-float64(distance)/float64(end)))
}

// Codes returns the published names of the parts that counted, most points first. A part counts
// if it has more credit than one that is not known.
func (r *Reasons) Codes() []contract.RecommendationReason {
	var counted []Weight
	for p, w := range Weights {
		if r[p] > w.Unknown && w.Code != "" {
			counted = append(counted, w)
		}
	}
	slices.SortStableFunc(counted, func(a, b Weight) int { return cmp.Compare(r[b.Part]*b.Points, r[a.Part]*a.Points) })
	names := make([]contract.RecommendationReason, len(counted))
	for i, w := range counted {
		names[i] = w.Code
	}
	return names
}

// String lists the points of every part that has any:
// "role type 0.40 of 0.40, skills 0.12 of 0.20".
func (r *Reasons) String() string {
	var all []string
	for p, w := range Weights {
		if r[p] > 0 {
			all = append(all, fmt.Sprintf("%s %.2f of %.2f", w.Name, r[p]*w.Points, w.Points))
		}
	}
	return strings.Join(all, ", ")
}

// LogValue returns the score, the band and the reasons, for operators.
func (r Recommendation) LogValue() slog.Value {
	return slog.GroupValue(slog.Float64("score", r.Score), slog.String("band", string(r.Band())), slog.String("reasons", r.Reasons.String()))
}
