package changefeed

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Page is a part of the feed.
type Page struct {
	Changes []Change
	// Next is the position after the page.
	Next Position
	// More reports whether changes follow that can be read at once.
	More bool
}

const (
	// maxQueries bounds the queries of the log for one page, firstSegments and maxSegments the
	// segments of the first query and of a later one.
	maxQueries, firstSegments, maxSegments = 6, 3, 100
	// maxMoves bounds the transactions for one page.
	maxMoves = 8
	// settled is longer than clocks differ and a commit takes together.
	settled = 2 * time.Minute
	// maxMoved bounds the entries of a segment: a transaction has 100 actions, and two of them are
	// the segment and the head.
	maxMoved = 98
	// maxBytes bounds a segment, which is an item of at most 400 KB.
	maxBytes = 200 << 10
	// maxSegment is more than the changes of any segment.
	maxSegment = 1 << 16
)

// Read returns at most limit changes after a position, of the given types if there are any, in
// order. A page can be short although there are more. Read gives numbers to entries if it comes to
// the end of the log.
func (f *Feed) Read(ctx context.Context, t tenant.ID, p Position, limit int, types []contract.ChangeType) (_ Page, err error) {
	defer fault.Wrap(&err, "changefeed.Read(tenant)")

	r := &reader{feed: f, tenant: t, limit: limit, types: types, page: Page{Next: p}}
	now := f.Now()
	if p.Segment == 0 {
		r.page.Next.From = now.Add(-Retention).UnixMilli()
		r.page.Next.At = r.page.Next.From
	}
	err = r.begin(ctx)
	for moves := 0; err == nil && moves < maxMoves && r.needsMove(); moves++ {
		err = r.moveEntries(ctx)
	}
	r.page.More = r.page.More || len(r.entries) > 0 || r.isFull() && r.more
	if !r.page.More {
		r.page.Next.At = max(r.page.Next.At, now.UnixMilli())
	}
	return r.page, err
}

// Latest returns the position after everything that is committed. If many entries have no number
// yet, it is before them, and leaves out what was recorded a while ago.
func (f *Feed) Latest(ctx context.Context, t tenant.ID) (_ Position, err error) {
	defer fault.Wrap(&err, "changefeed.Latest(tenant)")

	var head headItem // zero if no number was given
	_, err = cloud.GetItem(ctx, f.table, logKey(t), headKind, &head)
	if err != nil {
		return Position{}, err
	}
	now := f.Now().UnixMilli()
	p := Position{Segment: head.Last + 1, At: now}
	for range maxMoves {
		page, err := f.Read(ctx, t, p, maxSegment, nil)
		p = page.Next
		if err != nil || !page.More {
			return p, err
		}
	}
	p.At = now
	p.From = now - settled.Milliseconds()
	return p, nil
}

type reader struct {
	feed   *Feed
	tenant tenant.ID
	limit  int
	types  []contract.ChangeType
	page   Page
	// expired is the first number of a segment that has been deleted, 0 if none is known.
	expired int64
	// entries have no number yet, in order; more reports that there are others after them.
	entries []entryItem
	more    bool
}

// isFull reports whether the page has all its changes; more may follow in the segment.
func (r *reader) isFull() bool { return len(r.page.Changes) == r.limit }

// needsMove reports whether entries without numbers have to be numbered to fill the page.
func (r *reader) needsMove() bool { return len(r.entries) > 0 && !(r.isFull() || r.page.More) }

// begin reads the log from the position on, and at the same time the entries after it. From the oldest position on, it
// reads the head before the log: if the log has no segment then, those up to the head have expired.
func (r *reader) begin(ctx context.Context) error {
	var head headItem
	readLog := func(ctx context.Context) (err error) {
		if r.page.Next.Segment == 0 {
			_, err = cloud.GetItem(ctx, r.feed.table, logKey(r.tenant), headKind, &head)
		}
		if err == nil {
			err = r.readLog(ctx)
		}
		return err
	}
	err := cloud.InParallel(ctx, readLog, func(ctx context.Context) error { return r.readEntries(ctx, false) })
	switch {
	case err != nil || r.page.Next.Segment > 0:
		return err
	case head.Recorded >= r.page.Next.From && head.Last > 0:
		return errors.New("a segment of the change feed is not visible yet")
	}
	r.page.Next.Segment = head.Last + 1
	return nil
}

// readEntries reads the oldest entries without a number. Unless exact is set, an entry of the last second may be
// missing, and one that was moved in the last second may be there.
func (r *reader) readEntries(ctx context.Context, exact bool) error {
	var found [shards][]entryItem
	var more [shards]bool
	err := cloud.EachUntilError(ctx, shards, found[:], func(ctx context.Context, shard int, _ []entryItem) error {
		query := r.feed.table.Get(topology.PK, shardKey(r.tenant, shard)).Consistent(exact).SearchLimit(maxMoved)
		next, err := query.AllWithLastEvaluatedKey(ctx, &found[shard])
		more[shard] = next != nil
		return err
	})
	r.entries = slices.Concat(found[:]...)
	slices.SortFunc(r.entries, func(a, b entryItem) int { return strings.Compare(a.SK, b.SK) }) // by the time at which they were made
	r.more = slices.Contains(more[:], true)
	if r.more && len(r.entries) > maxMoved {
		r.entries = r.entries[:maxMoved] // later ones may precede what was not read
	}
	return err
}

