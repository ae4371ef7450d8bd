package opensearch

import (
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// fields are where a word is looked for: whole terms, and the beginnings of terms.
type fields struct{ terms, starts string }

var (
	textFields    = fields{"terms", "starts"}
	proseFields   = fields{"prose", "proseStarts"}
	titleFields   = fields{"title", "titleStarts"}
	companyFields = fields{"company", "companyStarts"}
	pairFields    = fields{"pairs", "pairStarts"}
)

// matchWord returns the query for a word with up to so many typos, in descriptions too if the word says
// so; none has fewer than 0.
func matchWord(w roleindex.Word, typos int) object {
	all := []fields{textFields}
	if w.Prose {
		all = append(all, proseFields)
	}
	return matchIn(all, w, typos)
}

// matchIn is matchWord in other fields.
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
