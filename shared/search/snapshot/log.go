package snapshot

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

const (
	// Retention is the time that a change stays in the log. Publications are far more frequent.
	Retention = 7 * 24 * time.Hour
	// MaxBehind is the age up to which an index is brought up to date from the log, instead of made anew.
	MaxBehind = Retention / 2
	// logShards is the number of partition keys of a day. A transaction writes an entry with two
	// units, so each key takes 500 entries a second.
	logShards = 3
	// lookBack is the time by which a read goes back before the previous one. It covers
	// entity.PromptCommit, the difference of clocks and the lag of the table's copies.
	lookBack = 6 * time.Second
	// CompleteEvery is the interval at which a reader reads the entries that lookBack misses.
	CompleteEvery = time.Minute
)

// Group identifies members that changed together: Name is what they have in common, and First and
// Last are the first and last of their ids.
type Group struct {
	Name  string `dynamo:"group,omitempty"`
	First string `dynamo:"first,omitempty"`
	Last  string `dynamo:"last,omitempty"`
}

// Change is an entry of the log. It names a member, a group of members or a base.
type Change struct {
	// Key is unique to the entry; it comes from the log.
	Key string `dynamo:"sk,range"`
	// ID is the member that changed; "" in the entry of a group or a base.
	ID string `dynamo:"-"`
	// Base is the generation of the base that the entry announces; 0 in other entries.
	Base int64 `dynamo:"generation,omitempty"`
	// Group is the group of members that changed. Its Name is "" in other entries.
	Group
}

type changeItem struct {
	PK  string `dynamo:"pk,hash"`
	TTL int64  `dynamo:"ttl"`
	Change
}

// LogChange returns the log entry of a changed member, for the transaction that changes it, or of a group
// of members, to be written after they have changed. now is the writer's clock; nonce is different in
// every call, because a member can change twice in a millisecond. The entry of a base is written with its head.
func (s *Store) LogChange(now time.Time, c Change, nonce string) func(*dynamo.WriteTx) {
	put := s.putEntry(now, c, nonce)
	return func(tx *dynamo.WriteTx) { tx.Put(put) }
}

func (s *Store) putEntry(now time.Time, c Change, nonce string) *dynamo.Put {
	h := fnv.New32a()
	_, _ = h.Write([]byte(nonce))
	pk, sk := itemkey.SnapshotChange.Key(s.name, dayOf(now), strconv.Itoa(int(h.Sum32()%logShards)), sortableMillis(now), c.ID, nonce)
	c.Key = sk
	return s.log.Put(changeItem{pk, now.Add(Retention).Unix(), c})
}

// dayOf returns the day of the partitions that hold the entries of a time.
func dayOf(at time.Time) string { return at.UTC().Format("20060102") }

// ChangesSince reads, consistently, the changes since entity.RereadWindow before at. If at is zero, or the
// Until of a head that was never published, it reads all of them.
func (s *Store) ChangesSince(ctx context.Context, at, now time.Time) (_ []Change, err error) {
	defer fault.Wrap(&err, "snapshot.ChangesSince")

	from := now.Add(-Retention)
	if at.UnixMilli() > 0 {
		from = at.Add(-entity.RereadWindow)
	}
	return s.readEntries(ctx, span{from, now.Add(clockDifference), true})
}

// Position is how far a reader has read the log.
type Position struct {
	// Complete is the time of the last complete read: every entry that was made more than
	// entity.RereadWindow before it has been read.
	Complete time.Time
	// Latest is the time of the last read.
	Latest time.Time
}

// ChangesAfter reads the changes after a position and returns them with the new position. Every
// CompleteEvery it also reads the changes that were committed late. Unless exact is set, it may
// miss a change that was committed within about a second; the next read finds that change.
func (s *Store) ChangesAfter(ctx context.Context, p Position, now time.Time, exact bool) (_ []Change, _ Position, err error) {
	defer fault.Wrap(&err, "snapshot.ChangesAfter")

	if now.Sub(p.Latest) >= CompleteEvery {
		found, err := s.ChangesSince(ctx, p.Complete, now)
		return found, Position{now, now}, err
	}
	spans := []span{{p.Latest.Add(-lookBack), now.Add(clockDifference), exact}}
	p.Latest = now
	if now.Sub(p.Complete) >= CompleteEvery { // entries so old that no transaction can add to them
		spans = append(spans, span{p.Complete.Add(-entity.RereadWindow), now.Add(-entity.RereadWindow), true})
		p.Complete = now
	}
	found, err := s.readEntries(ctx, spans...)
	return found, p, err
}

