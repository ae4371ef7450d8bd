package catalogue

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/gob"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

const (
	// maxDigestLag is the time by which the last digest may be older than the catalogue's maximum age,
	// before an instance reads the log itself.
	maxDigestLag = 5 * time.Second
	// digestSkew is by how much the clocks of a publisher and of an instance may differ.
	digestSkew      = 30 * time.Second
	parallelDigests = 16
)

var (
	// errNoDigests reports that the digests cannot bring the copy up to date, so that the log must.
	errNoDigests = errors.New("the digests do not continue the copy")
	errNewerBase = errors.New("a digest announces a newer base")
)

// sharesReads reports whether the instance shares what it reads: not if each list has to read the log.
func (c *Catalogue) sharesReads() bool { return c.maxAge > 0 && c.newID != nil }

// isTooOld reports whether no instance has made a digest for a while.
func (c *Catalogue) isTooOld(head snapshot.Digests, now time.Time) bool {
	return now.Sub(head.Position().Latest) > c.maxAge+maxDigestLag
}

// readDigestHead returns which digests there are; nil if they cannot be read, or reads are not shared.
func (c *Catalogue) readDigestHead(ctx context.Context) *snapshot.Digests {
	if !c.sharesReads() {
		return nil
	}
	head, err := c.snapshots.Digests(ctx, c.formats[0])
	if err != nil {
		c.log.WarnContext(ctx, "no digests of the log of changes are found", "cause", err)
		return nil
	}
	return &head
}

// followDigests merges the digests that the copy lacks into it, and makes the next one if the last is
// older than the catalogue's maximum age and no other instance is making it.
func (c *Catalogue) followDigests(ctx context.Context, head snapshot.Digests, now time.Time) error {
	keys, ok := head.After(c.digested)
	if !ok || c.isTooOld(head, now) {
		return errNoDigests
	}
	digests, err := c.fetchDigests(ctx, head.Format, keys)
	if err != nil {
		return err
	}
	if err := c.applyDigests(digests, head, now); err != nil {
		return err
	}
	lag := now.Sub(head.Position().Latest)
	if isClaimed := head.ClaimedUntil > now.UnixMilli(); lag < c.maxAge || isClaimed {
		return nil
	}
	return c.makeDigest(ctx, head, now)
}

func (c *Catalogue) fetchDigests(ctx context.Context, format int, keys []string) ([]digest, error) {
	digests := make([]digest, len(keys))
	err := cloud.EachUntilError(ctx, parallelDigests, keys, func(ctx context.Context, n int, key string) error {
		content, err := c.snapshots.Digest(ctx, format, key)
		if err == nil {
			digests[n], err = decodeDigest(content)
		}
		return err
	})
	return digests, err
}

// advanceTo records that the copy has the changes up to a position, unless it has later ones.
func (c *Catalogue) advanceTo(p snapshot.Position) {
	c.own.read.Complete = slices.MaxFunc([]time.Time{c.own.read.Complete, p.Complete}, time.Time.Compare)
	c.own.read.Latest = slices.MaxFunc([]time.Time{c.own.read.Latest, p.Latest}, time.Time.Compare)
}

// makeDigest reads the log and the roles that changed since the last digest, and publishes and merges
// the next one, unless another instance is making it.
func (c *Catalogue) makeDigest(ctx context.Context, head snapshot.Digests, now time.Time) (err error) {
	defer fault.Wrap(&err, "catalogue.makeDigest")

	nonce := c.newNonce()
	claimed, err := c.snapshots.ClaimDigest(ctx, head, nonce, now)
	if err != nil || !claimed {
		return err
	}
	changes, position, err := c.snapshots.ChangesAfter(ctx, head.Position(), now, false)
	if err != nil {
		return err
	}
	var made digest
	var unknown []snapshot.Change // entries that no digest has
	for _, change := range changes {
		if _, known := c.logged[change.Key]; !known {
			unknown = append(unknown, change)
			made.Logged = append(made.Logged, change.Key)
			made.Base = max(made.Base, change.Base)
		}
	}
	ids, err := ListChangedIDs(ctx, c.roles, unknown)
	if err != nil {
		return err
	}
	made.Roles, err = c.readRoles(ctx, ids, nil)
	if err != nil {
		return err
	}
	key := ""
	if len(made.Logged) > 0 {
		content, err := made.encode()
		if err != nil {
			return err
		}
		key = nonce
		if err := c.snapshots.PutDigest(ctx, head.Format, key, content); err != nil {
			return err
		}
	}
	next := head.Extend(key, position)
	if err := c.snapshots.PublishDigests(ctx, next, nonce); err != nil {
		return err
	}
	return c.applyDigests([]digest{made}, next, now)
}

