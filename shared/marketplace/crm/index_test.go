package crm_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

// putPeople stores candidates a minute apart; the last is the newest.
func (b testStore) putPeople(t testing.TB, recruiterID string, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		b.putPerson(t, recruiterID, i, 1, nil)
	}
}

func (b testStore) putPerson(t testing.TB, recruiterID string, i int, version int64, change func(*crm.Candidate)) {
	t.Helper()
	c := crm.Candidate{
		RecruiterID: recruiterID, CandidateID: fmt.Sprintf("cand%03d", i), Name: fmt.Sprint("Person ", i), OneLiner: new("Engineer"),
		Email: new(fmt.Sprintf("p%d@example.com", i)), RelationshipStatus: "SOURCED", AddedAt: contract.At(now.Add(time.Duration(i) * time.Minute)),
	}
	if change != nil {
		change(&c)
	}
	must(t, b.Put(ctx, recruiterID, c.CandidateID, newStamp(version), &c))
}

// listAllPages lists all pages of a query.
func listAllPages(t testing.TB, list lister, recruiterID, query string, limit int) (ids []string, pages int) {
	t.Helper()
	for after := int64(0); ; {
		page, err := list(ctx, recruiterID, crm.Filter{Query: query}, after, limit)
		must(t, err)
		pages++
		for _, r := range page.Rows {
			ids = append(ids, r.ID)
		}
		after = page.Next
		if after == 0 {
			return ids, pages
		}
	}
}

func mustPublish(t testing.TB, s *crm.Index, n crm.ChangeNotice) crm.PublishResult {
	t.Helper()
	p, err := s.Publish(ctx, n)
	must(t, err)
	return p
}

// Those who are gone since the base was published leave shorter pages, never missing
// rows after them, whichever group they were in.
func TestGoneSinceTheBase(t *testing.T) {
	t.Parallel()
	b, bucket := newTestStoreWithBucket(t)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	b.putPeople(t, "rec1", 0, 30)
	b.clock.Move(time.Hour)
	mustPublish(t, index, crm.ChangeNotice{RecruiterID: "rec1"})
	var want []string
	for i := range 30 {
		switch {
		case i > 20:
			b.putPerson(t, "rec1", i, 2, func(c *crm.Candidate) { c.Hidden = true })
		case i > 18:
			must(t, b.Put(ctx, "rec1", fmt.Sprintf("cand%03d", i), newStamp(2), nil))
		default:
			want = append([]string{fmt.Sprintf("cand%03d", i)}, want...)
		}
	}
	for _, query := range []string{"engineer", "person"} {
		for _, limit := range []int{3, 20, 50} {
			got, _ := listAllPages(t, index.List, "rec1", query, limit)
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Errorf("%s by %d (-want +got):\n%s", query, limit, diff)
			}
		}
	}
}

// Those of one bulk import share positions; each is listed once, whether published or written since.
func TestTiesAcrossTheBase(t *testing.T) {
	t.Parallel()
	b, bucket := newTestStoreWithBucket(t)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	want := slices.Sorted(slices.Values(crm.TiedIDs[:60]))
	put := func(ids []string) {
		for _, id := range ids {
			must(t, b.Put(ctx, "rec1", id, newStamp(1), &crm.Candidate{
				RecruiterID: "rec1", CandidateID: id, Name: "Same Person", RelationshipStatus: "SOURCED", AddedAt: contract.At(now),
			}))
		}
	}
	put(want[:40])
	b.clock.Move(time.Hour)
	mustPublish(t, index, crm.ChangeNotice{RecruiterID: "rec1"})
	put(want[40:])
	for _, limit := range []int{1, 2, 5, 7, 20, 50} {
		got, _ := listAllPages(t, index.List, "rec1", "same", limit)
		if diff := gocmp.Diff(want, slices.Sorted(slices.Values(got))); diff != "" {
			t.Errorf("by %d (-want +got):\n%s", limit, diff)
		}
	}
}