// clockDifference is the maximum time by which a writer's clock may be ahead of a reader's.
const clockDifference = entity.RereadWindow - entity.CommitBound

type span struct {
	from, to time.Time
	// consistent makes the read include everything that is committed.
	consistent bool
}

const maxQueries = 16

// readEntries reads the entries of the given periods of the log, in no particular order.
func (s *Store) readEntries(ctx context.Context, spans ...span) ([]Change, error) {
	var queries []*dynamo.Query
	for _, part := range spans {
		if part.to.Before(part.from) { // the clock went back
			part.to = part.from
		}
		from := sortableMillis(part.from)
		to := sortableMillis(part.to)
		for day := part.from.UTC().Truncate(24 * time.Hour); !day.After(part.to); day = day.Add(24 * time.Hour) {
			for shard := range logShards {
				pk := itemkey.SnapshotChange.PK(s.name, dayOf(day), strconv.Itoa(shard))
				queries = append(queries, s.log.Get(topology.PK, pk).Range(topology.SK, dynamo.Between, from, to).Consistent(part.consistent))
			}
		}
	}
	found := make([][]Change, len(queries))
	err := cloud.EachUntilError(ctx, maxQueries, queries, func(ctx context.Context, n int, query *dynamo.Query) error {
		return query.All(ctx, &found[n])
	})
	if err != nil {
		return nil, err
	}
	var changes []Change
	for _, change := range slices.Concat(found...) {
		if values, ok := itemkey.SnapshotChange.ParseSK(change.Key); ok {
			change.ID = values[1]
			changes = append(changes, change)
		}
	}
	return changes, nil
}

// sortableMillis returns a time in milliseconds since 1970, padded, so that the strings sort as the times do.
func sortableMillis(t time.Time) string { return fmt.Sprintf("%014d", t.UnixMilli()) }

const (
	// keptDigests is the number of digests that readers find: those of at least as many seconds.
	// The item with their keys stays below 4 KB, so that reading it costs half a unit.
	keptDigests = 140
	// digestClaim is the time after which a process that did not finish its digest counts as dead.
	digestClaim = 3 * time.Second
)

// Digests names the last digests of a format. A digest is a file with the state of the members
// that changed in a part of the log; the next one begins where it ends.
type Digests struct {
	Format int `dynamo:"-"`
	// Number counts all digests.
	Number int64 `dynamo:"number"`
	// Keys and Times are the files of the last digests, oldest first, and when the log was read for
	// each, in milliseconds since 1970.
	Keys  []string `dynamo:"keys,allowempty"`
	Times []int64  `dynamo:"times,allowempty"`
	// From is the time from which they have all changes, in milliseconds since 1970.
	From int64 `dynamo:"from"`
	// Complete and Latest are the position of the last digest, in milliseconds since 1970.
	Complete int64 `dynamo:"complete"`
	Latest   int64 `dynamo:"latest"`
	// Claim is the nonce of the process that makes the next digest until ClaimedUntil, in
	// milliseconds since 1970.
	Claim        string `dynamo:"claim,omitempty"`
	ClaimedUntil int64  `dynamo:"claimedUntil,omitempty"`
}

// Position returns how far the digests have read the log.
func (d Digests) Position() Position {
	return Position{Complete: time.UnixMilli(d.Complete), Latest: time.UnixMilli(d.Latest)}
}

// After returns the keys of the digests after a number; ok is false if some of them are not kept.
func (d Digests) After(number int64) (keys []string, ok bool) {
	missing := d.Number - number
	if missing < 0 || missing > int64(len(d.Keys)) {
		return nil, false
	}
	return d.Keys[int64(len(d.Keys))-missing:], true
}

