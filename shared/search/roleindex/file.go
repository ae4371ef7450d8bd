package roleindex

import (
	"cmp"
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
	sections   = 8 + 4*7
	headerSize = lengthsAt + 4*sections
)

// checksum returns the Castagnoli checksum. Its table is made at the first call: made in a package
// variable, it would make every start of a function slower.
func checksum(of []byte) uint32 { return crc32.Checksum(of, crc32.MakeTable(crc32.Castagnoli)) }

// encodeFile returns the collected parts as a file.
func (w *indexWriter) encodeFile() []byte {
	facets := w.facets.encodeSections(w.n)
	forward := invertFacets(newLexicon(facets), w.n)
	parts := slices.Concat(
		[][]byte{w.keys, w.updated, w.figures, w.ids.offsets, w.ids.data, w.ordinalsByID(), forward.offsets, forward.data},
		w.texts[searchedText].encodeSections(w.n), w.texts[proseText].encodeSections(w.n), facets, w.investors.encodeSections(w.n),
		w.texts[titleText].encodeSections(w.n), w.texts[companyText].encodeSections(w.n), w.texts[pairText].encodeSections(w.n),
	)
	size := headerSize
	for _, part := range parts {
		size += len(part)
	}
	out := make([]byte, headerSize, size)
	copy(out, magic)
	order.PutUint32(out[countAt:], uint32(w.n))
	for i, part := range parts {
		order.PutUint32(out[lengthsAt+4*i:], uint32(len(part)))
		out = append(out, part...)
	}
	writeChecksum(out)
	return out
}

// writeChecksum writes the checksum into an otherwise complete file.
func writeChecksum(file []byte) {
	order.PutUint32(file[crcAt:], checksum(file[countAt:]))
}

// ordinalsByID returns the ordinals in the order of their ids.
func (w *indexWriter) ordinalsByID() []byte {
	ids := packed{w.ids.offsets, w.ids.data}
	ordinals := make([]uint32, w.n)
	for i := range ordinals {
		ordinals[i] = uint32(i)
	}
	slices.SortFunc(ordinals, func(a, b uint32) int { return cmp.Compare(string(ids.at(int(a))), string(ids.at(int(b)))) })
	var out []byte
	for _, o := range ordinals {
		out = order.AppendUint32(out, o)
	}
	return out
}

// invertFacets returns, for each document, the numbers of its facets in two bytes each.
// Numbers above 65,535 are left out; they are rare entries of tech stacks, which a
// search still finds.
func invertFacets(facets lexicon, n int) *packedWriter {
	lists := make([][]byte, n)
	members := newSet(n)
	for f := range min(facets.terms.len(), math.MaxUint16+1) {
		clear(members)
		facets.addDocs(members, n, f, f+1)
		for i := range members.membersFrom(0) {
			lists[i] = order.AppendUint16(lists[i], uint16(f))
		}
	}
	forward := newPackedWriter()
	for _, list := range lists {
		forward.data = append(forward.data, list...)
		forward.endString()
	}
	return forward
}

// splitSections checks a file's header and checksum, and returns its sections.
func splitSections(file []byte) (n int, parts [][]byte, err error) {
	switch {
	case len(file) < headerSize || string(file[:crcAt]) != magic:
		return 0, nil, brokenError("it is no role index of this version")
	case order.Uint32(file[crcAt:]) != checksum(file[countAt:]):
		return 0, nil, brokenError("its checksum does not fit")
	}
	rest := file[headerSize:]
	for i := range sections {
		length := int(order.Uint32(file[lengthsAt+4*i:]))
		if length > len(rest) {
			return 0, nil, brokenError("it is cut short")
		}
		parts = append(parts, rest[:length:length])
		rest = rest[length:]
	}
	if len(rest) > 0 {
		return 0, nil, brokenError("it is too long")
	}
	return int(order.Uint32(file[countAt:])), parts, nil
}
