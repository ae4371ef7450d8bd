// Package trial tests a search engine with the invented catalogue: queries as people type them, the same with
// typos, and how much of the clean result the misspelt query still finds.
//
// Recall is the share of an engine's first 20 results of the clean query that are among
// its first 20 of the misspelt one. It compares an engine with itself: it measures how
// much a typo costs, not how good the results are.
package trial

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo/roles"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Docs returns the first n invented roles as the catalogue knows them.
func Docs(n int, now time.Time) []roleindex.Doc {
	docs := make([]roleindex.Doc, 0, n)
	for r := range roles.All(n, now) {
		c := &r.Company
		d := roleindex.Doc{
			ID: r.ID, BrowseRank: int(r.BrowseRank), PostedAt: r.PostedAt.Time, UpdatedAt: r.UpdatedAt.Time,
			Name: r.Title, Company: c.Name, OneLiner: *c.OneLiner, Description: *r.Description,
			Locations: r.LocationKeys, RoleTypes: r.RoleTypes, Industries: c.Industries, Workplace: *r.WorkplaceType,
			FundingRound: *c.FundingRound, CompanyTier: *c.Tier, Density: *r.Density, Status: string(r.Status),
			TechStack: r.TechStack, Investors: c.Investors,
			SalaryLower: float64(optional.Value(r.Salary.Min)), SalaryUpper: float64(optional.Value(r.Salary.Max)),
			YearsMin: *r.YearsMin, YearsMax: optional.Value(r.YearsMax), FeePercent: *r.Fee.PercentOfSalary, CompanySize: int(*c.Size),
		}
		for f, holds := range map[roleindex.Flag]bool{
			roleindex.SelfServeClosed: r.NotAcceptingRecruiters, roleindex.StoppedReviewing: r.StoppedReviewing,
			roleindex.VisaSponsorship: *r.VisaSponsorship,
		} {
			if holds {
				d.Flags = append(d.Flags, f)
			}
		}
		slices.Sort(d.Flags)
		docs = append(docs, d)
	}
	return docs
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
		d := &docs[r.IntN(len(docs))]
		title := text.Words(d.Name)
		company := text.Words(d.Company)
		place := text.Words(pickOne(r, d.Locations))
		tool := text.Words(pickOne(r, d.TechStack))
		var words []string // some of the title, with or without company, place or tool; or the company; or its trade
		switch r.IntN(6) {
		case 0:
			words = title
		case 1:
			words = company
		case 2:
			words = slices.Concat(place, title)
		case 3:
			words = slices.Concat(title[len(title)-1:], tool)
		case 4:
			words = slices.Concat(company, title[:1])
		case 5:
			trade := text.Words(d.OneLiner)
			words = trade[max(0, len(trade)-1-r.IntN(2)):]
		}
		words = words[:min(len(words), 4)]
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

// pickOne returns one of the values, the zero value if there is none.
func pickOne[T any](r *rand.Rand, from []T) (picked T) {
	if len(from) > 0 {
		picked = from[r.IntN(len(from))]
	}
	return picked
}

// misspellWords puts the typos in words that are long enough for a search to forgive them: one from four
// letters on, two from eight. First letters stay, because people hardly ever get them wrong.
func misspellWords(r *rand.Rand, words []string, way Typo) (Pair, bool) {
	clean := slices.Clone(words)
	allowed := make([]int, len(words))
	if way == Prefix {
		last := len(words) - 1
		if len(words) == 0 || len(words[last]) < 6 {
			return Pair{}, false
		}
		clean[last] = words[last][:5+r.IntN(len(words[last])-5)]
	}
	for i, w := range clean {
		switch {
		case way == Prefix && i < len(clean)-1, len(w) < 4, strings.ContainsAny(w, "0123456789"):
		case len(w) < 8:
			allowed[i] = 1
		default:
			allowed[i] = 2
		}
	}
	edits := 1
	if way == TwoEdits {
		edits = 2
	}
	misspelt := slices.Clone(clean)
	for range edits {
		var left []int // the words that may have a further typo
		for i, n := range allowed {
			if n > 0 {
				left = append(left, i)
			}
		}
		if len(left) == 0 {
			return Pair{}, false
		}
		i := pickOne(r, left)
		allowed[i]--
		misspelt[i] = applyEdit(r, misspelt[i], way)
	}
	p := Pair{strings.Join(clean, " "), strings.Join(misspelt, " ")}
	return p, p.Clean != p.Misspelt
}

func applyEdit(r *rand.Rand, w string, way Typo) string {
	letter := string(rune('a' + r.IntN(26)))
	if way == Swap {
		at := 1 + r.IntN(len(w)-2)
		return w[:at] + w[at+1:at+2] + w[at:at+1] + w[at+2:]
	}
	at := 1 + r.IntN(len(w)-1)
	switch r.IntN(3) {
	case 0:
		return w[:at] + letter + w[at+1:]
	case 1:
		return w[:at] + w[at+1:]
	}
	return w[:at] + letter + w[at:]
}

// Judged is a query and how well roles answer it.
type Judged struct {
	Query string
	Form  string // clean, misspelt or unfinished
	// Grades are 3 for a role that the person wants, 2 and 1 for roles that are near it, by id. Other
	// roles have 0.
	Grades map[string]int
}

// Judge draws n queries with grades for the first roles. The grades are made of the attributes a role was
// invented from (its occupation, family, level, place, technologies and company), and never of where or
// how a text has the words of the query. Different seeds give different queries.
func Judge(count int, now time.Time, seed uint64, n int) []Judged {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	all := slices.Collect(roles.All(count, now))
	judged := make([]Judged, 0, n)
	for len(judged) < n {
		wanted, grade := drawNeed(r, &all[r.IntN(len(all))])
		words := text.Words(wanted)
		query := strings.Join(words, " ")
		form := "clean"
		switch r.IntN(4) {
		case 0:
			p, ok := misspellWords(r, words, OneEdit)
			if !ok {
				continue
			}
			query = p.Misspelt
			form = "misspelt"
		case 1:
			last := words[len(words)-1]
			if len(last) < 5 {
				continue
			}
			query = strings.TrimSuffix(query, last) + last[:3+r.IntN(len(last)-3)]
			form = "unfinished"
		}
		j := Judged{Query: query, Form: form, Grades: map[string]int{}}
		for i := range all {
			if g := grade(&all[i]); g > 0 {
				j.Grades[all[i].ID] = g
			}
		}
		judged = append(judged, j)
	}
	return judged
}

// drawNeed returns what a person who wants the role types, and how well other roles fit.
func drawNeed(r *rand.Rand, d *roles.Role) (words string, grade func(*roles.Role) int) {
	key := d.RoleTypes[0]
	occupation := strings.TrimSpace(strings.TrimPrefix(d.Title, d.Level))
	fit := func(other *roles.Role) int { // by the occupation: the same one, another of its type, another of its family
		switch {
		case strings.TrimSpace(strings.TrimPrefix(other.Title, other.Level)) == occupation:
			return 3
		case other.RoleTypes[0] == key:
			return 2
		case slices.Contains(other.RoleTypes, key) && other.Family == d.Family:
			return 1
		}
		return 0
	}
	switch r.IntN(6) {
	case 0:
		return occupation, fit
	case 1: // a level that the person cares for, but less than for the occupation
		return d.Level + " " + occupation, func(other *roles.Role) int { return lower(fit(other), other.Level != d.Level) }
	case 2:
		place := pickOne(r, d.LocationKeys)
		return occupation + " " + place, func(other *roles.Role) int {
			return lower(fit(other), !slices.Contains(other.LocationKeys, place))
		}
	case 3:
		tool := pickOne(r, d.TechStack)
		last := text.Words(occupation)
		return tool + " " + last[len(last)-1], func(other *roles.Role) int {
			if !slices.Contains(other.TechStack, tool) {
				return 0
			}
			return cmp.Or(fit(other), 1)
		}
	case 4:
		return d.Company.Name, func(other *roles.Role) int { return 3 * boolInt(other.Company.ID == d.Company.ID) }
	}
	return d.Company.Name + " " + strings.Fields(occupation)[0], func(other *roles.Role) int {
		if other.Company.ID != d.Company.ID {
			return 0
		}
		return max(1, fit(other))
	}
}

// lower returns a grade, or if a wish is not met, the one below.
func lower(grade int, unmet bool) int { return max(0, grade-boolInt(unmet)) }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

const judgedRows = 10

// NDCG returns the mean normalized discounted cumulative gain of an engine's first ten rows, from 0 to 1.
// A grade g gains 2^g−1.
func NDCG(engine Engine, judged []Judged) float64 {
	sum := 0.0
	for _, j := range judged {
		var grades []int
		for _, id := range engine(j.Query) {
			grades = append(grades, j.Grades[id])
		}
		best := slices.SortedFunc(maps.Values(j.Grades), func(a, b int) int { return b - a })
		sum += gain(grades) / gain(best)
	}
	return sum / float64(max(1, len(judged)))
}

func gain(grades []int) (sum float64) {
	for i, g := range grades[:min(len(grades), judgedRows)] {
		sum += (math.Exp2(float64(g)) - 1) / math.Log2(float64(i+2))
	}
	return sum
}
