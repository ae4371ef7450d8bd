package roleindex

import (
	"bytes"
	"math"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Build returns an index of the documents as a file for [Open]. Of several documents with
// one id the last counts. Otherwise, the order of the documents does not matter to the bytes.
func Build(docs []Doc) []byte {
	return encodeDocs(distinctDocs(docs))
}

// encodeDocs returns an index of documents in Browse order as a file.
func encodeDocs(docs []keyedDoc) []byte {
	w := newIndexWriter()
	for _, d := range docs {
		w.addDoc(d)
	}
	return w.encodeFile()
}

// indexWriter collects the parts of an index. Documents are added in Browse order.
type indexWriter struct {
	n                      int
	keys, updated, figures []byte
	ids                    *packedWriter
	facets, investors      *lexiconWriter
	texts                  [textKinds]*lexiconWriter

	// known, values and names hold the numbers of the entries of each kind. Most documents share
	// them with others: names of places, of technologies, of companies.
	known  [textKinds]map[string][]int
	values [TechStack + 1]map[string]numberedValue
	names  map[string]int // the numbers of investors

	scratch []byte
}

// numberedValue is a field's value: its number among the facets, and those of the words by which it
// is searched among the terms.
type numberedValue struct {
	facet int
	words []int
}

// maxTexts bounds the texts that a writer remembers.
const maxTexts = 1 << 15

func newIndexWriter() *indexWriter {
	w := &indexWriter{ids: newPackedWriter(), facets: newLexiconWriter(), investors: newLexiconWriter(), names: map[string]int{}}
	for kind := range w.texts {
		w.texts[kind] = newLexiconWriter()
		w.known[kind] = map[string][]int{}
	}
	return w
}

func (w *indexWriter) addDoc(d keyedDoc) {
	i := w.n
	w.addRow(d.id, d.key, uint64(unixMillis(d.UpdatedAt)))
	w.figures = newFigures(d.Doc).appendTo(w.figures)
	d.forEachOwnText(func(s string) { w.addText(searchedText, s, i) })
	w.addText(titleText, d.Name, i)
	w.addText(companyText, d.Company, i)
	w.addText(pairText, d.Name, i)
	w.addText(pairText, d.Company, i)
	w.addProse(d.searchedProse(), i)
	d.forEachFacet(func(f Field, v string) {
		if v != "" {
			w.addValue(f, v, i)
		}
	})
	for _, name := range d.Investors {
		w.addInvestor(name, i)
	}
}

func (w *indexWriter) addRow(id []byte, key uint64, updated uint64) {
	w.ids.data = append(w.ids.data, id...)
	w.ids.endString()
	w.keys = order.AppendUint64(w.keys, key)
	w.updated = order.AppendUint64(w.updated, updated)
	w.n++
}

// addText adds the terms of a text to a lexicon.
func (w *indexWriter) addText(kind textKind, s string, ordinal int) {
	numbers, known := w.known[kind][s]
	if !known {
		numbers = w.numberTerms(kind, s)
		if len(w.known[kind]) < maxTexts {
			w.known[kind][s] = numbers
		}
	}
	w.texts[kind].addAll(numbers, ordinal)
}

// addProse adds the words of a description, without a string of each.
func (w *indexWriter) addProse(s string, ordinal int) {
	w.scratch = text.AppendWords(w.scratch[:0], s)
	for rest := w.scratch; len(rest) > 0; {
		end := bytes.IndexByte(rest, ' ')
		w.texts[proseText].add(truncate(rest[:end], maxWordBytes), ordinal)
		rest = rest[end+1:]
	}
}

// addValue adds the value of a field, with its words if it is searched.
func (w *indexWriter) addValue(f Field, v string, ordinal int) {
	value, known := w.values[f][v]
	if !known {
		value = w.numberValue(f, v)
		if w.values[f] == nil {
			w.values[f] = map[string]numberedValue{}
		}
		if len(w.values[f]) < maxTexts {
			w.values[f][v] = value
		}
	}
	w.facets.lists[value.facet].add(ordinal)
	w.texts[searchedText].addAll(value.words, ordinal)
}

func (w *indexWriter) addInvestor(name string, ordinal int) {
	number, known := w.names[name]
	if !known {
		number = w.investors.number([]byte(text.Fold(name)))
		if len(w.names) < maxTexts {
			w.names[name] = number
		}
	}
	w.investors.lists[number].add(ordinal)
}

// numberTerms returns the numbers of a text's terms in a lexicon: of its words or of its pairs.
func (w *indexWriter) numberTerms(kind textKind, s string) (numbers []int) {
	terms := splitTerms(s)
	if kind == pairText {
		terms = pairTerms(terms)
	}
	for _, term := range terms {
		numbers = append(numbers, w.texts[kind].number([]byte(term)))
	}
	return numbers
}

func (w *indexWriter) numberValue(f Field, v string) (value numberedValue) {
	for _, s := range f.searchedTexts(v) {
		value.words = append(value.words, w.numberTerms(searchedText, s)...)
	}
	value.facet = w.facets.number(f.appendTerm(nil, v))
	return value
}

// unixMillis returns 0 for the zero time.
func unixMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return max(0, t.UnixMilli())
}

// roundToUnit returns v in units, rounded to the nearest that two bytes hold.
func roundToUnit(v, unit float64) int {
	if math.IsNaN(v) {
		return 0
	}
	return int(math.Round(max(0, min(v/unit, math.MaxUint16))))
}
