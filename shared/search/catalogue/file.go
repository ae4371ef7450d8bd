package catalogue

import (
	"encoding/binary"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// approvedCaller sees a stealth role as it is.
var approvedCaller = role.Caller{
	Involvement: role.Involvement{Assignment: &role.Assignment{ApprovalStatus: new(contract.ApprovalStatusApproved)}},
}

// NewRoleDocs returns the documents of a role.
func NewRoleDocs(id string, r role.Unredacted) roleindex.RoleDocs {
	stranger := role.Redact(r, role.Caller{})
	shared := newDoc(stranger)
	d := roleindex.RoleDocs{ID: id, Revision: r.Revision(), Shared: &shared}
	if stranger.Listing().Visibility == contract.RoleVisibilityStealth {
		own := newDoc(role.Redact(r, approvedCaller))
		own.Flags = shared.Flags // a query says which of them do not bind its caller
		d.Approved = &own
	}
	return d
}

// docsIn returns the documents of roles in one of the two indexes by their ids. Of several states of a role, the last counts.
func docsIn(roles []roleindex.RoleDocs, index int) map[string]*roleindex.Doc {
	docs := make(map[string]*roleindex.Doc, len(roles))
	for _, d := range roles {
		docs[d.ID] = [...]*roleindex.Doc{sharedIndex: d.Shared, approvedIndex: d.Approved}[index]
	}
	return docs
}

// joinWhole joins two indexes into a file. It returns an error if the file cannot be opened.
func joinWhole(indexes [2][]byte) ([]byte, error) {
	file := joinIndexes(indexes[sharedIndex], indexes[approvedIndex])
	_, err := openIndexes(file)
	return file, err
}

// formats are the numbers of the formats of files that readers can read; the publisher writes the first
// one. They are parts of the keys of heads and files. A version that changes the format, here or in
// package roleindex, puts the new one first, keeps the previous one and opens both: until the new one
// is published, its readers read the previous format, as do the readers of the previous version.
var formats = []int{Format}

// Format is the number of the format that the publisher writes.
const Format = 5

const lengthBytes = 8

// joinIndexes returns the length of the shared index (eight bytes, little-endian) and the two indexes.
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

// An indexPair is one shard of a generation; a viewPair is a whole generation with changes.
type (
	indexPair [2]*roleindex.Index
	viewPair  [2]*roleindex.View
)

// joinShards returns the generation that consists of the shards.
func joinShards(shards []indexPair) (views viewPair) {
	for n := range views {
		indexes := make([]*roleindex.Index, len(shards))
		for i, shard := range shards {
			indexes[i] = shard[n]
		}
		views[n] = roleindex.Join(indexes...)
	}
	return views
}

// openIndexes opens a file of joinIndexes in place. It returns roleindex.ErrBroken for any other one.
func openIndexes(file []byte) (found indexPair, err error) {
	if len(file) < lengthBytes {
		return found, fmt.Errorf("%w: a shard of %d bytes", roleindex.ErrBroken, len(file))
	}
	rest := file[lengthBytes:]
	n := binary.LittleEndian.Uint64(file)
	if n > uint64(len(rest)) {
		return found, fmt.Errorf("%w: the shard is cut short", roleindex.ErrBroken)
	}
	for i, part := range [][]byte{rest[:n], rest[n:]} {
		found[i], err = roleindex.Open(part)
		if err != nil {
			return found, err
		}
	}
	return found, nil
}
