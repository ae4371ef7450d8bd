package changefeed_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const agency tenant.ID = "agy_1/test"

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// testFeed is a feed on a table of its own.
type testFeed struct {
	*changefeed.Feed
	*cloudtest.Clock
	t     testing.TB
	db    *dynamo.DB
	table dynamo.Table
}

func newTestFeed(t testing.TB, hooks ...cloud.Hook) *testFeed {
	t.Helper()
	clock := cloudtest.NewClock(start)
	db, table := cloudtest.Database(t, topology.Changes, hooks...)
	return &testFeed{changefeed.New(table, db.WriteTx, clock.Now), clock, t, db, table}
}

func (f *testFeed) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// newEntry returns the entry of a submission that failed, made at a time.
func newEntry(id string, at time.Time) changefeed.Entry {
	return changefeed.Entry{Subject: id, RecordedAt: at, Changes: []changefeed.Change{
		{Type: contract.SubmissionFailed, At: at.UnixMilli(), SubmissionID: id},
	}}
}

// record commits an entry in a transaction whose condition holds once, as that of what it tells.
func (f *testFeed) record(t tenant.ID, e changefeed.Entry) error {
	told := map[string]string{topology.PK: "told " + e.Subject, topology.SK: fmt.Sprint(e.Version)}
	tx := f.db.WriteTx().Put(f.table.Put(told).If("attribute_not_exists(pk)"))
	f.Record(tx, t, e)
	return tx.Run(context.Background())
}

// order is what the property is tested on: a feed, or a faulty one.
type order interface {
	commit(id string, made time.Time) error
	// readAfter returns at most limit ids after a position, and the position after them; "" is the first.
	readAfter(position string, limit int) (ids []string, next string, more bool, err error)
	findLatest() (position string, err error)
}

func (f *testFeed) commit(id string, made time.Time) error {
	return f.record(agency, newEntry(id, made))
}

func (f *testFeed) readAfter(position string, limit int) (ids []string, next string, more bool, err error) {
	var p changefeed.Position
	if position != "" {
		var ok bool
		p, ok = changefeed.ParsePosition(agency, position)
		if !ok {
			return nil, "", false, fmt.Errorf("%q is no position", position)
		}
	}
	page, err := f.Read(context.Background(), agency, p, limit, nil)
	for _, c := range page.Changes {
		ids = append(ids, c.SubmissionID)
	}
	return ids, page.Next.Format(agency), page.More, err
}

func (f *testFeed) findLatest() (string, error) {
	p, err := f.Latest(context.Background(), agency)
	return p.Format(agency), err
}

// byTime is the order that suggests itself and is wrong: by the time at which changes were made.
type byTime struct{ made []string }

func (b *byTime) commit(id string, made time.Time) error {
	b.made = append(b.made, fmt.Sprintf("%014d %s", made.UnixMilli(), id))
	slices.Sort(b.made)
	return nil
}

func (b *byTime) readAfter(position string, limit int) (ids []string, next string, more bool, err error) {
	next = position
	for _, key := range b.made {
		if key > position && len(ids) < limit {
			ids = append(ids, strings.Fields(key)[1])
			next = key
		}
	}
	return ids, next, len(ids) == limit, nil
}

func (b *byTime) findLatest() (string, error) {
	if len(b.made) == 0 {
		return "", nil
	}
	return b.made[len(b.made)-1], nil
}

// step is one event of a schedule. A writer makes an entry and commits it at a later step, or never.
type step struct {
	// Do is begin, commit, read, follow or race.
	Do string
	// Which chooses among the writers under way or the readers.
	Which int
	// Skew is by how much a writer's clock differs, in ms; Pass how long the step takes.
	Skew, Pass int
	Limit      int
}

var schedules = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) step {
	return step{
		Do:    rapid.SampledFrom([]string{"begin", "begin", "begin", "commit", "commit", "read", "read", "follow", "race"}).Draw(t, "do"),
		Which: rapid.IntRange(0, 9).Draw(t, "which"), Skew: rapid.IntRange(-5000, 5000).Draw(t, "skew"),
		Pass: rapid.SampledFrom([]int{0, 1, 700, 40_000}).Draw(t, "pass"), Limit: rapid.IntRange(1, 5).Draw(t, "limit"),
	}
}), 0, 40)

// follower is a reader that stops after each page and goes on later.
type follower struct {
	position string
	seen     []string
	// missed counts the changes that were committed before it began.
	missed int
}

func (r *follower) read(o order, limit int) (more bool, err error) {
	ids, next, more, err := o.readAfter(r.position, limit)
	if err == nil {
		r.seen = append(r.seen, ids...)
		r.position = next
	}
	return more, err
}

type writer struct {
	id   string
	made time.Time
}

