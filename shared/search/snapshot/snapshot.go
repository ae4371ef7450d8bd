// Package snapshot keeps a large collection that is read as a whole: as a base, in files of a
// bucket, and a log of what changed since, in the table topology.Changes
// (itemkey.SnapshotChange). The head, in the table topology.Marketplace, says which files are
// the base and up to when they are right; an entry of the log is a change to one member of the
// collection, under the writer's clock.
//
// A writer puts the entry into the transaction that changes the member ([Store.Mark]), or
// changes many members and then notes them together ([Store.MarkGroup]). A reader asks for
// the entries since its last read ([Store.ChangesSince], [Store.ChangesAfter]) and reads those
// members anew. Both keep to the rule of [entity.CommitBound]. An entry says which
// member changed, not to what, so entries may come in any order and repeatedly. A
// change without an entry is in the next base, which the log announces to the readers of an
// older one.
//
// Only a publication changes the head: [Store.Publish] replaces some of the files, and
// [Store.PublishDraft] all of them, which may have been made by several processes, one after
// the other ([Draft]). Each format of files has a head of its own, so that readers of two
// formats find theirs while a deployment replaces one by the other. The package knows neither
// the files' contents nor the members.
package snapshot

import (
	"errors"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// maxFile bounds a file of a base, in bytes.
const maxFile = 1 << 30

// ErrSuperseded reports a publication that came after another one from the same head.
var ErrSuperseded = errors.New("another generation was published meanwhile")

// Store is the snapshot of one collection.
type Store struct {
	table   dynamo.Table
	log     dynamo.Table
	bucket  cloud.Bucket
	name    string
	write   func() *dynamo.WriteTx
	objects entity.Objects
}

// Open opens the store of one snapshot by the names in the function's environment.
func Open(o *cloud.Opener, name string) *Store {
	return NewStore(o.Table(topology.Marketplace), o.Table(topology.Changes), o.Bucket(topology.MarketplaceBucket), name, o.Write)
}

// NewStore works on the tables topology.Marketplace and topology.Changes; the base files lie
// in the bucket below "<name>/". write starts a transaction on the tables' database.
func NewStore(table, log dynamo.Table, bucket cloud.Bucket, name string, write func() *dynamo.WriteTx) *Store {
	return &Store{table, log, bucket, name, write, entity.NewStore(table, write).Objects(bucket)}
}
