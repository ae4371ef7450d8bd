package roleindex

import "sort"

// Index is an opened file. It is immutable and safe for concurrent use. It reads the
// file's bytes in place; they must not change while it is used.
type Index struct {
	n                            int
	keys, updated, figures, byID column
	ids, forward                 packed
	facets, investors            lexicon
	texts                        [textKinds]lexicon
}

// Open checks a file and opens it in place. It returns ErrBroken for a damaged file. No
// bytes can make Open, or a search of its index, panic.
func Open(file []byte) (*Index, error) {
	n, parts, err := splitSections(file)
	if err != nil {
		return nil, err
	}
	ix := &Index{
		n: n, keys: parts[0], updated: parts[1], figures: parts[2],
		ids: packed{parts[3], parts[4]}, byID: parts[5], forward: packed{parts[6], parts[7]},
		facets: newLexicon(parts[16:]), investors: newLexicon(parts[20:]),
	}
	for kind, at := range [textKinds]int{searchedText: 8, proseText: 12, titleText: 24, companyText: 28, pairText: 32} {
		ix.texts[kind] = newLexicon(parts[at:])
	}
	if !ix.hasConsistentSections() {
		return nil, brokenError("its sections do not fit together")
	}
	for kind := range ix.texts {
		ix.texts[kind].terms = newTermList(ix.texts[kind].terms.packed)
	}
	return ix, nil
}

// Len returns the number of roles.
func (ix *Index) Len() int { return ix.n }

func newLexicon(parts [][]byte) lexicon {
	return lexicon{terms: termList{packed: packed{parts[0], parts[1]}}, postings: packed{parts[2], parts[3]}}
}

// hasConsistentSections checks all that reading relies on, except for postings: they are
// checked when they are read, since most never are.
func (ix *Index) hasConsistentSections() bool {
	for _, section := range []struct {
		column column
		width  int
	}{{ix.keys, 8}, {ix.updated, 8}, {ix.figures, figureBytes}, {ix.byID, 4}} {
		if len(section.column) != section.width*ix.n {
			return false
		}
	}
	for _, list := range []packed{ix.ids, ix.forward} {
		if !list.hasValidOffsets() || list.len() != ix.n {
			return false
		}
	}
	for _, l := range append(ix.texts[:], ix.facets, ix.investors) {
		if !l.isConsistent() {
			return false
		}
	}
	return ix.hasValidFacetNumbers() && ix.hasValidOrder()
}

// hasValidFacetNumbers checks that the documents' lists hold numbers of facets.
func (ix *Index) hasValidFacetNumbers() bool {
	for i := range ix.n + 1 {
		if ix.forward.offsets.u32(i)%2 != 0 {
			return false
		}
	}
	facets := ix.facets.terms.len()
	all := Facets(ix.forward.data)
	for i := range all.Len() {
		if all.At(i) >= facets {
			return false
		}
	}
	return true
}

// hasValidOrder checks the order of the rows, and that the list of ids holds ordinals.
func (ix *Index) hasValidOrder() bool {
	for i := range ix.n {
		if ix.byID.u32(i) >= ix.n || i > 0 && ix.compareOrdinals(i-1, i) >= 0 {
			return false
		}
	}
	return true
}

func (ix *Index) compareOrdinals(i, j int) int {
	return compareRows(ix.keys.u64(i), ix.keys.u64(j), ix.ids.at(i), ix.ids.at(j))
}

// findOrdinal returns the ordinal of an id.
func (ix *Index) findOrdinal(id string) (ordinal int, ok bool) {
	at := sort.Search(ix.n, func(i int) bool { return string(ix.ids.at(ix.byID.u32(i))) >= id })
	if at == ix.n {
		return 0, false
	}
	ordinal = ix.byID.u32(at)
	return ordinal, string(ix.ids.at(ordinal)) == id
}

// firstAfter returns the first ordinal with an order key above key.
func (ix *Index) firstAfter(key uint64) int {
	return sort.Search(ix.n, func(i int) bool { return ix.keys.u64(i) > key })
}

func (ix *Index) rowAt(i int) Row {
	return Row{ID: string(ix.ids.at(i)), Key: ix.keys.u64(i), UpdatedAt: int64(ix.updated.u64(i))}
}

func (ix *Index) figuresAt(i int) Figures { return decodeFigures(ix.figures[figureBytes*i:]) }
