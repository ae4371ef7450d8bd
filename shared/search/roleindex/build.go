package roleindex

import (
	"bytes"
	"math"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Build returns an index of documents by their ids, but those that are nil, as a file for [Open].
func Build(docs map[string]*Doc) []byte {
	kept := make([]keyedDoc, 0, len(docs))
	for _, d := range docs {
		if d != nil {
			kept = append(kept, keyedDoc{d, d.OrderKey(), []byte(d.ID)})
		}
	}
	slices.SortFunc(kept, func(a, b keyedDoc) int { return compareRows(a.key, b.key, a.id, b.id) })
	w := newIndexWriter()
	var prose []byte
	for i, d := range kept {
		w.addRow(d.id, d.key, uint64(max(0, d.UpdatedAt.UnixMilli())))
		w.figures = newFigures(d.Doc).appendTo(w.figures)
		d.forEachOwnText(func(s string) { w.addText(searchedText, s, i) })
		w.addText(titleText, d.Name, i)
		w.addText(companyText, d.Company, i)
		w.addText(pairText, d.Name, i)
		w.addText(pairText, d.Company, i)
		prose = text.AppendWords(prose[:0], truncate(d.Description, maxProse)) // without a string of each word
		for rest := prose; len(rest) > 0; {
			end := bytes.IndexByte(rest, ' ')
			list := w.lists[proseText].number(truncate(rest[:end], maxWordBytes))
			w.lists[proseText].lists[list].add(i)
			rest = rest[end+1:]
		}
		d.forEachFacet(func(f Field, v string) { w.addValue(f, v, i) })
		for _, name := range d.Investors {
			w.addText(investorNames, name, i)
		}
	}
	return w.encodeFile()
}

type keyedDoc struct {
	*Doc
	key uint64
	id  []byte
}

// indexWriter collects an index, but what can be derived. Documents are added in Browse order.
type indexWriter struct {
	Index
	lists [lexiconKinds]*lexiconWriter
	// known holds the numbers of the terms of texts, and values those of a value: among the facets, and those
	// of its words among the searched terms. Most documents share them with others: names of places, of
	// technologies, of companies.
	known  [lexiconKinds]map[string][]int
	values [TechStack + 1]map[string][]int
}

// maxTexts bounds the texts that a writer remembers.
const maxTexts = 1 << 15

func newIndexWriter() *indexWriter {
	w := &indexWriter{Index: Index{ids: newPacked()}}
	for kind := range w.lists {
		w.lists[kind] = &lexiconWriter{numbers: map[string]int{}}
		w.known[kind] = map[string][]int{}
	}
	for f := range w.values {
		w.values[f] = map[string][]int{}
	}
	return w
}

func (w *indexWriter) addRow(id []byte, key uint64, updated uint64) {
	w.ids.data = append(w.ids.data, id...)
	w.ids.endString()
	w.keys = order.AppendUint64(w.keys, key)
	w.updated = order.AppendUint64(w.updated, updated)
	w.n++
}

func (w *indexWriter) addText(kind lexiconKind, s string, ordinal int) {
	w.lists[kind].addAll(remember(w.known[kind], s, func() []int { return w.numberTerms(nil, kind, s) }), ordinal)
}

// addValue adds the value of a field, with its words if it is searched.
func (w *indexWriter) addValue(f Field, v string, ordinal int) {
	numbers := remember(w.values[f], v, func() []int {
		numbers := []int{w.lists[facetValues].number(f.term(v))}
		f.forEachSearchedText(v, func(s string) { numbers = w.numberTerms(numbers, searchedText, s) })
		return numbers
	})
	w.lists[facetValues].addAll(numbers[:1], ordinal)
	w.lists[searchedText].addAll(numbers[1:], ordinal)
}

func remember(known map[string][]int, s string, makeNumbers func() []int) []int {
	numbers, ok := known[s]
	if !ok {
		numbers = makeNumbers()
		if len(known) < maxTexts {
			known[s] = numbers
		}
	}
	return numbers
}

func (w *indexWriter) numberTerms(numbers []int, kind lexiconKind, s string) []int {
	terms := splitTerms(s)
	switch kind {
	case investorNames:
		terms = []string{text.Fold(s)}
	case pairText:
		terms = pairTerms(terms)
	}
	for _, term := range terms {
		numbers = append(numbers, w.lists[kind].number([]byte(term)))
	}
	return numbers
}

// roundToUnit returns v in units, rounded to the nearest that two bytes hold.
func roundToUnit(v, unit float64) int {
	if math.IsNaN(v) {
		return 0
	}
	return int(math.Round(max(0, min(v/unit, math.MaxUint16))))
}
