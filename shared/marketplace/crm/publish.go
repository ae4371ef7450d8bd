package crm

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// ChangeNotice says that a book changed and may be worth a publication.
type ChangeNotice struct {
	RecruiterID string    `json:"recruiterId"`
	At          time.Time `json:"at"`
	// Bulk tells of changes that are in no index (Store.Quiet): whoever has an older
	// base in memory must read the new one.
	Bulk bool `json:"quiet,omitempty"`
}

const (
	// NoticeDelay is how long a note is held back, so that a book is published once for
	// what changes meanwhile.
	NoticeDelay = 90 * time.Second
	// BulkDelay is NoticeDelay of a load that publishes at its end, for one that is killed.
	BulkDelay = 10 * time.Minute
	// clockMargin is how much younger than a note a base must be to hold what the note is of,
	// whatever the clocks say. With NoticeDelay it bounds publications to one a minute.
	clockMargin = 30 * time.Second
	// changesPerNotice is of how many changes one is worth a note: the others are few enough to be
	// searched beside the base.
	changesPerNotice = 64
)

// WorthNotice tells whether a change is worth a note: one in 64, always the same one.
// What removes a candidate always is.
func WorthNotice(entityID string, version int64, removed bool) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(entityID + "#" + strconv.FormatInt(version, 10)))
	sum := h.Sum32()
	return removed || (sum^sum>>15)%changesPerNotice == 0
}

// String is the note as a message.
func (n ChangeNotice) String() string {
	out, _ := json.Marshal(n) // of a string and a time, which cannot fail
	return string(out)
}

// ParseChangeNotice reads a message.
func ParseChangeNotice(message string) (n ChangeNotice, err error) {
	if err = json.Unmarshal([]byte(message), &n); err == nil && n.RecruiterID == "" {
		err = errors.New("the note names no recruiter")
	}
	return n, err
}

// PublishResult tells what a publication has done.
type PublishResult struct {
	// Done tells that a base was written, of so many Candidates.
	Done       bool
	Candidates int
}

// errContention is a book that others publish again and again.
var errContention = errors.New("the book was published by others again and again")

// Publish writes a book's base anew, from its rows, unless one is there that has
// what the note is of, or the book is small and never had one. It may be repeated
// and run beside others: the base is one object, so nothing is left behind by a run
// that ends halfway, and what is erased is in no older one.
//
// A zero time publishes in any case. So must a note that comes a second time: its
// first run may have put an older base in the place of a younger.
func (s *Index) Publish(ctx context.Context, n ChangeNotice) (p PublishResult, err error) {
	for range 5 {
		stored, h, err := s.readHead(ctx, n.RecruiterID)
		if err != nil || h.covers(n) {
			return p, err
		}
		now := s.store.now()
		all, err := s.readAllRows(ctx, n.RecruiterID)
		if err != nil || !stored.Live() && len(all) < s.limits.Large {
			return p, err
		}
		if done, err := s.putBase(ctx, n.RecruiterID, now, packRows(all)); err != nil || !done {
			if n.At = (time.Time{}); err == nil {
				continue // a younger one may have been there: once more
			}
			return p, err
		}
		if done, err := s.setHead(ctx, n, stored, indexHead{Candidates: len(all), BaseTime: now.UnixMilli()}); err != nil || done {
			return PublishResult{err == nil, len(all)}, err
		}
	}
	return p, errContention
}

// indexHead is what the book's item says of its base.
type indexHead struct {
	Candidates int `json:"candidates"`
	// BaseTime is when the base's rows were read, Quiet when those of the last one that
	// a quiet change was published with, in milliseconds since 1970.
	BaseTime int64 `json:"until"`
	BulkTime int64 `json:"quiet,omitempty"`
}

func headKey(recruiterID string) entity.Key { return entity.KeyOf(itemkey.Book, recruiterID) }

func (s *Index) readHead(ctx context.Context, recruiterID string) (stored entity.State, h indexHead, err error) {
	if stored, err = s.store.entities.Get(ctx, headKey(recruiterID)); err == nil {
		err = stored.Into(&h)
	}
	return stored, h, err
}

// covers tells whether a published base surely holds what a note is of.
func (h indexHead) covers(n ChangeNotice) bool {
	base := h.BaseTime
	if n.Bulk {
		base = h.BulkTime
	}
	return !n.At.IsZero() && base >= n.At.Add(clockMargin).UnixMilli()
}

// setHead says that a base is there, in the place of what was read before. It is not
// done if another publisher was faster, who does not say that the base has quiet changes.
func (s *Index) setHead(ctx context.Context, n ChangeNotice, read entity.State, is indexHead) (done bool, err error) {
	k := headKey(n.RecruiterID)
	done, err = s.store.entities.Apply(ctx, entity.Change{Key: k, Stamp: entity.Stamp{Version: read.Version + 1}, Next: func(old entity.State) (entity.NewState, error) {
		var was indexHead
		if err := old.Into(&was); err != nil {
			return entity.NewState{}, err
		}
		if is.BulkTime = was.BulkTime; n.Bulk {
			is.BulkTime = is.BaseTime
		}
		next := entity.NewState{Body: is}
		if is.BulkTime > 0 {
			next.Rows = []entity.Row{{PK: k.PK, SK: itemkey.BulkBook.SK(), Written: time.UnixMilli(is.BulkTime)}}
		}
		return next, nil
	}})
	return done || !n.Bulk, err
}

// putBase writes a base whose rows were read at a time, unless a younger one is being
// written. Whoever writes has said so before and looks afterwards whether somebody
// younger has said so too, whose base may now be lost below this one.
func (s *Index) putBase(ctx context.Context, recruiterID string, at time.Time, b *base) (done bool, err error) {
	if youngest, err := s.claimBase(ctx, recruiterID, at); err != nil || !youngest {
		return false, err
	}
	if err := s.bucket.Put(ctx, IndexPrefix+recruiterID, "application/octet-stream", b.encodeFile(at)); err != nil {
		return false, err
	}
	return s.claimBase(ctx, recruiterID, at)
}

// claimBase says that a base of a time is being written, and tells whether it is the
// youngest of which somebody has said so.
func (s *Index) claimBase(ctx context.Context, recruiterID string, at time.Time) (youngest bool, err error) {
	k := headKey(recruiterID)
	k.Part = "claim"
	if youngest, err = s.store.entities.Set(ctx, k, at.UnixMilli(), true); err != nil || youngest {
		return youngest, err
	}
	stored, err := s.store.entities.Get(ctx, k)
	return stored.Version <= at.UnixMilli(), err
}

func (s *Index) readAllRows(ctx context.Context, recruiterID string) (all []Row, err error) {
	for r, err := range s.store.iterateRows(ctx, recruiterID, 0) {
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
