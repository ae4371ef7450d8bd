// Package snapshot keeps a large collection that is read as a whole. It consists of a base, in
// files in a bucket, and a log of the changes since, in the table topology.Changes
// (itemkey.SnapshotChange). The head, in the table topology.Marketplace, names the files of the
// base and the time up to which they are current. An entry of the log reports a change to one or
// more members of the collection, at a time of the writer's clock.
//
// A writer puts the entry into the transaction that changes the member, or changes many members and
// then writes one entry for all of them ([Store.Mark]). A reader asks for the
// entries since its last read ([Store.ChangesSince], [Store.ChangesAfter]) and reads those members
// again. Both follow the rule of [entity.CommitBound]. An entry says which member changed, not how,
// so entries may arrive in any order and repeatedly. A change without an entry is in the next base,
// which the log announces to the readers of an older one. Readers can share what they read: a digest
// ([Digests]) is a file with the members that changed in a part of the log.
//
// Only a publication changes the head: [Store.Publish] replaces some of the files, and
// [Store.PublishDraft] all of them. Several processes, one after the other, may have made the files
// of a draft ([Draft]). Each format of files has its own head, so that the readers of each of two
// formats find theirs while a deployment replaces one format by the other. The package knows
// neither the contents of the files nor the members.
package snapshot

import (
	"errors"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// maxFile bounds a file of a base, in bytes.
const maxFile = 1 << 30

// ErrSuperseded reports that another process has replaced the head or the draft that a call started
// from.
var ErrSuperseded = errors.New("another generation was published meanwhile")

// Store is the snapshot of one collection.
type Store struct {
	table   dynamo.Table
	log     dynamo.Table
	bucket  objectstore.Bucket
	name    string
	write   func() *dynamo.WriteTx
	objects entity.Objects
}

// Open opens the store of one snapshot by the names in the function's environment. Its base files are in
// the bucket under "<name>/".
func Open(o *cloud.Opener, name string) *Store {
	table := o.Table(topology.Marketplace)
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	return &Store{table, o.Table(topology.Changes), bucket, name, o.Write, entity.NewStore(table, o.Write).Objects(bucket)}
}
