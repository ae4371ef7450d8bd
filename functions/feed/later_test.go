package feed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go/middleware"
	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// watch keeps what is written and sent.
type watch struct {
	mu      sync.Mutex
	written []string
	sent    []string
	delays  map[int32]int
}

func (w *watch) hook(_ context.Context, call cloud.Call, send func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch in := call.Input.(type) {
	case *dynamodb.TransactWriteItemsInput:
		for _, item := range in.TransactItems {
			switch {
			case item.Put != nil:
				w.note(item.Put.Item)
			case item.Update != nil:
				w.note(item.Update.Key)
			case item.Delete != nil:
				w.note(item.Delete.Key)
			}
		}
	case *dynamodb.UpdateItemInput:
		w.note(in.Key)
	case *dynamodb.PutItemInput:
		w.note(in.Item)
	case *sqs.SendMessageBatchInput:
		for _, e := range in.Entries {
			w.sent = append(w.sent, *e.MessageBody)
			w.delays[e.DelaySeconds]++
		}
	}
	return send()
}

func (w *watch) note(key map[string]types.AttributeValue) {
	w.written = append(w.written, fmt.Sprint(key[topology.PK].(*types.AttributeValueMemberS).Value, " ", key[topology.SK].(*types.AttributeValueMemberS).Value))
}

func (w *watch) reset() (written, sent []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	written = w.written
	sent = w.sent
	w.written = nil
	w.sent = nil
	w.delays = map[int32]int{}
	return written, sent
}

func candidate(recruiter, id string) object {
	return object{
		"recruiterId": recruiter, "candidateId": id, "name": "Ada Sample", "email": id + "@example.com",
		"linkedinUrl": "https://www.linkedin.com/in/" + id, "relationshipStatus": "SOURCED", "addedAt": "2026-01-01T00:00:00Z",
	}
}

// crmIndex returns the index of the feed's tables.
func (b testFeed) crmIndex(t testing.TB, large int) *crm.Index {
	t.Helper()
	bucket := objectstore.Open(b.host.Opener(), topology.MarketplaceBucket)
	return crm.NewIndex(b.candidates(t), bucket, crm.Limits{Large: large})
}

func (b testFeed) candidates(t testing.TB) *crm.Store {
	t.Helper()
	table := b.host.Opener().Table(topology.Marketplace)
	return crm.NewStore(entity.NewStore(table, dynamo.New(b.host.AWS).WriteTx), b.host.Now)
}

// Adding a candidate writes five items, in a small CRM and in one that has a base: the candidate,
// in a partition of its own, its row, its entry in the log of changes, and what leads to it from each
// of two identities. Changing a candidate whose row keeps its place writes the first three.
func TestItemsOfACandidate(t *testing.T) {
	t.Parallel()
	w := &watch{delays: map[int32]int{}}
	b := newTestFeed(t, w.hook)
	for _, size := range []string{"small", "large"} {
		b.apply(t, event("crmCandidate.upserted", "rec1/first", 1, candidate("rec1", "first")))
		if size == "large" {
			if p, err := b.crmIndex(t, 1).Publish(t.Context(), crm.ChangeNotice{RecruiterID: "rec1"}); err != nil || !p.Done {
				t.Fatal(p, err)
			}
		}
		for _, version := range []int64{1, 2} {
			w.reset()
			b.apply(t, event("crmCandidate.upserted", "rec1/"+size, version, candidate("rec1", size)))
			written, _ := w.reset()
			want := []string{"U#rec1#" + size, "U#rec1", "G#rec1"}
			if version == 1 {
				for _, hash := range entity.PersonHashes(new(size+"@example.com"), new("https://www.linkedin.com/in/"+size)) {
					want = append(want, "H#"+hash)
				}
			}
			if !slices.EqualFunc(written, want, func(key, pk string) bool { return strings.HasPrefix(key, pk+" ") }) {
				t.Errorf("%s CRM, version %d: wrote %q; want items of %q", size, version, written, want)
			}
		}
	}
}