func (r *reader) readLog(ctx context.Context) error {
	segments := firstSegments
	for range maxQueries {
		var found []segmentItem
		before := len(r.page.Changes)
		query := r.feed.table.Get(topology.PK, logKey(r.tenant)).Range(topology.SK, dynamo.GreaterOrEqual, segmentKind(r.page.Next.Segment))
		next, err := query.Consistent(true).SearchLimit(segments).AllWithLastEvaluatedKey(ctx, &found)
		if err != nil {
			return err
		}
		done, err := r.take(found...)
		p := r.page.Next
		// The segment that is read next, which the query did not find before a later one, may have been deleted at its end
		// if nothing that is kept has been read. DynamoDB deletes what has expired in any order. A segment that is not
		// visible yet is found by the next query, which begins after a later one was seen.
		mayBeExpired := p.At <= p.From && r.expired != p.Segment
		switch {
		case err != nil:
			return err
		case done && !r.isFull() && mayBeExpired:
			r.expired = p.Segment
			r.page.More = false
			continue
		case done || next == nil:
			return nil
		}
		each := max(len(r.page.Changes)-before, 1) / max(len(found), 1)
		segments = min((r.limit-len(r.page.Changes))/max(each, 1)+1, maxSegments)
	}
	r.page.More = true
	return nil
}

// take adds the changes of segments to the page. done reports that no further segment can be
// added: the page is full, or a segment before the next one is not visible yet.
func (r *reader) take(segments ...segmentItem) (done bool, err error) {
	p := &r.page.Next
	for _, s := range segments {
		changes, first, err := s.decode()
		switch {
		case err != nil:
			return true, err
		case p.Segment != 0 && first != p.Segment && r.expired != p.Segment:
			r.page.More = true
			return true, nil
		}
		p.At = max(p.At, s.Recorded)
		for i := min(p.Skip, len(changes)); i < len(changes); i++ {
			c := changes[i]
			if s.Recorded < p.From || len(r.types) > 0 && !slices.Contains(r.types, c.Type) {
				continue
			}
			if r.isFull() {
				p.Segment = first
				p.Skip = i
				r.page.More = true
				return true, nil
			}
			r.page.Changes = append(r.page.Changes, c)
		}
		p.Segment = first + int64(len(changes))
		p.Skip = 0
	}
	return false, nil
}

// moveEntries gives numbers to the oldest entries and adds them to the page. If another reader has moved entries since
// they were read, it reads again: consistently the entries, and after them the log, which has what is missing there.
func (r *reader) moveEntries(ctx context.Context) (err error) {
	defer fault.Wrap(&err, "changefeed.moveEntries(tenant)")

	first := r.page.Next.Segment
	s := segmentItem{PK: logKey(r.tenant), SK: segmentKind(first)}
	n := 0
	size := 0
	for n < min(len(r.entries), maxMoved) && (n == 0 || size+len(r.entries[n].Changes) <= maxBytes) {
		s.Changes = append(s.Changes, r.entries[n].Changes)
		size += len(r.entries[n].Changes)
		n++
	}
	digits, _, _ := strings.Cut(r.entries[n-1].SK, "#") // the last one is the newest
	s.Recorded, _ = strconv.ParseInt(digits, 10, 64)
	s.TTL = time.UnixMilli(s.Recorded).Add(storage).Unix()
	changes, _, err := s.decode()
	if err != nil {
		return err
	}
	head := r.feed.table.Update(topology.PK, s.PK).Range(topology.SK, headKind).
		Set("last", first+int64(len(changes))-1).Set("recorded", s.Recorded)
	if first == 1 {
		head.If("attribute_not_exists(pk)")
	} else {
		head.If("'last' = ?", first-1)
	}
	tx := r.feed.write().Update(head).Put(r.feed.table.Put(s))
	for _, e := range r.entries[:n] {
		tx.Delete(r.feed.table.Delete(topology.PK, e.PK).Range(topology.SK, e.SK).If("attribute_exists(pk)"))
	}
	err = tx.Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		if err := r.readEntries(ctx, true); err != nil {
			return err
		}
		return r.readLog(ctx)
	}
	if err == nil {
		_, err = r.take(s)
	}
	r.entries = r.entries[n:]
	if err == nil && len(r.entries) == 0 && r.more {
		err = r.readEntries(ctx, true)
	}
	return err
}

// Position is a reader's place in the log. The zero value is before the oldest change that is kept.
type Position struct {
	// Segment is the first number of the segment that is read next, and Skip the number of its
	// changes that were read already.
	Segment int64
	Skip    int
	// At is a time up to which the reader has read, in milliseconds: changes recorded before it
	// have been read, except those committed late and those in the segment being read.
	At int64
	// From leaves out what was recorded before it, in milliseconds.
	From int64
}

// tagOf returns what a tenant's positions begin with, so that no other tenant's is taken for one.
func tagOf(t tenant.ID) string {
	return strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(t))), 36)
}

// Format returns the position as a text that [ParsePosition] reads for the same tenant.
func (p Position) Format(t tenant.ID) string {
	return fmt.Sprintf("%s.%d.%d.%d.%d", tagOf(t), p.Segment, p.Skip, p.At, p.From)
}

// ParsePosition is the inverse of [Position.Format]; ok is false for any other text.
func ParsePosition(t tenant.ID, text string) (p Position, ok bool) {
	_, err := fmt.Sscanf(text, tagOf(t)+".%d.%d.%d.%d", &p.Segment, &p.Skip, &p.At, &p.From)
	isPositive := p.Segment > 0 && min(int64(p.Skip), p.At, p.From) >= 0
	isBounded := p.Skip < maxSegment && max(p.Segment, p.At, p.From) <= 1<<53
	return p, err == nil && isPositive && isBounded && p.Format(t) == text
}

// Expired reports whether changes after the position may have been deleted.
func (p Position) Expired(now time.Time) bool {
	return p.Segment > 0 && p.At < now.Add(-Retention-tolerance).UnixMilli()
}
