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
	// Approved are the stealth roles, as those see them who are approved.
	Approved []roleindex.Doc
}

// approved is anybody who is.
var approved = role.Caller{Assignment: &role.Assignment{ApprovalStatus: new(role.Approved)}}

// docs are those of one role.
func docs(r role.Raw, version int64) Docs {
	stranger := role.Redact(r, role.Caller{})
	d := Docs{Shared: []roleindex.Doc{entry(stranger, version)}}
	if stranger.Listing().Stealth {
		own := entry(role.Redact(r, approved), version)
		own.Flags = d.Shared[0].Flags // which of them do not bind a caller the query says
		d.Approved = []roleindex.Doc{own}
	}
	return d
}

// Build lays out a generation as a file: the length of the shared index, that index, and
// the other.
func (d Docs) Build() []byte { return pack(roleindex.Build(d.Shared), roleindex.Build(d.Approved)) }

const lengthBytes = 8

func pack(shared, own []byte) []byte {
	file := make([]byte, lengthBytes, lengthBytes+len(shared)+len(own))
	binary.LittleEndian.PutUint64(file, uint64(len(shared)))
	return append(append(file, shared...), own...)
}

// The two indexes.
const (
	ofAll = iota
	ofApproved
)

// indexes are those of a generation, views what they have become.
type (
	indexes [2]*roleindex.Index
	views   [2]*roleindex.View
)

func (i indexes) views() views { return views{i[ofAll].View(), i[ofApproved].View()} }

// open reads a generation in place. catalog.ErrBroken is a file that is none of this
// version, or damaged.
func open(file []byte) (found indexes, err error) {
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

// Open reads a generation in place, as a stranger sees it.
func Open(file []byte) (*roleindex.View, error) {
	found, err := open(file)
	if err != nil {
		return nil, err
	}
	return found[ofAll].View(), nil
}
