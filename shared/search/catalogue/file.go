package catalogue

import (
	"encoding/binary"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// Docs are the roles as the catalogue's two indexes have them.
type Docs struct {
	// Shared are all roles, as a stranger may see them.
	Shared []roleindex.Doc
	// Approved are the stealth roles, as callers see them who are approved on them.
	Approved []roleindex.Doc
}

// approvedCaller sees a stealth role as it is.
var approvedCaller = role.Caller{Assignment: &role.Assignment{ApprovalStatus: new(role.Approved)}}

// newDocs returns the documents of one role.
func newDocs(r role.Unredacted, version int64) Docs {
	stranger := role.Redact(r, role.Caller{})
	d := Docs{Shared: []roleindex.Doc{newDoc(stranger, version)}}
	if stranger.Listing().Visibility == role.Stealth {
		own := newDoc(role.Redact(r, approvedCaller), version)
		own.Flags = d.Shared[0].Flags // a query says which of them do not bind its caller
		d.Approved = []roleindex.Doc{own}
	}
	return d
}

// Build returns a generation as a file: the length of the shared index in eight bytes,
// little-endian, that index, and the index of the approved.
func (d Docs) Build() []byte {
	return joinIndexes(roleindex.Build(d.Shared), roleindex.Build(d.Approved))
}

const lengthBytes = 8

func joinIndexes(shared, own []byte) []byte {
	file := make([]byte, lengthBytes, lengthBytes+len(shared)+len(own))
	binary.LittleEndian.PutUint64(file, uint64(len(shared)))
	return append(append(file, shared...), own...)
}

// The two indexes.
const (
	sharedIndex = iota
	approvedIndex
)

// An indexPair is a generation, a viewPair the generation with changes.
type (
	indexPair [2]*roleindex.Index
	viewPair  [2]*roleindex.View
)

func (i indexPair) newViews() viewPair {
	return viewPair{i[sharedIndex].View(), i[approvedIndex].View()}
}

// openIndexes opens a generation in place. It returns roleindex.ErrBroken for a file of
// another version or a damaged one.
func openIndexes(file []byte) (found indexPair, err error) {
	if len(file) < lengthBytes {
		return found, fmt.Errorf("%w: a generation of %d bytes", roleindex.ErrBroken, len(file))
	}
	rest := file[lengthBytes:]
	n := binary.LittleEndian.Uint64(file)
	if n > uint64(len(rest)) {
		return found, fmt.Errorf("%w: the generation is cut short", roleindex.ErrBroken)
	}
	for i, part := range [][]byte{rest[:n], rest[n:]} {
		if found[i], err = roleindex.Open(part); err != nil {
			return found, err
		}
	}
	return found, nil
}

// Open opens a generation in place, as a stranger sees it.
func Open(file []byte) (*roleindex.View, error) {
	found, err := openIndexes(file)
	if err != nil {
		return nil, err
	}
	return found[sharedIndex].View(), nil
}