// An index is published from a size on, once for a notice, and of any size once
// it was; a note is done with by a base that is surely younger.
func TestPublish(t *testing.T) {
	t.Parallel()
	b, bucket := newTestStoreWithBucket(t)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 5})
	note := func() crm.ChangeNotice { return crm.ChangeNotice{RecruiterID: "rec1", At: b.clock.Now()} }
	step := func(name string, n crm.ChangeNotice, want crm.PublishResult) {
		t.Helper()
		if got := mustPublish(t, index, n); got != want {
			t.Errorf("%s: got %+v; want %+v", name, got, want)
		}
	}
	b.putPeople(t, "rec1", 0, 4)
	step("a small CRM", note(), crm.PublishResult{})
	b.putPeople(t, "rec1", 4, 5)
	first := note()
	b.clock.Move(crm.NoticeDelay)
	step("a large one", first, crm.PublishResult{Done: true, Candidates: 5})
	step("the same note", first, crm.PublishResult{})
	step("a younger note", note(), crm.PublishResult{Done: true, Candidates: 5})
	step("any case", crm.ChangeNotice{RecruiterID: "rec1"}, crm.PublishResult{Done: true, Candidates: 5})
	for i := range 5 {
		must(t, b.Put(ctx, "rec1", fmt.Sprintf("cand%03d", i), newStamp(2), nil))
	}
	b.clock.Move(time.Hour)
	step("an empty one", note(), crm.PublishResult{Done: true})
	if got, _ := listAllPages(t, index.List, "rec1", "person", 20); got != nil {
		t.Errorf("found %q", got)
	}
	// Notes that come by the second make one publication a minute.
	var times []time.Time
	type held struct {
		due time.Time
		n   crm.ChangeNotice
	}
	var queue []held
	for range 600 {
		b.clock.Move(time.Second)
		queue = append(queue, held{b.clock.Now().Add(crm.NoticeDelay), note()})
		for len(queue) > 0 && !queue[0].due.After(b.clock.Now()) {
			if mustPublish(t, index, queue[0].n).Done {
				times = append(times, b.clock.Now())
			}
			queue = queue[1:]
		}
	}
	for i := 1; i < len(times); i++ {
		if times[i].Sub(times[i-1]) < time.Minute {
			t.Errorf("published at %v and at %v", times[i-1], times[i])
		}
	}
	if len(times) < 5 {
		t.Errorf("published %d times in ten minutes", len(times))
	}
}

// An erased person is not found any more at once, and is in no base that is published
// afterwards: not even if a publisher that has read the rows before stores its base last.
func TestErasedAreInNoBase(t *testing.T) {
	t.Parallel()
	var holding atomic.Bool
	puts := make(chan chan struct{}) // each put waits until its channel is closed
	hold := func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "PutObject" && holding.Load() {
			gate := make(chan struct{})
			puts <- gate
			<-gate
		}
		return send()
	}
	b, bucket := newTestStoreWithBucket(t, hold)
	early := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	late := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	b.putPeople(t, "rec1", 0, 10)
	b.putPerson(t, "rec1", 3, 2, func(c *crm.Candidate) { c.Name = "Wilhelmina" })
	mustPublish(t, early, crm.ChangeNotice{RecruiterID: "rec1"})
	if got, _ := listAllPages(t, early.List, "rec1", "wilhelm", 20); len(got) != 1 {
		t.Fatalf("found %q", got)
	}
	holding.Store(true)
	var older, younger sync.WaitGroup
	older.Go(func() { mustPublish(t, early, crm.ChangeNotice{RecruiterID: "rec1"}) })
	first := <-puts // it has read the rows
	b.clock.Move(time.Second)
	must(t, b.Put(ctx, "rec1", "cand003", newStamp(3), nil))
	if got, _ := listAllPages(t, early.List, "rec1", "wilhelm", 20); got != nil {
		t.Errorf("found %q after the deletion", got)
	}
	younger.Go(func() { mustPublish(t, late, crm.ChangeNotice{RecruiterID: "rec1"}) })
	second := <-puts
	holding.Store(false)
	close(second)
	younger.Wait()
	close(first)
	older.Wait()
	file, err := bucket.Get(ctx, crm.IndexPrefix+"rec1", 1<<20)
	if must(t, err); strings.Contains(string(file), "wilhelmina") {
		t.Error("the base holds the erased person")
	}
}

