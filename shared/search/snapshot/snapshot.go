// Package snapshot keeps a large collection that is read as a whole: as a base file in a
// bucket and a log of what changed since, in the table topology.Marketplace
// (itemkey.SnapshotHead and SnapshotChange). The head says which file is the base and
// up to when it is right; an entry of the log is a change to one member of the
// collection, under the writer's clock.
//
// A writer puts the entry into the transaction that changes the member ([Store.Mark]). A
// reader asks for the entries since its last read ([Store.ChangesSince]) and reads those
// members anew. Both keep to the rule of [entity.CommitBound]. An entry says which
// member changed, not to what, so entries may come in any order and repeatedly. A
// change without an entry is in the next base, which the log announces to the readers of an
// older one.
//
// Only a publication changes the head ([Store.Publish]). The package knows neither the
// file's format nor the members.
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
	// maxFile bounds a base file, in bytes.
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

// Head names the base file. The zero value is that of a collection never published.
type Head struct {
	Generation int64 `dynamo:"generation"`
	// Key is that of the file. The file before is kept for a while, for readers that have
	// read the older head.
	Key string `dynamo:"file"`
	// Until is when the changes in the file were read, in milliseconds since 1970.
	Until int64 `dynamo:"until"`
}

type headItem struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	Head
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

// Head reads the head, consistently.
func (s *Store) Head(ctx context.Context) (Head, error) {
	var item headItem
	pk, sk := itemkey.SnapshotHead.Key(s.name)
	err := s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).Consistent(true).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) {
		return Head{}, nil
	}
	return item.Head, err
}

// Base reads the head's file. It returns nil for a collection never published.
func (s *Store) Base(ctx context.Context, h Head) ([]byte, error) {
	if h.Generation == 0 {
		return nil, nil
	}
	return s.bucket.Get(ctx, h.Key, maxFile)
}

// Publish stores a file as the base, in place of the head that it was made from, and
// returns the new head. until is when the changes in the file were read; nonce is
// different in every call. It returns ErrSuperseded if the head is no longer was.
//
// For a file with changes that the log does not have, unlogged is the clock, and the log
// announces the base to readers who do not look at the head; otherwise it is nil.
func (s *Store) Publish(ctx context.Context, was Head, file []byte, until time.Time, nonce string, unlogged func() time.Time) (Head, error) {
	next := Head{Generation: was.Generation + 1, Until: until.UnixMilli()}
	next.Key = fmt.Sprintf("%s/%d-%s", s.name, next.Generation, nonce)
	if err := s.objects.Put(ctx, next.Key, "application/octet-stream", file); err != nil {
		return was, err
	}
	tx := s.replaceHead(was, next)
	if unlogged != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, entity.CommitBound)
		defer cancel()
		entry := s.logEntry(unlogged(), "", nonce)
		entry.Generation = next.Generation
		tx.Put(s.table.Put(entry))
	}
	err := tx.Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return was, ErrSuperseded
	}
	return next, err
}

// replaceHead returns the transaction that replaces the head, and with it what leads to
// the two files.
func (s *Store) replaceHead(was, next Head) *dynamo.WriteTx {
	pk, sk := itemkey.SnapshotHead.Key(s.name)
	tx := s.write().Idempotent(true).
		Put(s.table.Put(headItem{pk, sk, next}).If("attribute_not_exists($) OR $ = ?", "generation", "generation", was.Generation))
	s.objects.Keep(next.Key)(tx)
	if was.Key != "" {
		s.objects.Dispose(was.Key)(tx)
	}
	return tx
}

// sortableMillis returns a time as milliseconds since 1970, padded so that texts sort as times do.
func sortableMillis(t time.Time) string { return fmt.Sprintf("%014d", t.UnixMilli()) }