// The CRM shows the furthest status that a candidate reached, also after a rejection.
func TestFurthestStatus(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	apply := func(version int64, status string, stage any) {
		b.apply(t, event("application.upserted", "app1", version, object{
			"roleId": "r1", "recruiterId": "rec1", "candidateId": "cand1", "candidateName": "Ada Sample", "status": status,
			"furthestStage": stage, "submittedAt": "2026-01-01T00:00:00Z",
		}))
	}
	b.apply(t, event("crmCandidate.upserted", "rec1/cand1", 1, candidate("rec1", "cand1")))
	for version, tt := range []struct {
		status string
		stage  any
		want   string
	}{{"SUBMITTED", nil, "SUBMITTED"}, {"REJECTED", nil, "SUBMITTED"}, {"INTERVIEWING", "Mid round", "INTERVIEWING"}, {"WITHDRAWN", "Offer", "OFFER"}} {
		apply(int64(version+1), tt.status, tt.stage)
		page, err := b.crmIndex(t, 100).List(t.Context(), "rec1", crm.Filter{}, 0, 20)
		if err != nil || len(page.Rows) != 1 || page.Rows[0].Furthest != tt.want {
			t.Errorf("%s, %v: got %+v, %v; want %s", tt.status, tt.stage, page.Rows, err, tt.want)
		}
	}
}

// Changes to a CRM queue few notices, and delayed ones; a removal always queues one.
func TestCRMChangesAreNoted(t *testing.T) {
	t.Parallel()
	w := &watch{delays: map[int32]int{}}
	b := newTestFeed(t, w.hook)
	var all []string
	for i := range 300 {
		id := fmt.Sprint("cand", i)
		all = append(all, event("crmCandidate.upserted", "rec1/"+id, 1, candidate("rec1", id)))
	}
	b.apply(t, all...)
	_, sent := w.reset()
	if len(sent) < 1 || len(sent) > 30 {
		t.Errorf("%d notes of 300 changes", len(sent))
	}
	for _, message := range sent {
		if n, err := crm.ParseChangeNotice(message); err != nil || n.RecruiterID != "rec1" || !n.At.Equal(now) {
			t.Errorf("%s, %v", message, err)
		}
	}
	b.apply(t, event("crmCandidate.deleted", "rec1/cand7", 2, nil))
	want := map[int32]int{int32(crm.NoticeDelay / time.Second): 1}
	if diff := cmp.Diff(want, w.delays); diff != "" {
		t.Errorf("a deletion is noted once (-want +got):\n%s", diff)
	}
}

// What was published of a CRM names a person until it is published again, also if no candidate is left to lead an erasure there: a candidate
// who becomes another person, and one of an event that is refused for an erasure, are noted.
func TestPersonsWhoLeaveACRMAreNoted(t *testing.T) {
	t.Parallel()
	w := &watch{delays: map[int32]int{}}
	b := newTestFeed(t, w.hook)
	entities := entity.Open(b.host.Opener())
	version := int64(1)
	apply := func(step, email string, at time.Time, want int) {
		t.Helper()
		for version++; crm.WorthNotice("rec1/cand1", version); version++ {
		}
		c := candidate("rec1", "cand1")
		c["email"] = email
		b.apply(t, eventAt("crmCandidate.upserted", "rec1/cand1", version, at, c))
		if _, sent := w.reset(); len(sent) != want {
			t.Errorf("%s: %d notes, want %d", step, len(sent), want)
		}
	}
	apply("added", "ada@example.com", now.Add(-time.Hour), 0)
	apply("changed", "ada@example.com", now.Add(-time.Hour), 0)
	apply("another person", "bea@example.com", now.Add(-time.Hour), 1)
	if err := entities.MarkErased(t.Context(), identity.Hash("bea@example.com"), now.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	apply("erased meanwhile", "bea@example.com", now.Add(-time.Hour), 1)
}

// The note comes first: an event whose note fails changes nothing, and is delivered again.
func TestALeavingPersonIsNotedBeforeTheChange(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	for kind, data := range map[string]any{"crmCandidate.upserted": candidate("rec1", "cand2"), "crmCandidate.deleted": nil} {
		var fails atomic.Bool
		b := newTestFeed(t, func(_ context.Context, call cloud.Call, send func() error) error {
			if _, isSend := call.Input.(*sqs.SendMessageBatchInput); isSend && fails.Load() {
				return lost
			}
			return send()
		})
		first := candidate("rec1", "cand1")
		b.apply(t, event("crmCandidate.upserted", "rec1/cand1", 1, first))
		before := b.readState(t)
		fails.Store(true)
		if next, isChange := data.(object); isChange {
			next["candidateId"] = "cand1"
		}
		if _, err := b.Apply(t.Context(), event(kind, "rec1/cand1", 2, data)); !errors.Is(err, lost) {
			t.Errorf("%s: got %v", kind, err)
		}
		if diff := cmp.Diff(before, b.readState(t)); diff != "" {
			t.Errorf("%s changed (-before +after):\n%s", kind, diff)
		}
		fails.Store(false)
		b.apply(t, event(kind, "rec1/cand1", 2, data))
	}
}

// A bulk load sends few notes: its changes of a large CRM are found once the CRM is published
// at the end of the load, and noted now and then in case the load is killed.
func TestABulkLoadPublishesAtItsEnd(t *testing.T) {
	t.Parallel()
	w := &watch{delays: map[int32]int{}}
	b := newTestFeed(t, w.hook)
	b.apply(t, event("crmCandidate.upserted", "rec1/first", 1, candidate("rec1", "first")))
	index := b.crmIndex(t, 1)
	if p, err := index.Publish(t.Context(), crm.ChangeNotice{RecruiterID: "rec1"}); err != nil || !p.Done {
		t.Fatal(p, err)
	}
	w.reset()
	load, err := feed.NewBulk(t.Context(), b.host)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		id := fmt.Sprint("cand", i)
		if refused, err := load.Apply(t.Context(), event("crmCandidate.upserted", fmt.Sprint("rec", 1+i%2, "/", id), 1, candidate(fmt.Sprint("rec", 1+i%2), id))); refused != "" || err != nil {
			t.Fatal(refused, err)
		}
	}
	if diff := cmp.Diff(map[int32]int{int32(crm.BulkDelay / time.Second): 2}, w.delays); diff != "" {
		t.Errorf("notes by delay (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"rec1", "rec2"}, load.ChangedCRMs()); diff != "" {
		t.Errorf("changed CRMs (-want +got):\n%s", diff)
	}
	found := func() int {
		page, err := index.List(t.Context(), "rec1", crm.Filter{Query: "ada"}, 0, 200)
		if err != nil {
			t.Fatal(err)
		}
		return len(page.Rows)
	}
	before := found()
	later := b
	later.host.Now = func() time.Time { return now.Add(time.Minute) }
	if p, err := later.crmIndex(t, 1).Publish(t.Context(), crm.ChangeNotice{RecruiterID: "rec1", Bulk: true}); err != nil || p.Candidates != 101 {
		t.Fatal(p, err)
	}
	if after := found(); before != 1 || after != 101 {
		t.Errorf("found %d before the CRM is published and %d after; want 1 and 101", before, after)
	}
}

// withLaggingIndex returns a host whose index of persons lags behind every write: it finds no
// person.
func withLaggingIndex(h cloud.Host) cloud.Host {
	h.AWS.APIOptions = append(slices.Clone(h.AWS.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Behind", func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
			if q, ok := in.Parameters.(*dynamodb.QueryInput); ok && q.IndexName != nil && strings.HasPrefix(*q.IndexName, "person") {
				for _, c := range q.KeyConditions {
					c.AttributeValueList[0] = &types.AttributeValueMemberS{Value: "nobody"}
				}
			}
			return next.HandleInitialize(ctx, in)
		}), middleware.Before)
	})
	return h
}