// A search of an index in memory takes two calls at the same time, which read the changes and the
// rows; one more reads rows that are new on its page. A base of another version is ignored; and memory is bounded.
func TestCallsOfASearch(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	b, bucket := newTestStoreWithBucket(t, calls.Hook)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 40, Memory: 1})
	for id, size := range map[string]int{"rec1": 40, "rec2": 40, "rec3": 39} {
		b.putPeople(t, id, 0, size)
		mustPublish(t, index, crm.ChangeNotice{RecruiterID: id})
	}
	search := func(id string, want ...string) {
		t.Helper()
		calls.Reset()
		page, err := index.List(ctx, id, crm.Filter{Query: "engineer"}, 0, 20)
		must(t, err)
		if len(page.Rows) != 20 || page.Next == 0 {
			t.Errorf("%s: %d rows", id, len(page.Rows))
		}
		got := calls.Reset()
		if slices.Sort(got); !gocmp.Equal(want, got) {
			t.Errorf("%s: got %q; want %q", id, got, want)
		}
	}
	warm := []string{"DynamoDB.BatchGetItem", "DynamoDB.Query"}
	search("rec3", "DynamoDB.GetItem", "DynamoDB.Query")
	if _, err := index.List(ctx, "rec1", crm.Filter{Query: "engineer"}, 0, 20); err != nil {
		t.Error(err)
	}
	search("rec1", warm...)
	b.putPeople(t, "rec1", 40, 45)
	search("rec1", slices.Insert(warm, 0, warm[0])...)
	search("rec1", warm...)
	if _, err := index.List(ctx, "rec2", crm.Filter{Query: "engineer"}, 0, 20); err != nil {
		t.Error(err)
	}
	search("rec2", warm...)
	calls.Reset()
	if _, err := index.List(ctx, "rec1", crm.Filter{Query: "engineer"}, 0, 20); err != nil || !slices.Contains(calls.Reset(), "S3.GetObject") {
		t.Errorf("%v; two indexes are in memory", err)
	}

	must(t, bucket.Put(ctx, crm.IndexPrefix+"rec2", "application/octet-stream", []byte("RMBOOK0\n of another version")))
	cold := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	if got, _ := listAllPages(t, cold.List, "rec2", "engineer", 20); len(got) != 40 {
		t.Errorf("%d of 40 beside a broken base", len(got))
	}
}

// A bulk load reaches a reader who searches all the while, however long its publication takes.
func TestSlowPublicationReachesWarmReaders(t *testing.T) {
	t.Parallel()
	var slow func()
	b, bucket := newTestStoreWithBucket(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "PutObject" && slow != nil {
			slow()
		}
		return send()
	})
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	search := func() []string {
		ids, _ := listAllPages(t, index.List, "rec1", "engineer", 50)
		return ids
	}
	b.putPeople(t, "rec1", 0, 3)
	mustPublish(t, index, crm.ChangeNotice{RecruiterID: "rec1"})
	search()
	b.clock.Move(time.Minute)
	loading := b
	loading.Store = b.loading()
	loading.putPeople(t, "rec1", 3, 5)
	slow = func() { b.clock.Move(10 * time.Minute); search() }
	mustPublish(t, index, crm.ChangeNotice{RecruiterID: "rec1", Bulk: true})
	for range 2 {
		if found := search(); len(found) != 5 {
			t.Errorf("a warm reader finds %v; want five", found)
		}
	}
}

// A bulk load reaches a reader who has not searched since, although its base has been replaced by that of a change.
func TestBulkLoadReachesReadersAfterAnotherPublication(t *testing.T) {
	t.Parallel()
	b, bucket := newTestStoreWithBucket(t)
	warm := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	publisher := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	b.putPeople(t, "rec1", 0, 3)
	mustPublish(t, publisher, crm.ChangeNotice{RecruiterID: "rec1"})
	listAllPages(t, warm.List, "rec1", "engineer", 50)
	b.clock.Move(time.Hour)
	loading := b
	loading.Store = b.loading()
	loading.putPeople(t, "rec1", 3, 5)
	mustPublish(t, publisher, crm.ChangeNotice{RecruiterID: "rec1", Bulk: true})
	b.clock.Move(time.Hour)
	mustPublish(t, publisher, crm.ChangeNotice{RecruiterID: "rec1"})
	if found, _ := listAllPages(t, warm.List, "rec1", "engineer", 50); len(found) != 5 {
		t.Errorf("a warm reader finds %v; want five", found)
	}
}

// The rows of a bulk load are not in the log of changes, so its base is read consistently; others at half the price.
func TestABulkLoadIsReadConsistently(t *testing.T) {
	t.Parallel()
	var consistent []bool
	b, bucket := newTestStoreWithBucket(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if in, ok := call.Input.(*dynamodb.QueryInput); ok {
			consistent = append(consistent, aws.ToBool(in.ConsistentRead))
		}
		return send()
	})
	b.putPeople(t, "rec1", 0, 3)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	for _, bulk := range []bool{false, true} {
		consistent = nil
		mustPublish(t, index, crm.ChangeNotice{RecruiterID: "rec1", Bulk: bulk})
		if want := []bool{bulk}; !slices.Equal(consistent, want) {
			t.Errorf("bulk %t: rows were read consistently: %v", bulk, consistent)
		}
	}
}

