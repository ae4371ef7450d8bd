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
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Judged is a query and how well roles answer it.
type Judged struct {
	Query string
	// Form is how the query was typed: clean, misspelt or unfinished.
	Form string
	// Grades are 3 for a role that the person wants, 2 and 1 for roles that are near it, by id. Other
	// roles have 0.
	Grades map[string]int
}

// need is what a person wants who types a query: the words, and how well a role fits.
type need struct {
	words string
	grade func(*roles.Role) int
}

// Judge draws n queries with grades for the first roles. The grades are made of the attributes a role was
// invented from (its occupation, family, level, place, technologies and company), and never of where or
// how a text has the words of the query. Different seeds give different queries.
func Judge(count int, now time.Time, seed uint64, n int) []Judged {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	all := slices.Collect(roles.All(count, now))
	judged := make([]Judged, 0, n)
	for len(judged) < n {
		wanted := drawNeed(r, &all[r.IntN(len(all))])
		query, form, ok := typeQuery(r, text.Words(wanted.words))
		if !ok {
			continue
		}
		j := Judged{Query: query, Form: form, Grades: map[string]int{}}
		for i := range all {
			if g := wanted.grade(&all[i]); g > 0 {
				j.Grades[all[i].ID] = g
			}
		}
		judged = append(judged, j)
	}
	return judged
}

func drawNeed(r *rand.Rand, d *roles.Role) need {
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
		return need{occupation, fit}
	case 1: // a level that the person cares for, but less than for the occupation
		return need{d.Level + " " + occupation, func(other *roles.Role) int { return lower(fit(other), other.Level != d.Level) }}
	case 2:
		place := pickOne(r, d.LocationKeys)
		return need{occupation + " " + place, func(other *roles.Role) int {
			return lower(fit(other), !slices.Contains(other.LocationKeys, place))
		}}
	case 3:
		tool := pickOne(r, d.TechStack)
		last := text.Words(occupation)
		return need{tool + " " + last[len(last)-1], func(other *roles.Role) int {
			if !slices.Contains(other.TechStack, tool) {
				return 0
			}
			return cmp.Or(fit(other), 1)
		}}
	case 4:
		return need{d.Company.Name, func(other *roles.Role) int { return 3 * boolInt(other.Company.ID == d.Company.ID) }}
	}
	return need{d.Company.Name + " " + strings.Fields(occupation)[0], func(other *roles.Role) int {
		if other.Company.ID != d.Company.ID {
			return 0
		}
		return max(1, fit(other))
	}}
}

// lower returns a grade, or if a wish is not met, the one below.
func lower(grade int, unmet bool) int { return max(0, grade-boolInt(unmet)) }

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// typeQuery types words: half of the time as they are, else with a typo or with the last word unfinished.
func typeQuery(r *rand.Rand, words []string) (query, form string, ok bool) {
	switch r.IntN(4) {
	case 0:
		p, ok := misspellWords(r, words, OneEdit)
		return p.Misspelt, "misspelt", ok
	case 1:
		last := words[len(words)-1]
		if len(last) < 5 {
			return "", "", false
		}
		words = append(slices.Clone(words[:len(words)-1]), last[:3+r.IntN(len(last)-3)])
		return strings.Join(words, " "), "unfinished", true
	}
	return strings.Join(words, " "), "clean", true
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
