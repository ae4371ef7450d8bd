package roleindex

import (
	"math"
	"time"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Build returns an index of the documents as a file for [Open]. Of several documents with
// one id the highest version counts. The order of the documents does not matter to the
// bytes.
func Build(docs []Doc) []byte {
	w := newIndexWriter()
	for i, d := range latestVersions(docs) {
		w.addDoc(d)
		w.addWords(w.prose, d.searchedProse(), i)
	}
	return w.encodeFile()
}

// indexWriter collects the parts of an index. Documents are added in Browse order.
type indexWriter struct {
	n                                int
	keys, versions, updated, figures []byte
	ids                              *packedWriter
	words, prose, facets, investors  *lexiconWriter

	scratch []byte
}

func newIndexWriter() *indexWriter {
	return &indexWriter{
		ids:   newPackedWriter(),
		words: newLexiconWriter(), prose: newLexiconWriter(), facets: newLexiconWriter(), investors: newLexiconWriter(),
	}
}

// addDoc adds everything of a document but its description.
func (w *indexWriter) addDoc(d keyedDoc) {
	i := w.n
	w.addRow(d.id, d.key, int(d.Version), uint64(unixMillis(d.UpdatedAt)))
	w.figures = newFigures(d.Doc).appendTo(w.figures)
	d.forEachSearchedText(func(s string) { w.addWords(w.words, s, i) })
	d.forEachFacet(func(f Field, v string) {
		if v != "" {
			w.scratch = f.appendTerm(w.scratch[:0], v)
			w.facets.add(w.scratch, i)
		}
	})
	for _, name := range d.Investors {
		w.investors.add([]byte(text.Fold(name)), i)
	}
}

func (w *indexWriter) addRow(id []byte, key uint64, version int, updated uint64) {
	w.ids.data = append(w.ids.data, id...)
	w.ids.endString()
	w.keys = order.AppendUint64(w.keys, key)
	w.versions = order.AppendUint32(w.versions, uint32(clamp(int64(version), 0, math.MaxUint32)))
	w.updated = order.AppendUint64(w.updated, updated)
	w.n++
}

func (w *indexWriter) addWords(l *lexiconWriter, s string, ordinal int) {
	w.scratch = text.AppendWords(w.scratch[:0], s)
	start := 0
	for i, c := range w.scratch {
		if c == ' ' {
			l.add(truncateBytes(w.scratch[start:i], maxWordBytes), ordinal)
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