// Since returns the keys of the digests for which the log was not read before a time; ok is false
// if those that are kept do not have all changes since.
func (d Digests) Since(at time.Time) (keys []string, ok bool) {
	before, _ := slices.BinarySearch(d.Times, at.UnixMilli())
	return d.Keys[before:], d.From <= at.UnixMilli()
}

// Extend returns the digests with a further one, of the changes up to a position. The key "" is that
// of a digest without members, which has no file.
func (d Digests) Extend(key string, to Position) Digests {
	if key == "" {
		return d.moveTo(to)
	}
	if len(d.Keys) == keptDigests {
		d.From = d.Times[0]
		d.Keys = d.Keys[1:]
		d.Times = d.Times[1:]
	}
	d.Number++
	d.Keys = append(slices.Clip(d.Keys), key)
	d.Times = append(slices.Clip(d.Times), to.Latest.UnixMilli())
	return d.moveTo(to)
}

// Restart returns digests without files that begin at a position. Readers of the former ones read
// the log.
func (d Digests) Restart(at Position) Digests {
	d.Number++
	d.Keys = nil
	d.Times = nil
	d.From = at.Latest.UnixMilli()
	return d.moveTo(at)
}

func (d Digests) moveTo(to Position) Digests {
	d.Complete = to.Complete.UnixMilli()
	d.Latest = to.Latest.UnixMilli()
	d.Claim = ""
	d.ClaimedUntil = 0
	return d
}

type digestsItem struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	Digests
}

// Digests reads which digests a format has, eventually consistently; none if it has never had one.
func (s *Store) Digests(ctx context.Context, format int) (_ Digests, err error) {
	defer fault.Wrap(&err, "snapshot.Digests")

	var d Digests
	pk, sk := s.digestsKey(format)
	err = s.log.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).One(ctx, &d)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	d.Format = format
	return d, err
}

func (s *Store) digestsKey(format int) (pk, sk string) {
	return itemkey.SnapshotDigests.Key(s.name, strconv.Itoa(format))
}

// ClaimDigest reports whether the caller may make the digest that follows d: nobody else has made it
// or is making it. nonce is different in every call.
func (s *Store) ClaimDigest(ctx context.Context, d Digests, nonce string, now time.Time) (claimed bool, err error) {
	defer fault.Wrap(&err, "snapshot.ClaimDigest(nonce)")

	pk, sk := s.digestsKey(d.Format)
	err = s.log.Update(topology.PK, pk).Range(topology.SK, sk).
		Set("claim", nonce).Set("claimedUntil", now.Add(digestClaim).UnixMilli()).
		If("attribute_not_exists(pk) OR latest = ? OR attribute_not_exists(latest)", d.Latest).
		If("attribute_not_exists(claimedUntil) OR claimedUntil <= ? OR claim = ?", now.UnixMilli(), nonce).Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return false, nil
	}
	return err == nil, err
}

// PutDigest stores a digest that [Store.PublishDigests] has yet to name. Its life cycle deletes it.
// key is different in every call.
func (s *Store) PutDigest(ctx context.Context, format int, key string, content []byte) (err error) {
	defer fault.Wrap(&err, "snapshot.PutDigest(key)")

	return s.bucket.Put(ctx, s.digestPath(format, key), "application/octet-stream", content)
}

func (s *Store) digestPath(format int, key string) string {
	return fmt.Sprintf("%s%s/%d/%s", topology.DigestsPrefix, s.name, format, key)
}

// Digest reads a digest.
func (s *Store) Digest(ctx context.Context, format int, key string) (_ []byte, err error) {
	defer fault.Wrap(&err, "snapshot.Digest(key)")

	return s.bucket.Get(ctx, s.digestPath(format, key), maxFile)
}

// PublishDigests replaces the digests by next, which a process has made that holds the claim of
// nonce. It returns ErrSuperseded if another process has the claim.
func (s *Store) PublishDigests(ctx context.Context, next Digests, nonce string) (err error) {
	defer fault.Wrap(&err, "snapshot.PublishDigests(nonce)")

	pk, sk := s.digestsKey(next.Format)
	return supersededIfFailed(s.log.Put(digestsItem{pk, sk, next}).
		If("claim = ? OR (latest = ? AND attribute_not_exists(claim))", nonce, next.Latest).Run(ctx))
}