// playSchedule plays a schedule and returns an error if a reader has missed a change, has seen one
// twice, or has seen them in another order than the others.
func playSchedule(o order, steps []step) error {
	readers := []*follower{{}, {}}
	now := start
	var pending, committed []writer
	commit := func(w writer) error {
		committed = append(committed, w)
		return o.commit(w.id, w.made)
	}
	for i, s := range steps {
		now = now.Add(time.Duration(s.Pass) * time.Millisecond)
		var err error
		switch {
		case s.Do == "begin":
			pending = append(pending, writer{fmt.Sprint("change-", i), now.Add(time.Duration(s.Skew) * time.Millisecond)})
		case s.Do == "commit" && len(pending) > 0:
			n := s.Which % len(pending)
			err = commit(pending[n])
			pending = slices.Delete(pending, n, n+1)
		case s.Do == "read":
			_, err = readers[s.Which%len(readers)].read(o, s.Limit)
		case s.Do == "follow":
			r := &follower{missed: len(committed)}
			r.position, err = o.findLatest()
			readers = append(readers, r)
		case s.Do == "race" && len(pending) > 0:
			err = playRace(o, readers[:2], s.Limit, func() error { return commit(pending[0]) })
			pending = pending[1:]
		}
		if err != nil {
			return err
		}
	}
	for _, r := range readers {
		for more := true; more; {
			var err error
			more, err = r.read(o, 100)
			if err != nil {
				return err
			}
		}
	}
	return checkReaders(readers, committed)
}

// playRace commits a change while two readers read.
func playRace(o order, readers []*follower, limit int, commit func() error) error {
	if _, ok := o.(*byTime); ok { // not safe for concurrent use
		return commit()
	}
	var group errgroup.Group
	group.Go(commit)
	for _, r := range readers {
		group.Go(func() error { _, err := r.read(o, limit); return err })
	}
	return group.Wait()
}

func checkReaders(readers []*follower, committed []writer) error {
	whole := readers[0].seen
	once := slices.Compact(slices.Sorted(slices.Values(whole)))
	if len(once) != len(committed) || len(whole) != len(committed) {
		return fmt.Errorf("%d changes were committed, and a reader has seen %v", len(committed), whole)
	}
	for _, r := range readers[1:] {
		if len(r.seen) < len(committed)-r.missed || len(r.seen) > len(whole) || !slices.Equal(r.seen, whole[len(whole)-len(r.seen):]) {
			return fmt.Errorf("a reader who began after %d changes has seen %v of %v", r.missed, r.seen, whole)
		}
	}
	return nil
}

// Every reader sees every change once, and all readers see the changes in the same order, whatever
// the clocks of the writers, however late they commit, and wherever the readers stop.
func TestReadersSeeEveryChangeOnce(t *testing.T) {
	t.Parallel()
	f := newTestFeed(t)
	rapid.Check(t, func(r *rapid.T) {
		clean(f)
		if err := playSchedule(f, schedules.Draw(r, "steps")); err != nil {
			r.Fatal(err)
		}
	})
}

// The property does not hold of changes in the order of time, so the test above can fail.
func TestOrderByTimeMissesChanges(t *testing.T) {
	t.Parallel()
	missed := 0
	for seed := range 100 {
		if playSchedule(&byTime{}, schedules.Example(seed)) != nil {
			missed++
		}
	}
	if missed == 0 {
		t.Error("no schedule has a late writer before a reader")
	}
	t.Logf("%d of 100 schedules fail", missed)
}

// clean empties the feed.
func clean(f *testFeed) {
	var keys []struct {
		PK string `dynamo:"pk,hash"`
		SK string `dynamo:"sk,range"`
	}
	f.must(f.table.Scan().All(context.Background(), &keys))
	for _, k := range keys {
		f.must(f.table.Delete(topology.PK, k.PK).Range(topology.SK, k.SK).Run(context.Background()))
	}
}

// The same holds of writers and readers that really run at the same time and to whom the response
// to every fifth transaction is lost, so that they send it again.
func TestReadersAndWritersAtTheSameTime(t *testing.T) {
	t.Parallel()
	transactions := 0
	f := newTestFeed(t, cloudtest.LoseSome(func(call cloud.Call) bool {
		if call.Operation == "TransactWriteItems" {
			transactions++
		}
		return call.Operation == "TransactWriteItems" && transactions%5 == 0
	}))
	const writers, each = 4, 30
	group, ctx := errgroup.WithContext(t.Context())
	for w := range writers {
		group.Go(func() error {
			for n := range each {
				id := fmt.Sprint("change-", w, "-", n)
				if err := f.commit(id, start.Add(time.Duration((w*7+n*13)%11-5)*time.Second)); err != nil && !dynamo.IsCondCheckFailed(err) {
					return err
				}
			}
			return nil
		})
	}
	readers := []*follower{{}, {}, {}}
	for i, r := range readers {
		group.Go(func() error {
			for len(r.seen) < writers*each && ctx.Err() == nil {
				if _, err := r.read(f, 3+7*i); err != nil {
					return err
				}
			}
			return ctx.Err()
		})
	}
	f.must(group.Wait())
	f.must(checkReaders(readers, make([]writer, writers*each)))
}

// Changes of one candidate are in the order of their versions, although the writers' clocks differ:
// an entry is not recorded before the one that precedes it.
func TestVersionsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	f := newTestFeed(t)
	for version := int64(12); version > 0; version-- {
		e := newEntry("cu_1", start)
		e.Version = version
		e.Changes[0].SubmissionID = fmt.Sprint(version)
		f.must(f.record(agency, e))
	}
	ids, _, more, err := f.readAfter("", 100)
	f.must(err)
	if more || !slices.IsSortedFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }) || len(ids) != 12 {
		t.Errorf("got %v", ids)
	}
}
