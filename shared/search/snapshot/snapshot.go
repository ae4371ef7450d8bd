// Package snapshot keeps a large thing that is read whole as a base file in a
// bucket and a log of what changed since, in the table topology.Marketplace
// (itemkey.SnapshotHead and SnapshotChange): the head says which file is the base,
// and up to when it is right; an entry of the log is a change to one member of the
// thing, by the writer's clock.
//
// A writer puts the change into the same transaction as the member itself (Mark),
// and commits it within MaxAge or not at all: its function has ended by then. A reader asks for the changes from
// Overlap before it last asked on, so that none that was written late escapes it
// (Since), and reads the members that changed anew: a change says which member,
// never what became of it, so changes may come in any order and repeatedly. What is
// changed without a mark is in the next base, and who has an older one is told to
// read that (Announce).
//
// The head changes at a publication alone (Publish). The package knows neither
// the file's format nor the members.
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
)

const (
	// MaxAge is how long after its mark a writer may still commit it: the timeout of the
	// worker that marks, topology.Feed's.
	MaxAge = 60 * time.Second
	// Overlap is how far back a reader asks again. It covers MaxAge and clocks that differ.
	Overlap = MaxAge + 30*time.Second
	// retention is how long a change stays in the log; publications come far sooner.
	retention = 7 * 24 * time.Hour
	// maxFile bounds a base file, in bytes.
	maxFile = 1 << 30
)

// ErrSuperseded is a publication that another one came before.
var ErrSuperseded = errors.New("another generation was published meanwhile")

// Store is the snapshot of one thing.
type Store struct {
	table  dynamo.Table
	bucket cloud.Bucket
	name   string
}

// Open opens the store of one snapshot by the names in the function's environment.
func Open(o *cloud.Opener, name string) *Store {
	return NewStore(o.Table(topology.Marketplace), o.Bucket(topology.MarketplaceBucket), name)
}

// NewStore works on the table topology.Marketplace; the base files lie in the
// bucket below "<name>/".
func NewStore(table dynamo.Table, bucket cloud.Bucket, name string) *Store {
	return &Store{table, bucket, name}
}

// Head names the base file. The zero value is that of a thing never published.
type Head struct {
	Generation int64 `dynamo:"generation"`
	// Key is the file's, Previous that of the generation before, for readers on their way.
	Key      string `dynamo:"file"`
	Previous string `dynamo:"previous,omitempty"`
	// Until is when the changes were read that the file has, in milliseconds since 1970.
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
}

// Change is an entry of the log.
type Change struct {
	// Key is different for every entry.
	Key string
	// ID is the member that changed; "" announces a base.
	ID string
}

// Mark joins a transaction that changes a member; now is the writer's clock, nonce
// different in every call, because a member can change twice in a moment.
func (s *Store) Mark(now time.Time, id, nonce string) func(*dynamo.WriteTx) {
	put := s.table.Put(s.logEntry(now, id, nonce))
	return func(tx *dynamo.WriteTx) { tx.Put(put) }
}

// AnnounceBase says that a base was published that has more than the log tells: whoever
// finds it there reads that base. now is the time after the publication.
func (s *Store) AnnounceBase(ctx context.Context, now time.Time, nonce string) error {
	return s.table.Put(s.logEntry(now, "", nonce)).Run(ctx)
}

func (s *Store) logEntry(now time.Time, id, nonce string) changeItem {
	pk, sk := itemkey.SnapshotChange.Key(s.name, sortableMillis(now), id, nonce)
	return changeItem{PK: pk, SK: sk, TTL: now.Add(retention).Unix()}
}

// ChangesSince reads, consistently, the changes since Overlap before a time; the zero
// time reads all.
func (s *Store) ChangesSince(ctx context.Context, at time.Time) ([]Change, error) {
	from := sortableMillis(time.UnixMilli(0))
	if !at.IsZero() {
		from = sortableMillis(at.Add(-Overlap))
	}
	var found []changeItem
	err := s.table.Get(topology.PK, itemkey.SnapshotChange.PK(s.name)).Range(topology.SK, dynamo.GreaterOrEqual, from).Consistent(true).All(ctx, &found)
	changes := make([]Change, len(found))
	for i, f := range found {
		if values, ok := itemkey.SnapshotChange.ParseSK(f.SK); ok {
			changes[i] = Change{f.SK, values[1]}
		}
	}
	return changes, err
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

// Base reads the head's file; nil for a thing never published.
func (s *Store) Base(ctx context.Context, h Head) ([]byte, error) {
	if h.Generation == 0 {
		return nil, nil
	}
	return s.bucket.Get(ctx, h.Key, maxFile)
}

// Publish makes a file the base, in the place of the head that it was made from.
// until is when the changes were read that it has; nonce is different in every
// call. It answers ErrSuperseded if the head is another one by now.
func (s *Store) Publish(ctx context.Context, was Head, file []byte, until time.Time, nonce string) (Head, error) {
	is := Head{Generation: was.Generation + 1, Previous: was.Key, Until: until.UnixMilli()}
	is.Key = fmt.Sprintf("%s/%d-%s", s.name, is.Generation, nonce)
	if err := s.bucket.Put(ctx, is.Key, "application/octet-stream", file); err != nil {
		return was, err
	}
	pk, sk := itemkey.SnapshotHead.Key(s.name)
	err := s.table.Put(headItem{pk, sk, is}).
		If("attribute_not_exists($) OR $ = ? OR $ = ?", "generation", "generation", was.Generation, "file", is.Key).Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return was, errors.Join(ErrSuperseded, s.bucket.Delete(ctx, is.Key))
	}
	if err == nil && was.Previous != "" {
		err = s.bucket.Delete(ctx, was.Previous)
	}
	return is, err
}

// sortableMillis orders entries by time.
func sortableMillis(t time.Time) string { return fmt.Sprintf("%014d", t.UnixMilli()) }