// digestsSince returns the digests since a base that is current up to a time; ok is false if some are missing.
func (c *Catalogue) digestsSince(ctx context.Context, head *snapshot.Digests, until, now time.Time) (digests []digest, ok bool) {
	if head == nil || c.isTooOld(*head, now) {
		return nil, false
	}
	keys, ok := head.Since(until.Add(-digestSkew))
	if !ok {
		return nil, false
	}
	digests, err := c.fetchDigests(ctx, head.Format, keys)
	if err != nil {
		c.log.WarnContext(ctx, "no digest of the log of changes is read", "cause", err)
	}
	return digests, err == nil
}

// joinDigests makes a copy follow the digests that was brought up to date from the log, after head was
// read. Digests that are too old begin anew at the copy's position, unless another instance has done
// so. Errors are logged: the copy is up to date.
func (c *Catalogue) joinDigests(ctx context.Context, head snapshot.Digests, now time.Time) {
	if !c.isTooOld(head, now) {
		c.digested = max(c.digested, head.Number)
		return
	}
	if head.ClaimedUntil > now.UnixMilli() {
		return
	}
	nonce := c.newNonce()
	next := head.Restart(c.own.read)
	claimed, err := c.snapshots.ClaimDigest(ctx, head, nonce, now)
	if err == nil && claimed {
		err = c.snapshots.PublishDigests(ctx, next, nonce)
	}
	switch {
	case err != nil:
		c.log.WarnContext(ctx, "the digests of the log of changes do not begin anew", "cause", err)
	case claimed:
		c.digested = next.Number
		maps.Copy(c.logged, c.seen) // the position has these entries
	}
}

// newNonce returns the random end of an id, which is different in every call.
func (c *Catalogue) newNonce() string { return c.newID().String()[24:] }

// digest is the state of the roles that changed in a part of the log, as the two indexes have it.
// One instance reads these roles and all others read the digest.
type digest struct {
	// Logged holds the keys of the part's entries, and Base the newest generation that one of them
	// announces; 0 if none does.
	Logged []string
	Base   int64
	// Roles holds each role once.
	Roles []roleindex.RoleDocs
}

// encode returns the digest deflated: documents of roles are alike.
func (d digest) encode() ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err == nil {
		err = errors.Join(gob.NewEncoder(w).Encode(d), w.Close())
	}
	return out.Bytes(), err
}

func decodeDigest(content []byte) (d digest, err error) {
	err = gob.NewDecoder(flate.NewReader(bytes.NewReader(content))).Decode(&d)
	return d, err
}

// applyDigests merges the digests that follow those of the copy, oldest first, into the views. The last
// of them is that of head. It returns errNewerBase if one of them announces a newer base.
func (c *Catalogue) applyDigests(digests []digest, head snapshot.Digests, now time.Time) error {
	if slices.ContainsFunc(digests, func(d digest) bool { return d.Base > c.head.Generation }) {
		return errNewerBase
	}
	var changes []roleindex.RoleDocs
	for _, d := range digests {
		changes = append(changes, d.Roles...)
		for _, key := range d.Logged {
			c.logged[key] = now
		}
	}
	maps.DeleteFunc(c.logged, func(_ string, at time.Time) bool { return now.Sub(at) > keptEntries })
	c.digested = head.Number
	c.mergeChanges(changes, now)
	c.advanceTo(head.Position())
	return nil
}
