package opensearch

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Scope is what part of an index a caller sees.
type Scope struct {
	// ApprovedIDs are roles of which the caller sees what strangers do not.
	ApprovedIDs []string
	// Changed are the roles that changed since the index was written, and View has
	// those of them that there are, as the caller sees them.
	Changed []string
	View    *roleindex.View
}

// conditions returns the query for the documents that the caller sees.
func (s Scope) conditions() object {
	own := oneOf("id", s.ApprovedIDs)
	see := equals("audience", forStrangers)
	if len(s.ApprovedIDs) > 0 {
		see = anyOf([]object{
			allOf([]object{see}, []object{allOf([]object{equals("withheld", true), own}, nil)}),
			allOf([]object{equals("audience", forApproved), own}, nil),
		})
	}
	return allOf([]object{see}, []object{oneOf("id", s.Changed)})
}

// filterConditions returns the conditions of a query other than its text.
func filterConditions(q *roleindex.Query) (all, not []object) {
	for f, values := range q.AnyOf {
		all = append(all, oneOf("facets", facets(f, values)))
	}
	for f, wanted := range q.Flags {
		holds := equals("facets", facet(roleindex.FlagField, string(f)))
		if waived := q.Waived[f]; len(waived) > 0 {
			holds = allOf([]object{holds}, []object{oneOf("id", waived)})
		}
		if wanted {
			all = append(all, holds)
		} else {
			not = append(not, holds)
		}
	}
	if q.Investors != nil {
		var names []object
		for _, part := range q.Investors {
			if folded := text.Fold(part); folded != "" { // of marks alone, which are in every name
				names = append(names, object{"wildcard": object{"investors": "*" + escapeWildcards(folded) + "*"}})
			}
		}
		all = append(all, anyOf(names))
	}
	if q.Only != nil {
		all = append(all, oneOf("id", q.Only))
	}
	if len(q.Exclude) > 0 {
		not = append(not, oneOf("id", q.Exclude))
	}
	return append(all, numberConditions(q)...), not
}

func escapeWildcards(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`).Replace(s)
}

// figureFields are the fields of a role's numbers.
var figureFields = [...]string{
	roleindex.SalaryLower: "salaryLower", roleindex.SalaryUpper: "salaryUpper", roleindex.YearsMin: "yearsMin", roleindex.YearsMax: "yearsMax",
	roleindex.FeePercent: "feePercent", roleindex.CompanySize: "companySize", roleindex.Hour: "hour",
}

// numberConditions returns the conditions of the filters on numbers.
func numberConditions(q *roleindex.Query) (all []object) {
	for _, b := range q.Bounds() {
		field := figureFields[b.Figure]
		condition := within(field, b.Least, b.Most)
		switch {
		case b.OrNone:
			condition = anyOf([]object{equals(field, 0), condition})
		case b.Figure == roleindex.FeePercent && len(q.OfferedFees) > 0:
			condition = feeCondition(condition, b.Least, q.OfferedFees)
		}
		all = append(all, condition)
	}
	return all
}

// within returns the condition of a number's bounds, of which the upper one may be none (math.MaxInt).
func within(field string, least, most int) object {
	bounds := object{"gte": least}
	if most < math.MaxInt {
		bounds["lte"] = most
	}
	return object{"range": object{field: bounds}}
}

// feeCondition accepts the fees from least on; those that are offered count in place of the
// documents' own.
func feeCondition(own object, least int, offered map[string]float64) object {
	var accepted []string
	for id, percent := range offered {
		if roleindex.RoundFee(percent) >= least {
			accepted = append(accepted, id)
		}
	}
	return anyOf([]object{
		allOf([]object{own}, []object{oneOf("id", slices.Collect(maps.Keys(offered)))}), oneOf("id", accepted),
	})
}

// textConditions returns the conditions of the query's words by a plan.
func textConditions(words []roleindex.Word, p roleindex.Plan) (all []object) {
	for i := range words {
		if p.Stage == roleindex.InProse {
			all = append(all, matchPlanned(words, i, p, false, textFields, proseFields))
		} else {
			all = append(all, matchPlanned(words, i, p, false, textFields))
		}
	}
	return all
}

// matchPlanned returns the condition that a word of the query is in one of the fields by a plan; if whole
// is set, not only as the beginning of a term.
func matchPlanned(words []roleindex.Word, i int, p roleindex.Plan, whole bool, in ...fields) object {
	var conditions []object
	for _, way := range p.Ways(words, i, whole) {
		conditions = append(conditions, matchIn(in, way, way.Typos))
	}
	if p.Stage == roleindex.JoinedAndSplit {
		w := words[i]
		w.Last = w.Last && !whole
		conditions = append(conditions, matchSplits(in, w)...)
	}
	return anyOf(conditions)
}

// matchSplits returns the conditions of a word that documents have as two in the fields.
func matchSplits(in []fields, w roleindex.Word) (ways []object) {
	for head, tail := range w.Splits() {
		ways = append(ways, allOf([]object{
			matchIn(in, roleindex.Word{Text: head}, 0), matchIn(in, roleindex.Word{Text: tail, Last: w.Last}, 0),
		}, nil))
	}
	return ways
}
