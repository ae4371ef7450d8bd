package roleindex

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"sort"

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

const maxTexts = 1 << 15 // that a writer remembers

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

// ErrBroken is the error of [Open] for a file of another version or a damaged one.
var ErrBroken = errors.New("catalog: broken file")

// A file consists of a magic number, the CRC-32C of all that follows it, the number of
// documents, the lengths of the sections, and the sections. Numbers are little-endian.
const (
	magic      = "RoleIdx5" // its last character is the format's version
	crcAt      = len(magic)
	countAt    = crcAt + 4
	lengthsAt  = countAt + 4
	headerSize = lengthsAt + 4*(8+4*int(lexiconKinds))
)

// sections returns the sections, in the order of the file.
func (ix *Index) sections() []*column {
	all := []*column{
		&ix.keys, &ix.updated, &ix.figures, &ix.ids.offsets, &ix.ids.data, &ix.byID, &ix.forward.offsets, &ix.forward.data,
	}
	for kind := range ix.lexicons {
		l := &ix.lexicons[kind]
		all = append(all, &l.terms.offsets, &l.terms.data, &l.postings.offsets, &l.postings.data)
	}
	return all
}

// checksum returns the Castagnoli checksum. Its table is made at the first call: made in a package
// variable, it would make every start of a function slower.
func checksum(of []byte) uint32 { return crc32.Checksum(of, crc32.MakeTable(crc32.Castagnoli)) }

func (w *indexWriter) encodeFile() []byte {
	ix := w.Index
	for kind, list := range w.lists {
		ix.lexicons[kind] = list.encode(ix.n)
	}
	// Each document has the numbers of its facets in two bytes each, but those above 65,535: they are rare entries of
	// tech stacks, which a search still finds.
	facets := ix.lexicons[facetValues]
	numbers := make([][]byte, ix.n)
	members := newSet(ix.n)
	for f := range min(facets.terms.len(), math.MaxUint16+1) {
		clear(members)
		facets.addDocs(members, ix.n, f, f+1)
		for i := range members.membersFrom(0) {
			numbers[i] = order.AppendUint16(numbers[i], uint16(f))
		}
	}
	ix.forward = newPacked()
	for _, list := range numbers {
		ix.forward.data = append(ix.forward.data, list...)
		ix.forward.endString()
	}
	ordinals := make([]int, ix.n)
	for i := range ordinals {
		ordinals[i] = i
	}
	slices.SortFunc(ordinals, func(a, b int) int { return bytes.Compare(ix.ids.at(a), ix.ids.at(b)) })
	for _, ordinal := range ordinals {
		ix.byID = order.AppendUint32(ix.byID, uint32(ordinal))
	}
	size := headerSize
	for _, section := range ix.sections() {
		size += len(*section)
	}
	out := make([]byte, headerSize, size)
	copy(out, magic)
	order.PutUint32(out[countAt:], uint32(ix.n))
	for i, section := range ix.sections() {
		order.PutUint32(out[lengthsAt+4*i:], uint32(len(*section)))
		out = append(out, *section...)
	}
	order.PutUint32(out[crcAt:], checksum(out[countAt:]))
	return out
}

// Open checks a file and opens it in place. It returns ErrBroken for a damaged file. No
// bytes can make Open, or a search of its index, panic.
func Open(file []byte) (*Index, error) {
	switch {
	case len(file) < headerSize || string(file[:crcAt]) != magic:
		return nil, fmt.Errorf("%w: not a role index of this version", ErrBroken)
	case order.Uint32(file[crcAt:]) != checksum(file[countAt:]):
		return nil, fmt.Errorf("%w: its checksum does not fit", ErrBroken)
	}
	ix := &Index{n: int(order.Uint32(file[countAt:]))}
	rest := file[headerSize:]
	for i, section := range ix.sections() {
		length := int(order.Uint32(file[lengthsAt+4*i:]))
		if length > len(rest) {
			return nil, fmt.Errorf("%w: it is cut short", ErrBroken)
		}
		*section = rest[:length:length]
		rest = rest[length:]
	}
	switch {
	case len(rest) > 0:
		return nil, fmt.Errorf("%w: it is too long", ErrBroken)
	case !ix.hasConsistentSections():
		return nil, fmt.Errorf("%w: its sections do not fit together", ErrBroken)
	}
	for kind := range ix.lexicons {
		ix.lexicons[kind].terms = newTermList(ix.lexicons[kind].terms.packed)
	}
	return ix, nil
}

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
	facetValues                      // values of fields (Field.term)
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
	hasRows := len(ix.keys) == 8*ix.n && len(ix.updated) == 8*ix.n && len(ix.figures) == figureBytes*ix.n
	hasLists := len(ix.byID) == 4*ix.n && ix.ids.holds(ix.n) && ix.forward.holds(ix.n)
	if !hasRows || !hasLists {
		return false
	}
	for _, l := range ix.lexicons {
		n := l.terms.len()
		isSorted := l.terms.holds(n) && l.postings.holds(n) && l.terms.isAscending()
		if !isSorted {
			return false
		}
	}
	for i := range ix.n {
		isBehind := i == 0 || compareRows(ix.keys.u64(i-1), ix.keys.u64(i), ix.ids.at(i-1), ix.ids.at(i)) < 0
		isRow := isBehind && ix.byID.u32(i) < ix.n
		if !isRow || len(ix.forward.at(i))%2 != 0 {
			return false
		}
	}
	all := Facets(ix.forward.data)
	for i := range all.Len() {
		if all.At(i) >= ix.lexicons[facetValues].terms.len() {
			return false
		}
	}
	return true
}

func (ix *Index) findOrdinal(id string) (ordinal int, ok bool) {
	at := sort.Search(ix.n, func(i int) bool { return string(ix.ids.at(ix.byID.u32(i))) >= id })
	if at == ix.n {
		return 0, false
	}
	ordinal = ix.byID.u32(at)
	return ordinal, string(ix.ids.at(ordinal)) == id
}

func (ix *Index) rowAt(i int) Row {
	return Row{ID: string(ix.ids.at(i)), Key: ix.keys.u64(i), UpdatedAt: int64(ix.updated.u64(i))}
}
