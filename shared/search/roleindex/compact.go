package roleindex

import (
	"bytes"
	"slices"
)

// Compact returns what the view shows as one file, with the bytes that [Build] would
// return for the same documents. It needs no documents.
func (v *View) Compact() []byte {
	w := newIndexWriter()
	moved := v.copyRows(w)
	for kind := range textKinds {
		v.copyLexicon(w.texts[kind], kind.lexiconOf, moved)
	}
	v.copyLexicon(w.facets, func(s *segment) lexicon { return s.facets }, moved)
	v.copyLexicon(w.investors, func(s *segment) lexicon { return s.investors }, moved)
	return w.encodeFile()
}

// copyRows writes the rows of the live documents in Browse order. It returns, for each
// segment, the new ordinals of its documents.
func (v *View) copyRows(w *indexWriter) (moved [][]int) {
	var hits []hit
	at := make(map[*segment]int, len(v.segments))
	for i, s := range v.segments {
		at[s] = i
		moved = append(moved, make([]int, s.n))
		for ordinal := range s.live.membersFrom(0) {
			hits = append(hits, hit{segment: s, ordinal: ordinal, key: s.keys.u64(ordinal)})
		}
	}
	slices.SortFunc(hits, hit.compareBrowse)
	for _, h := range hits {
		s := h.segment
		o := h.ordinal
		moved[at[s]][o] = w.n
		w.addRow(s.ids.at(o), h.key, s.updated.u64(o))
		w.figures = append(w.figures, s.figures[figureBytes*o:figureBytes*(o+1)]...)
	}
	return moved
}

// copyLexicon merges one lexicon of all segments, term by term.
func (v *View) copyLexicon(dst *lexiconWriter, src func(*segment) lexicon, moved [][]int) {
	next := make([]int, len(v.segments))
	scratch := make(set, v.size)
	merged := make(set, v.size)
	for {
		term, ok := v.leastTerm(src, next)
		if !ok {
			return
		}
		clear(merged)
		for i, s := range v.segments {
			l := src(s)
			if next[i] == l.terms.len() || !bytes.Equal(l.terms.at(next[i]), term) {
				continue
			}
			having := s.partOf(scratch)
			clear(having)
			l.addDocs(having, s.n, next[i], next[i]+1)
			having.and(s.live)
			for ordinal := range having.membersFrom(0) {
				merged.add(moved[i][ordinal])
			}
			next[i]++
		}
		dst.addTerm(term, merged)
	}
}

// leastTerm returns the least of the segments' next terms; ok is false at their end.
func (v *View) leastTerm(src func(*segment) lexicon, next []int) (term []byte, ok bool) {
	for i, s := range v.segments {
		if l := src(s); next[i] < l.terms.len() {
			if t := l.terms.at(next[i]); !ok || bytes.Compare(t, term) < 0 {
				term = t
				ok = true
			}
		}
	}
	return term, ok
}
