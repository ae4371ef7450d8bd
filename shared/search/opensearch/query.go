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
		all = append(all, hasFacet(f, values...))
	}
	for f, wanted := range q.Flags {
		holds := hasFacet(roleindex.FlagField, string(f))
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
				escaped := strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`).Replace(folded)
				names = append(names, object{"wildcard": object{"investors": "*" + escaped + "*"}})
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
	return all, not
}

func hasFacet(f roleindex.Field, values ...string) object { return oneOf("facets", facets(f, values)) }

var figureFields = [...]string{
	roleindex.SalaryLower: "salaryLower", roleindex.SalaryUpper: "salaryUpper", roleindex.YearsMin: "yearsMin", roleindex.YearsMax: "yearsMax",
	roleindex.FeePercent: "feePercent", roleindex.CompanySize: "companySize", roleindex.Hour: "hour",
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
		for head, tail := range w.Splits() { // documents have the word as two
			conditions = append(conditions, allOf([]object{
				matchIn(in, roleindex.Word{Text: head}, 0), matchIn(in, roleindex.Word{Text: tail, Last: w.Last}, 0),
			}, nil))
		}
	}
	return anyOf(conditions)
}

// relevanceParts returns the parts of a document's score by a plan, in points (package roleindex). OpenSearch
// adds them up in floating-point numbers of 24 bits, which are exact for scores.
func relevanceParts(words []roleindex.Word, p roleindex.Plan) (parts []object) {
	for i := range words {
		points := wordPoints(words, i, p, false, 0)
		if i == len(words)-1 {
			points = append(points, wordPoints(words, i, p, true, roleindex.WholePoints)...)
		}
		parts = append(parts, object{"dis_max": object{"queries": points}})
	}
	var pairs []object
	for _, pair := range p.Pairs(words) {
		pairs = append(pairs, matchIn([]fields{pairFields}, pair, pair.Typos))
	}
	if len(pairs) > 0 {
		parts = append(parts, constantScore(roleindex.AdjacentPoints, allOf(pairs, nil)))
	}
	return parts
}

// wordPoints returns what a word gives in each field, of which the most counts.
func wordPoints(words []roleindex.Word, i int, p roleindex.Plan, whole bool, more float64) []object {
	points := []object{
		constantScore(more+roleindex.TitlePoints, matchPlanned(words, i, p, whole, titleFields)),
		constantScore(more+roleindex.CompanyPoints, matchPlanned(words, i, p, whole, companyFields)),
		constantScore(more+roleindex.OtherPoints, matchPlanned(words, i, p, whole, textFields)),
	}
	if p.Stage == roleindex.InProse && more > 0 {
		points = append(points, constantScore(more, matchPlanned(words, i, p, whole, proseFields)))
	}
	return points
}

func constantScore(points float64, condition object) object {
	return object{"constant_score": object{"filter": condition, "boost": points}}
}

// fields are where a word is looked for: whole terms, and the beginnings of terms.
type fields struct{ terms, starts string }

var (
	textFields    = fields{"terms", "starts"}
	proseFields   = fields{"prose", "proseStarts"}
	titleFields   = fields{"title", "titleStarts"}
	companyFields = fields{"company", "companyStarts"}
	pairFields    = fields{"pairs", "pairStarts"}
)

// searchedFields returns the fields that a query is matched against, those of descriptions too if prose is set.
func searchedFields(prose bool) []fields {
	if prose {
		return []fields{textFields, proseFields}
	}
	return []fields{textFields}
}

// matchIn returns the query for a word in any of the fields with up to so many typos; none has fewer than 0.
func matchIn(all []fields, w roleindex.Word, typos int) object {
	if typos < 0 {
		return object{"match_none": object{}}
	}
	var ways []object
	for _, f := range all {
		ways = append(ways, f.matchWord(w, typos)...)
	}
	return anyOf(ways)
}

func (f fields) matchWord(w roleindex.Word, typos int) []object {
	field := f.terms
	switch {
	case typos == 0 && w.Last:
		return []object{{"prefix": object{field: w.Text}}}
	case typos == 0:
		return []object{{"term": object{field: w.Text}}}
	case w.Last:
		field = f.starts
	}
	var ways []object
	for _, p := range misspellings(w.Text, typos) {
		if p.typos == 0 {
			ways = append(ways, object{"term": object{field: p.text}})
			continue
		}
		ways = append(ways, object{"fuzzy": object{field: object{
			"value": p.text, "fuzziness": p.typos, "prefix_length": p.fixed, "rewrite": "constant_score",
		}}})
	}
	return ways
}

// pattern accepts the terms that begin with the first letters of a text and are within
// a number of typos of it.
type pattern struct {
	text         string
	fixed, typos int
}

// misspellings returns patterns that together accept the terms within one or two typos of
// a word of four letters or more. A difference in the first letter counts as one more, unless
// the first two letters are swapped (package roleindex).
func misspellings(word string, typos int) []pattern {
	all := []pattern{{word, 1, typos}}
	if typos > 1 {
		all = append(all, pattern{word, 0, typos - 1})
	}
	w := []rune(word)
	a := w[0]
	b := w[1]
	if a == b {
		return all
	}
	// Terms that begin with b and a: by a swap, or because the word has a letter too
	// few or too many.
	add := func(typos int, letters ...rune) { all = append(all, pattern{string(letters), 2, typos}) }
	add(typos-1, append([]rune{b, a}, w[2:]...)...)
	add(typos-1, append([]rune{b}, w...)...)
	if w[2] == a {
		add(typos-1, w[1:]...)
	}
	if typos > 1 && w[3] == a {
		add(0, append([]rune{b}, w[3:]...)...)
	}
	return all
}

// anyOf returns the query that holds if one of the ways does.
func anyOf(ways []object) object {
	switch len(ways) {
	case 0:
		return object{"match_none": object{}}
	case 1:
		return ways[0]
	}
	return object{"bool": object{"should": ways, "minimum_should_match": 1}}
}

// allOf returns the query that holds if every condition does and none of the others.
func allOf(conditions, not []object) object {
	both := object{}
	if len(conditions) > 0 {
		both["filter"] = conditions
	}
	if len(not) > 0 {
		both["must_not"] = not
	}
	return object{"bool": both}
}

// maxTerms is the number of values that a domain takes in one condition (index.max_terms_count).
const maxTerms = 1 << 16

// oneOf returns the condition that a field has one of the values, of which there may be any number.
func oneOf(field string, values []string) object {
	var ways []object
	for some := range slices.Chunk(values, maxTerms) {
		ways = append(ways, object{"terms": object{field: some}})
	}
	return anyOf(ways)
}

func equals(field string, value any) object { return object{"term": object{field: value}} }
