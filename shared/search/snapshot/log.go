package snapshot

import (
	"context"
	"fmt"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

const (
	// Retention is how long a change stays in the log; publications come far sooner.
	Retention = 7 * 24 * time.Hour
	// logShards is the number of partitions of a day. A transaction writes an entry with two
	// units, so that each takes 500 entries a second.
	logShards = 3
	// lookBack is how far before its last read a reader asks again each time: by as much as
	// entity.PromptCommit and the clocks and copies of the table may differ.
	lookBack = 6 * time.Second
	// CompleteEvery is how often what lookBack misses is read.
	CompleteEvery = time.Minute
)

type changeItem struct {
	PK  string `dynamo:"pk,hash"`
	SK  string `dynamo:"sk,range"`
	TTL int64  `dynamo:"ttl"`
	// Generation is that of an announced base.
	Generation int64 `dynamo:"generation,omitempty"`
	Group
}

// Group names members that changed together by what they have in common, and the first
// and last of their ids.
type Group struct {
	Name  string `dynamo:"group,omitempty"`
	First string `dynamo:"first,omitempty"`
	Last  string `dynamo:"last,omitempty"`
}

// Change is an entry of the log: of a member, of a group of members, or of a base.
type Change struct {
	// Key is different for every entry.
	Key string
	// ID is the member that changed, "" in the entry of a group or a base.
	ID string
	// Group has a name in the entry of a group.
	Group Group
	// Base is the generation of the base that the entry announces; otherwise 0.
	Base int64
}

// Mark returns the log entry of a changed member, for the transaction that changes it.
// now is the writer's clock; nonce is different in every call, because a member can
// change twice in a millisecond.
func (s *Store) Mark(now time.Time, id, nonce string) func(*dynamo.WriteTx) {
	put := s.log.Put(s.logEntry(now, id, nonce))
	return func(tx *dynamo.WriteTx) { tx.Put(put) }
}

// MarkGroup returns the log entry of members that have changed, once they have.
func (s *Store) MarkGroup(now time.Time, members Group, nonce string) func(*dynamo.WriteTx) {
	entry := s.logEntry(now, "", nonce)
	entry.Group = members
	put := s.log.Put(entry)
	return func(tx *dynamo.WriteTx) { tx.Put(put) }
}

func (s *Store) logEntry(now time.Time, id, nonce string) changeItem {
	h := fnv.New32a()
	_, _ = h.Write([]byte(nonce))
	pk, sk := itemkey.SnapshotChange.Key(s.name, dayOf(now), strconv.Itoa(int(h.Sum32()%logShards)), sortableMillis(now), id, nonce)
	return changeItem{PK: pk, SK: sk, TTL: now.Add(Retention).Unix()}
}

// dayOf returns the day in whose partitions the entries of a time are.
func dayOf(at time.Time) string { return at.UTC().Format("20060102") }

// ChangesSince reads, consistently, the changes since entity.RereadWindow before a time;
// the zero time reads all.
func (s *Store) ChangesSince(ctx context.Context, at, now time.Time) ([]Change, error) {
	from := now.Add(-Retention)
	if !at.IsZero() {
		from = at.Add(-entity.RereadWindow)
	}
	return s.readEntries(ctx, span{from, now.Add(clockDifference), true})
}

// Position is how far a reader has read the log.
type Position struct {
	// Complete is the time of a read of ChangesSince, or of another one that left out nothing
	// that was made until entity.RereadWindow before it.
	Complete time.Time
	// Latest is the time of the last read.
	Latest time.Time
}

// ChangesAfter reads what changed after a position, and returns the position after that. It
// reads what is new, and now and then what was committed late. Unless exact is set it may
// miss what was committed within about a second; the next read finds it.
func (s *Store) ChangesAfter(ctx context.Context, p Position, now time.Time, exact bool) ([]Change, Position, error) {
	if now.Sub(p.Latest) >= CompleteEvery {
		found, err := s.ChangesSince(ctx, p.Complete, now)
		return found, Position{now, now}, err
	}
	spans := []span{{p.Latest.Add(-lookBack), now.Add(clockDifference), exact}}
	p.Latest = now
	if now.Sub(p.Complete) >= CompleteEvery { // what can no longer become more
		spans = append(spans, span{p.Complete.Add(-entity.RereadWindow), now.Add(-entity.RereadWindow), true})
		p.Complete = now
	}
	found, err := s.readEntries(ctx, spans...)
	return found, p, err
}

// clockDifference is how far a writer's clock may be ahead of a reader's.
const clockDifference = entity.RereadWindow - entity.CommitBound

// span is a part of the log.
type span struct {
	from, to time.Time
	// consistent reads everything that is committed.
	consistent bool
}

// maxQueries bounds the queries that run at the same time.
const maxQueries = 16

// readEntries reads the entries of parts of the log, in any order.
func (s *Store) readEntries(ctx context.Context, spans ...span) ([]Change, error) {
	var queries []*dynamo.Query
	for _, part := range spans {
		if part.to.Before(part.from) { // the clock went back
			part.to = part.from
		}
		from, to := sortableMillis(part.from), sortableMillis(part.to)
		for day := part.from.UTC().Truncate(24 * time.Hour); !day.After(part.to); day = day.Add(24 * time.Hour) {
			for shard := range logShards {
				pk := itemkey.SnapshotChange.PK(s.name, dayOf(day), strconv.Itoa(shard))
				queries = append(queries, s.log.Get(topology.PK, pk).Range(topology.SK, dynamo.Between, from, to).Consistent(part.consistent))
			}
		}
	}
	found := make([][]changeItem, len(queries))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(maxQueries)
	for i, query := range queries {
		g.Go(func() error { return query.All(gctx, &found[i]) })
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var changes []Change
	for _, items := range found {
		for _, item := range items {
			if values, ok := itemkey.SnapshotChange.ParseSK(item.SK); ok {
				changes = append(changes, Change{item.SK, values[1], item.Group, item.Generation})
			}
		}
	}
	return changes, nil
}

// sortableMillis returns a time as milliseconds since 1970, padded so that texts sort as times do.
func sortableMillis(t time.Time) string { return fmt.Sprintf("%014d", t.UnixMilli()) }
