package roleindex

import (
	"math"
	"time"
	"unicode/utf8"

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

	scratch, pair []byte
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
	w.forEachWord(d.searchedProse(), func(word []byte) { w.texts[proseText].add(word, i) })
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
	add := func(term []byte) { numbers = append(numbers, w.texts[kind].number(term)) }
	if kind == pairText {
		w.forEachPair(s, add)
	} else {
		w.forEachWord(s, add)
	}
	return numbers
}

func (w *indexWriter) numberValue(f Field, v string) (value numberedValue) {
	for _, s := range f.searchedTexts(v) {
		value.words = append(value.words, w.numberTerms(searchedText, s)...)
	}
	w.scratch = f.appendTerm(w.scratch[:0], v)
	value.facet = w.facets.number(w.scratch)
	return value
}

// forEachPair calls each with the pairs of neighbouring words of a text (joinPair).
func (w *indexWriter) forEachPair(s string, each func(pair []byte)) {
	w.pair = w.pair[:0]
	w.forEachWord(s, func(word []byte) {
		if len(w.pair) > 0 {
			w.pair = append(w.pair, word...)
			each(truncateBytes(w.pair, maxWordBytes))
		}
		w.pair = append(append(w.pair[:0], word...), ' ')
	})
}

// forEachWord calls each with the words of a text as terms have them. The slice is only valid
// during the call.
func (w *indexWriter) forEachWord(s string, each func(word []byte)) {
	w.scratch = text.AppendWords(w.scratch[:0], s)
	start := 0
	for i, c := range w.scratch {
		if c == ' ' {
			each(truncateBytes(w.scratch[start:i], maxWordBytes))
			start = i + 1
		}
	}
}

// truncate shortens s to at most n bytes, between characters.
func truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func truncateBytes(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	return s[:len(truncate(string(s), n))]
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
