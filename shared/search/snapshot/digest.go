package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

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

// Since returns the number of the last digest for which the log was read before a time; ok is false
// if those that are kept do not have all changes since.
func (d Digests) Since(at time.Time) (number int64, ok bool) {
	before, _ := slices.BinarySearch(d.Times, at.UnixMilli())
	return d.Number - int64(len(d.Times)-before), d.From <= at.UnixMilli()
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

	var item digestsItem
	pk, sk := s.digestsKey(format)
	err = s.log.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	item.Format = format
	return item.Digests, err
}

func (s *Store) digestsKey(format int) (pk, sk string) {
	return itemkey.SnapshotDigests.Key(s.name, strconv.Itoa(format))
}

// ClaimDigest reports whether the caller may make the digest that follows d: nobody else has made it
// or is making it. nonce is different in every call.
func (s *Store) ClaimDigest(ctx context.Context, d Digests, nonce string, now time.Time) (claimed bool, err error) {
	defer fault.Wrap(&err, "snapshot.ClaimDigest")

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

// PutDigest stores a digest that [Store.PublishDigests] has yet to name, and returns its key. Its
// life cycle deletes it.
func (s *Store) PutDigest(ctx context.Context, format int, nonce string, content []byte) (key string, err error) {
	defer fault.Wrap(&err, "snapshot.PutDigest")

	key = nonce
	return key, s.bucket.Put(ctx, s.digestPath(format, key), "application/octet-stream", content)
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
	defer fault.Wrap(&err, "snapshot.PublishDigests")

	pk, sk := s.digestsKey(next.Format)
	return supersededIfFailed(s.log.Put(digestsItem{pk, sk, next}).
		If("claim = ? OR (latest = ? AND attribute_not_exists(claim))", nonce, next.Latest).Run(ctx))
}
