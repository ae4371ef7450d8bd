// Package snapshot keeps a large collection that is read as a whole: as a base, in files of a
// bucket, and a log of what changed since, in the table topology.Marketplace
// (itemkey.SnapshotHead and SnapshotChange). The head says which files are the base and
// up to when they are right; an entry of the log is a change to one member of the
// collection, under the writer's clock.
//
// A writer puts the entry into the transaction that changes the member ([Store.Mark]). A
// reader asks for the entries since its last read ([Store.ChangesSince]) and reads those
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
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

const (
	// Retention is how long a change stays in the log; publications come far sooner.
	Retention = 7 * 24 * time.Hour
	// maxFile bounds a file of a base, in bytes.
	maxFile = 1 << 30
)

// ErrSuperseded reports a publication that came after another one from the same head.
var ErrSuperseded = errors.New("another generation was published meanwhile")

// Store is the snapshot of one collection.
type Store struct {
	table   dynamo.Table
	bucket  cloud.Bucket
	name    string
	write   func() *dynamo.WriteTx
	objects entity.Objects
}

// Open opens the store of one snapshot by the names in the function's environment.
func Open(o *cloud.Opener, name string) *Store {
	return NewStore(o.Table(topology.Marketplace), o.Bucket(topology.MarketplaceBucket), name, o.Write)
}

// NewStore works on the table topology.Marketplace; the base files lie in the
// bucket below "<name>/". write starts a transaction on the table's database.
func NewStore(table dynamo.Table, bucket cloud.Bucket, name string, write func() *dynamo.WriteTx) *Store {
	return &Store{table, bucket, name, write, entity.NewStore(table, write).Objects(bucket)}
}

type changeItem struct {
	PK  string `dynamo:"pk,hash"`
	SK  string `dynamo:"sk,range"`
	TTL int64  `dynamo:"ttl"`
	// Generation is that of an announced base.
	Generation int64 `dynamo:"generation,omitempty"`
}

// Change is an entry of the log.
type Change struct {
	// Key is different for every entry.
	Key string
	// ID is the member that changed; "" announces a base, whose generation is Base.
	ID   string
	Base int64
}

// Mark returns the log entry of a changed member, for the transaction that changes it.
// now is the writer's clock; nonce is different in every call, because a member can
// change twice in a millisecond.
func (s *Store) Mark(now time.Time, id, nonce string) func(*dynamo.WriteTx) {
	put := s.table.Put(s.logEntry(now, id, nonce))
	return func(tx *dynamo.WriteTx) { tx.Put(put) }
}

func (s *Store) logEntry(now time.Time, id, nonce string) changeItem {
	pk, sk := itemkey.SnapshotChange.Key(s.name, sortableMillis(now), id, nonce)
	return changeItem{PK: pk, SK: sk, TTL: now.Add(Retention).Unix()}
}

// ChangesSince reads, consistently, the changes since entity.RereadWindow before a time;
// the zero time reads all.
func (s *Store) ChangesSince(ctx context.Context, at time.Time) ([]Change, error) {
	from := sortableMillis(time.UnixMilli(0))
	if !at.IsZero() {
		from = sortableMillis(at.Add(-entity.RereadWindow))
	}
	var found []changeItem
	err := s.table.Get(topology.PK, itemkey.SnapshotChange.PK(s.name)).Range(topology.SK, dynamo.GreaterOrEqual, from).Consistent(true).All(ctx, &found)
	if err != nil {
		return nil, err
	}
	changes := make([]Change, len(found))
	for i, f := range found {
		if values, ok := itemkey.SnapshotChange.ParseSK(f.SK); ok {
			changes[i] = Change{f.SK, values[1], f.Generation}
		}
	}
	return changes, nil
}

// sortableMillis returns a time as milliseconds since 1970, padded so that texts sort as times do.
func sortableMillis(t time.Time) string { return fmt.Sprintf("%014d", t.UnixMilli()) }
