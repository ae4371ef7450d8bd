package crm_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// An index without memory for a base still keeps the one that was used last, and no other.
func TestOneBaseStaysInMemory(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	b, bucket := newTestStoreWithBucket(t, calls.Hook)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	for _, id := range []string{"rec1", "rec2"} {
		b.putPeople(t, id, 0, 2)
		mustPublish(t, index, crm.ChangeNotice{RecruiterID: id})
	}
	for _, step := range []struct {
		recruiterID string
		loads       bool
	}{{"rec1", true}, {"rec1", false}, {"rec2", true}, {"rec2", false}, {"rec1", true}} {
		calls.Reset()
		_, err := index.List(ctx, step.recruiterID, crm.Filter{Query: "engineer"}, 0, 20)
		must(t, err)
		if loads := slices.Contains(calls.Reset(), "S3.GetObject"); loads != step.loads {
			t.Errorf("%s: a base was read: %t", step.recruiterID, loads)
		}
	}
}

// The first searches of a CRM share one read of its base, even if the search that reads it fails later.
func TestABaseIsLoadedOnce(t *testing.T) {
	t.Parallel()
	const searches = 8
	cut := errors.New("the connection was cut")
	var loads, failures atomic.Int64
	var heads sync.WaitGroup
	heads.Add(searches)
	searching := false
	b, bucket := newTestStoreWithBucket(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if !searching {
			return send()
		}
		in, isQuery := call.Input.(*dynamodb.QueryInput)
		switch {
		case call.Operation == "GetItem": // every search sees that no base is loaded
			heads.Done()
			heads.Wait()
		case call.Operation == "GetObject":
			loads.Add(1)
		case isQuery && isOfChanges(in) && failures.Add(1) == 1:
			return cut
		}
		return send()
	})
	b.putPeople(t, "rec1", 0, 5)
	mustPublish(t, crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1}), crm.ChangeNotice{RecruiterID: "rec1"})
	searching = true
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1, Memory: 1 << 20})
	var failed atomic.Int64
	var all sync.WaitGroup
	for range searches {
		all.Go(func() {
			page, err := index.List(ctx, "rec1", crm.Filter{Query: "engineer"}, 0, 20)
			switch {
			case errors.Is(err, cut):
				failed.Add(1)
			case err != nil || len(page.Rows) != 5:
				t.Errorf("found %d, %v", len(page.Rows), err)
			}
		})
	}
	all.Wait()
	if loads.Load() != 1 || failed.Load() != 1 {
		t.Errorf("the base was read %d times, and %d searches failed; want one each", loads.Load(), failed.Load())
	}
}

func isOfChanges(in *dynamodb.QueryInput) bool {
	pk := in.KeyConditions[topology.PK].AttributeValueList[0].(*types.AttributeValueMemberS).Value
	return pk == itemkey.CandidateChange.PK("rec1")
}

// A search fails if it cannot be read which base there is.
func TestBrokenIndexHead(t *testing.T) {
	t.Parallel()
	b, bucket := newTestStoreWithBucket(t)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	b.putPeople(t, "rec1", 0, 2)
	mustPublish(t, index, crm.ChangeNotice{RecruiterID: "rec1"})
	_, err := b.entities.Set(ctx, entity.KeyOf(itemkey.CRMIndexHead, "rec1"), 100, "no head")
	must(t, err)
	if page, err := index.List(ctx, "rec1", crm.Filter{Query: "engineer"}, 0, 20); err == nil {
		t.Errorf("found %d", len(page.Rows))
	}
}

// The entry of a base in the log of changes commits while readers still ask for it, or not at all.
func TestABaseIsLoggedInTime(t *testing.T) {
	t.Parallel()
	var deadline time.Time
	b, bucket := newTestStoreWithBucket(t, func(ctx context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "TransactWriteItems" {
			deadline, _ = ctx.Deadline()
		}
		return send()
	})
	b.putPeople(t, "rec1", 0, 2)
	mustPublish(t, crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1}), crm.ChangeNotice{RecruiterID: "rec1"})
	if latest := time.Now().Add(entity.CommitBound); deadline.IsZero() || deadline.After(latest) {
		t.Errorf("the base is logged until %v; want one before %v", deadline, latest)
	}
}

// A search beside so many changes that a newer base is worth reading reads that base once, and asks for no head.
func TestManyChangesAreReadWithANewerBase(t *testing.T) {
	t.Parallel()
	const changes = 520
	var calls cloudtest.Calls
	b, bucket := newTestStoreWithBucket(t, calls.Hook)
	index := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1, Memory: 1 << 20})
	publisher := crm.NewIndex(b.Store, bucket, crm.Limits{Large: 1})
	search := func(want int, reads ...string) {
		t.Helper()
		calls.Reset()
		page, err := index.List(ctx, "rec1", crm.Filter{Query: "person"}, 0, changes+10)
		must(t, err)
		got := slices.DeleteFunc(calls.Reset(), func(call string) bool { return call == "DynamoDB.BatchGetItem" })
		if len(page.Rows) != want || !slices.Equal(got, reads) {
			t.Errorf("%d rows by %q; want %d by %q", len(page.Rows), got, want, reads)
		}
	}
	b.putPeople(t, "rec1", 0, 3)
	mustPublish(t, publisher, crm.ChangeNotice{RecruiterID: "rec1"})
	_, err := index.List(ctx, "rec1", crm.Filter{Query: "person"}, 0, 20)
	must(t, err)
	b.clock.Move(time.Hour)
	b.putPeople(t, "rec1", 3, 3+changes)
	search(3+changes, "DynamoDB.Query")
	b.clock.Move(time.Minute)
	search(3+changes, "DynamoDB.Query")
	mustPublish(t, publisher, crm.ChangeNotice{RecruiterID: "rec1"})
	b.clock.Move(time.Minute)
	search(3+changes, "DynamoDB.Query", "S3.GetObject", "DynamoDB.Query")
	search(3+changes, "DynamoDB.Query")
}
