package crm

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"strconv"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// PublishResult is what a publication has done.
type PublishResult struct {
	// Done says that a base of so many Candidates was written.
	Done       bool
	Candidates int
}

// Publish writes the base of a recruiter's CRM from its rows, unless the published one holds
// the notice's changes, or the CRM is small and never had one. It may be repeated and run
// concurrently: the base is a single object, so a run that is interrupted leaves nothing
// unfinished, and erased data is in no older base.
//
// A notice with a zero time publishes in any case. So must a notice that is delivered a
// second time: its first run may have replaced a younger base by an older one.
func (s *Index) Publish(ctx context.Context, n ChangeNotice) (p PublishResult, err error) {
	defer fault.Wrap(&err, "crm.Publish(recruiterID)")

	for range 5 {
		stored, h, err := s.readHead(ctx, n.RecruiterID)
		published := h.BaseTime
		if n.Bulk {
			published = h.BulkTime
		}
		isCovered := !n.At.IsZero() && published >= n.At.Add(clockMargin).UnixMilli()
		if err != nil || isCovered {
			return p, err
		}
		now := s.store.now()
		all, err := s.readAllRows(ctx, n)
		if err != nil || !stored.Live() && len(all) < s.limits.Large {
			return p, err
		}
		isYoungest, err := s.putBase(ctx, n.RecruiterID, now, packRows(all))
		if err != nil {
			return p, err
		}
		if !isYoungest { // this base may have replaced a younger one: read and write again
			n.At = time.Time{}
			continue
		}
		is := indexHead{Candidates: len(all), BaseTime: now.UnixMilli(), BulkTime: h.BulkTime}
		if n.Bulk {
			is.BulkTime = is.BaseTime
		}
		if done, err := s.setHead(ctx, n, stored.Version+1, is); err != nil || done {
			return PublishResult{err == nil, len(all)}, err
		}
	}
	return p, errors.New("too many concurrent publications of the CRM index")
}

// indexHead is the item that says which base is published.
type indexHead struct {
	Candidates int `json:"candidates"`
	// BaseTime is when the base's rows were read, and BulkTime when those of the last bulk load's were, in epoch milliseconds.
	BaseTime int64 `json:"until"`
	BulkTime int64 `json:"quiet,omitempty"`
}

func headKey(recruiterID string) entity.Key { return entity.KeyOf(itemkey.CRMIndexHead, recruiterID) }

func (s *Index) readHead(ctx context.Context, recruiterID string) (entity.State, indexHead, error) {
	return entity.Read[indexHead](ctx, s.store.entities, headKey(recruiterID))
}

// setHead stores that a base is published, in time or not at all, unless the head has changed since it was read.
// done is false if a faster publisher may not have stored that its base has a bulk load.
func (s *Index) setHead(ctx context.Context, n ChangeNotice, version int64, is indexHead) (done bool, err error) {
	next := func(entity.State) (entity.NewState, error) {
		// Not with the base's time: publishing may take longer than the window that readers read again.
		row := entity.RowOf(itemkey.LoggedIndexHead, is, n.RecruiterID, sortableMillis(s.store.now()))
		return entity.NewState{Body: is, Rows: []entity.Row{row}}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, entity.CommitBound)
	defer cancel()
	done, err = s.store.entities.Apply(ctx, entity.Change{Key: headKey(n.RecruiterID), Stamp: entity.Stamp{Version: version}, Next: next})
	return done || !n.Bulk, err
}

// putBase writes a base of the rows read at a time. It claims the time before the write
// and checks the claim after it. done is false if a publisher has claimed a later time: the
// base was then not written, or may have replaced that publisher's younger one.
func (s *Index) putBase(ctx context.Context, recruiterID string, at time.Time, b *base) (done bool, err error) {
	if youngest, err := s.claimBase(ctx, recruiterID, at); err != nil || !youngest {
		return false, err
	}
	if err := s.bucket.Put(ctx, IndexPrefix+recruiterID, "application/octet-stream", b.encodeFile(at)); err != nil {
		return false, err
	}
	return s.claimBase(ctx, recruiterID, at)
}

// claimBase stores that a base of a time is being written, and reports whether that is the latest time.
func (s *Index) claimBase(ctx context.Context, recruiterID string, at time.Time) (youngest bool, err error) {
	k := headKey(recruiterID)
	k.Part = "claim"
	youngest, err = s.store.entities.Set(ctx, k, at.UnixMilli(), true)
	if err != nil || youngest {
		return youngest, err
	}
	stored, err := s.store.entities.Get(ctx, k)
	return stored.Version <= at.UnixMilli(), err
}

// readAllRows reads the rows at half the price of the reads of a search. Rows that were written too
// recently for it are in the log of changes, which readers read from [entity.RereadWindow] before
// the base's time on; those of a bulk load are not, and are read consistently.
func (s *Index) readAllRows(ctx context.Context, n ChangeNotice) (all []Row, err error) {
	if !n.Bulk {
		ctx = cloud.Eventually(ctx)
	}
	for found, err := range s.store.entities.Query(ctx, rowsAfter(n.RecruiterID, 0)) {
		var r Row
		if err == nil {
			err = r.decodeRow(found)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// ChangeNotice is the message that a recruiter's CRM changed, so its index may be worth publishing.
type ChangeNotice struct {
	RecruiterID string    `json:"recruiterId"`
	At          time.Time `json:"at"`
	// Bulk says that the changes are of a bulk load ([Store.Bulk]), which the index
	// of changes does not list: a process with an older base must read the new one.
	Bulk bool `json:"quiet,omitempty"`
}

const (
	// NoticeDelay is how long a notice is held back, so that one publication covers many changes.
	NoticeDelay = 90 * time.Second
	// BulkDelay is NoticeDelay for a bulk load, which publishes when it ends: the notice serves for one that is killed.
	BulkDelay = 10 * time.Minute
	// clockMargin is how much younger than a notice a base must be to surely hold its changes, as clocks
	// differ. With NoticeDelay it bounds publications of an index to one a minute.
	clockMargin = 30 * time.Second
	// changesPerNotice is the number of changes of which one is worth a notice: so few are searched beside the base.
	changesPerNotice = 64
)

// WorthNotice reports whether a change that takes no person away is worth a notice: one in 64, the same one every time.
func WorthNotice(entityID string, version int64) bool {
	h := fnv.New32a()
	_, _ = h.Write([]byte(entityID + "#" + strconv.FormatInt(version, 10)))
	sum := h.Sum32()
	return (sum^sum>>15)%changesPerNotice == 0
}

// String returns the notice as a message.
func (n ChangeNotice) String() string {
	out, _ := json.Marshal(n) // of a string and a time, which cannot fail
	return string(out)
}

// ParseChangeNotice parses a message. It fails if the message names no recruiter.
func ParseChangeNotice(message string) (n ChangeNotice, err error) {
	err = json.Unmarshal([]byte(message), &n)
	if err == nil && n.RecruiterID == "" {
		err = errors.New("the change notice has no recruiter")
	}
	return n, err
}