// Before it is known whether a CRM has a base, no more rows of it are read than a CRM without
// one has, which is one call. A large CRM that is not published yet is read to its end.
func TestFirstSearch(t *testing.T) {
	t.Parallel()
	var searching atomic.Bool
	limits := make(chan int32, 10)
	asked := make(chan struct{}, 10)
	b, bucket := newTestStoreWithBucket(t, func(ctx context.Context, call cloud.Call, send func() error) error {
		in, query := call.Input.(*dynamodb.QueryInput)
		switch {
		case !searching.Load():
		case query && strings.HasPrefix(in.KeyConditions[topology.PK].AttributeValueList[0].(*types.AttributeValueMemberS).Value, "U#"):
			limits <- aws.ToInt32(in.Limit)
			asked <- struct{}{}
		case call.Operation == "GetItem": // it is not known before rows are asked for
			select {
			case <-asked:
			case <-ctx.Done():
			}
		}
		return send()
	})
	for id, tt := range map[string]struct {
		size      int
		published bool
		limits    []int32
	}{
		"small": {29, true, []int32{30}}, "large": {60, true, []int32{30}}, "unpublished": {60, false, []int32{30, 0}},
	} {
		index := func() *crm.Index { return crm.NewIndex(b.Store, bucket, crm.Limits{Large: 30}) }
		b.putPeople(t, id, 0, tt.size)
		if tt.published {
			mustPublish(t, index(), crm.ChangeNotice{RecruiterID: id})
		}
		searching.Store(true)
		bounded, stop := context.WithTimeout(ctx, time.Minute)
		page, err := index().List(bounded, id, crm.Filter{Query: "person 7"}, 0, 20)
		stop()
		searching.Store(false)
		if err != nil || len(page.Rows) != 1 || page.Rows[0].ID != "cand007" {
			t.Errorf("%s: found %v, %v", id, page.Rows, err)
		}
		var got []int32
		for len(limits) > 0 {
			got = append(got, <-limits)
		}
		for len(asked) > 0 {
			<-asked
		}
		if diff := gocmp.Diff(tt.limits, got); diff != "" {
			t.Errorf("%s: rows read (-want +got):\n%s", id, diff)
		}
	}
}

// A row that is written twice at one time by the clock is found as it is after the
// second time, though a search has seen the first.
func TestWrittenTwiceAtOnce(t *testing.T) {
	t.Parallel()
	b, bucket := newTestStoreWithBucket(t)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	b.putPeople(t, "rec1", 0, 5)
	b.clock.Move(time.Hour)
	mustPublish(t, index, crm.ChangeNotice{RecruiterID: "rec1"})
	for i, name := range []string{"Wilhelmina", "Brunhilde"} {
		b.putPerson(t, "rec1", 3, int64(i+2), func(c *crm.Candidate) { c.Name = name })
		if got, _ := listAllPages(t, index.List, "rec1", name, 20); !gocmp.Equal(got, []string{"cand003"}) {
			t.Errorf("%s: found %q", name, got)
		}
	}
}

// Several CRMs are searched concurrently, with memory for one index, while candidates are
// added and removed and bases are published: who was there when a search began is found, and
// who was gone is not.
func TestSearchesAtOnce(t *testing.T) {
	t.Parallel()
	b, bucket := newTestStoreWithBucket(t)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1, Memory: 1})
	const size, changes = 20, 12
	recruiters := []string{"rec1", "rec2", "rec3"}
	for _, id := range recruiters {
		b.putPeople(t, id, 0, size)
		mustPublish(t, index, crm.ChangeNotice{RecruiterID: id})
	}
	// done changes have each added a candidate to every CRM and removed the oldest.
	var done atomic.Int64
	var all sync.WaitGroup
	defer all.Wait()
	defer done.Store(changes)
	for i := range 8 {
		all.Go(func() {
			for n := i; done.Load() < changes; n++ {
				before := done.Load()
				got, _ := listAllPages(t, index.List, recruiters[n%len(recruiters)], "person", 7)
				after := done.Load() + 1 // one may be under way
				for k := after; k < size+before; k++ {
					if id := fmt.Sprintf("cand%03d", k); !slices.Contains(got, id) {
						t.Errorf("after %d changes %s is not found: %q", before, id, got)
					}
				}
				for k := range before {
					if id := fmt.Sprintf("cand%03d", k); slices.Contains(got, id) {
						t.Errorf("after %d changes %s is found", before, id)
					}
				}
			}
		})
	}
	for k := range changes {
		b.clock.Move(time.Duration(k) * 10 * time.Second)
		for _, id := range recruiters {
			b.putPeople(t, id, size+k, size+k+1)
			must(t, b.Put(ctx, id, fmt.Sprintf("cand%03d", k), newStamp(2), nil))
			if k%3 == 0 {
				mustPublish(t, index, crm.ChangeNotice{RecruiterID: id})
			}
		}
		done.Add(1)
	}
}
