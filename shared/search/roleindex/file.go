package roleindex

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// ErrBroken is the error of [Open] for a file of another version or a damaged one.
var ErrBroken = errors.New("catalog: broken file")

func brokenError(why string) error { return fmt.Errorf("%w: %s", ErrBroken, why) }

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

// encodeFile returns the collected index as a file.
func (w *indexWriter) encodeFile() []byte {
	ix := w.Index
	for kind, list := range w.lists {
		ix.lexicons[kind] = list.encode(ix.n)
	}
	ix.forward = invertFacets(ix.lexicons[facetValues], ix.n)
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
	writeChecksum(out)
	return out
}

// writeChecksum writes the checksum into an otherwise complete file.
func writeChecksum(file []byte) {
	order.PutUint32(file[crcAt:], checksum(file[countAt:]))
}

// invertFacets returns, for each document, the numbers of its facets in two bytes each. It leaves out
// numbers above 65,535: they are rare entries of tech stacks, which a search still finds.
func invertFacets(facets lexicon, n int) packed {
	lists := make([][]byte, n)
	members := newSet(n)
	for f := range min(facets.terms.len(), math.MaxUint16+1) {
		clear(members)
		facets.addDocs(members, n, f, f+1)
		for i := range members.membersFrom(0) {
			lists[i] = order.AppendUint16(lists[i], uint16(f))
		}
	}
	forward := newPacked()
	for _, list := range lists {
		forward.data = append(forward.data, list...)
		forward.endString()
	}
	return forward
}

// Open checks a file and opens it in place. It returns ErrBroken for a damaged file. No
// bytes can make Open, or a search of its index, panic.
func Open(file []byte) (*Index, error) {
	switch {
	case len(file) < headerSize || string(file[:crcAt]) != magic:
		return nil, brokenError("it is no role index of this version")
	case order.Uint32(file[crcAt:]) != checksum(file[countAt:]):
		return nil, brokenError("its checksum does not fit")
	}
	ix := &Index{n: int(order.Uint32(file[countAt:]))}
	rest := file[headerSize:]
	for i, section := range ix.sections() {
		length := int(order.Uint32(file[lengthsAt+4*i:]))
		if length > len(rest) {
			return nil, brokenError("it is cut short")
		}
		*section = rest[:length:length]
		rest = rest[length:]
	}
	switch {
	case len(rest) > 0:
		return nil, brokenError("it is too long")
	case !ix.hasConsistentSections():
		return nil, brokenError("its sections do not fit together")
	}
	for kind := range ix.lexicons {
		ix.lexicons[kind].terms = newTermList(ix.lexicons[kind].terms.packed)
	}
	return ix, nil
}
