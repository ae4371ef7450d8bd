package roleindex

import "sort"

// Index is an opened file. It is immutable and safe for concurrent use. It reads the
// file's bytes in place; they must not change while it is used.
type Index struct {
	n                            int
	keys, updated, figures, byID column
	ids, forward                 packed
	lexicons                     [lexiconKinds]lexicon
}

// lexiconKind is what a lexicon of an index has: the words of a part of the texts of roles, or other values.
type lexiconKind int

// The kinds, in the order of the file.
const (
	searchedText  lexiconKind = iota // all that is searched first
	proseText                        // descriptions
	facetValues                      // values of fields (Field.appendTerm)
	investorNames                    // folded
	titleText
	companyText  // names of companies
	pairText     // pairs of neighbouring words of titles and of names of companies (joinPair)
	lexiconKinds // their number
)

// Len returns the number of roles.
func (ix *Index) Len() int { return ix.n }

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
	for _, l := range ix.lexicons {
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
	facets := ix.lexicons[facetValues].terms.len()
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