// A membership that is not in an index yet is erased when the erasure is repeated, which happens once;
// changed CRMs are noted.
func TestAnErasureIsRepeatedOnce(t *testing.T) {
	t.Parallel()
	w := &watch{delays: map[int32]int{}}
	b := newTestFeed(t, w.hook)
	at := now.Add(-2 * time.Hour)
	b.apply(t, append(person(1, at), eventAt("membership.addedByRoleSubmission", "cu_1", 1, at, object{
		"agencyId": "agy1", "recruiterId": "rec1", "name": secretName, "email": "wilhelmina@example.com", "linkedinUrl": "https://www.linkedin.com/in/wilhelmina-t",
	}))...)
	isMember := func() bool {
		_, found, err := b.networkStore(t).Membership(t.Context(), "cu_1")
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	w.reset()
	early, err := feed.New(t.Context(), withLaggingIndex(b.host))
	if err != nil {
		t.Fatal(err)
	}
	if refused, err := early.Apply(t.Context(), erasure(now.Add(-time.Hour))); refused != "" || err != nil || !isMember() {
		t.Fatalf("%s, %v; want an erasure that misses a membership", refused, err)
	}
	_, sent := w.reset()
	noted := map[string]bool{}
	last := len(sent) - 1
	for _, message := range sent[:last] {
		n, err := crm.ParseChangeNotice(message)
		if err != nil {
			t.Errorf("%s: %v", message, err)
		}
		noted[n.RecruiterID] = true
	}
	if diff := cmp.Diff(map[string]bool{"rec1": true, "rec2": true}, noted); diff != "" {
		t.Errorf("noted CRMs (-want +got):\n%s", diff)
	}
	b.apply(t, sent[last])
	if got := b.countTraces(t); got != 0 || isMember() {
		t.Errorf("%d copies are left, and the membership: %t", got, isMember())
	}
	if _, again := w.reset(); len(again) > 0 {
		t.Errorf("sent %q when the erasure was repeated", again)
	}
}
