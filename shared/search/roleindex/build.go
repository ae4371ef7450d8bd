package roleindex

import (
	"math"
	"time"
	"unicode/utf8"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

// Build lays out an index of the documents as a file for Open: of several with
// one id the highest version. The same documents in any order give the same bytes.
func Build(docs []Doc) []byte {
	w := newWriter()
	for i, d := range newest(docs) {
		w.addDoc(d)
		w.addWords(w.prose, d.prose(), i)
	}
	return w.file()
}

// writer gathers an index's parts, documents in Browse order.
type writer struct {
	n                               int
	keys, versions, updated, figure []byte
	ids                             *pack
	words, prose, facets, investors *lexiconWriter

	scratch []byte
}

func newWriter() *writer {
	return &writer{
		ids:   newPack(),
		words: newLexiconWriter(), prose: newLexiconWriter(), facets: newLexiconWriter(), investors: newLexiconWriter(),
	}
}

// addDoc adds everything but the description.
func (w *writer) addDoc(d placed) {
	i := w.n
	w.addRow(d.id, d.key, int(d.Version), uint64(millis(d.UpdatedAt)))
	w.figure = figuresOf(d.Doc).encode(w.figure)
	d.searchable(func(s string) { w.addWords(w.words, s, i) })
	d.facets(func(f Field, v string) {
		if v != "" {
			w.scratch = f.term(w.scratch[:0], v)
			w.facets.add(w.scratch, i)
		}
	})
	for _, name := range d.Investors {
		w.investors.add([]byte(text.Fold(name)), i)
	}
}

func (w *writer) addRow(id []byte, key uint64, version int, updated uint64) {
	w.ids.data = append(w.ids.data, id...)
	w.ids.end()
	w.keys = order.AppendUint64(w.keys, key)
	w.versions = order.AppendUint32(w.versions, uint32(clamp(int64(version), 0, math.MaxUint32)))
	w.updated = order.AppendUint64(w.updated, updated)
	w.n++
}

func (w *writer) addWords(l *lexiconWriter, s string, ordinal int) {
	w.scratch = text.AppendWords(w.scratch[:0], s)
	start := 0
	for i, c := range w.scratch {
		if c == ' ' {
			l.add(cutBytes(w.scratch[start:i], maxWordBytes), ordinal)
			start = i + 1
		}
	}
}

// cut shortens s to at most n bytes, between characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

func cutBytes(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	return s[:len(cut(string(s), n))]
}

// millis is 0 for an unknown time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return max(0, t.UnixMilli())
}

// rounded is v in units, to the nearest, within what two bytes hold.
func rounded(v, unit float64) int {
	if math.IsNaN(v) {
		return 0
	}
	return int(math.Round(max(0, min(v/unit, math.MaxUint16))))
}
