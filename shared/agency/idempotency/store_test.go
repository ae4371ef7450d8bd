package idempotency_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// testStore is a store on a table of its own.
type testStore struct {
	*idempotency.Store
	t     *testing.T
	table dynamo.Table
	calls *cloudtest.Calls
}

func newTestStore(t *testing.T, hooks ...cloud.Hook) testStore {
	t.Helper()
	calls := &cloudtest.Calls{}
	_, table := cloudtest.Database(t, topology.Submissions, append([]cloud.Hook{calls.Hook}, hooks...)...)
	return testStore{idempotency.NewStore(table), t, table, calls}
}

// beginAs begins an attempt whose reference and nonce are named after who.
func (d testStore) beginAs(who string, at time.Time) (idempotency.Attempt, error) {
	return d.Begin(context.Background(), request, "ref of "+who, "nonce of "+who, at)
}

// mustBegin begins an attempt that must carry the reference of first and answer.
func (d testStore) mustBegin(who string, at time.Time, first, answer string) idempotency.Attempt {
	d.t.Helper()
	a, err := d.beginAs(who, at)
	if err != nil {
		d.t.Fatalf("%s: %v", who, err)
	}
	if a.Ref != "ref of "+first || string(a.Answer) != answer || (a.Answer == nil) != (answer == "") {
		d.t.Fatalf("%s: got %q with the answer %q; want the reference of %s and %q", who, a.Ref, a.Answer, first, answer)
	}
	return a
}

func (d testStore) mustRefuse(who string, at time.Time, want contract.Code) {
	d.t.Helper()
	_, err := d.beginAs(who, at)
	wantConflict(d.t, err, want)
}

func wantConflict(t *testing.T, err error, want contract.Code) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Conflict || f.Code != want {
		t.Fatalf("got %v, want a conflict %s", err, want)
	}
	if hasWait := f.RetryAfter > 0; hasWait != (want == contract.IdempotencyInProgress) {
		t.Errorf("%s: retry after %v", want, f.RetryAfter)
	}
	if strings.Contains(f.Error(), key) {
		t.Errorf("the error repeats the key: %v", f)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (d testStore) wantCalls(what string, want int) {
	d.t.Helper()
	if got := d.calls.Reset(); len(got) != want {
		d.t.Errorf("%s made the calls %v, want %d", what, got, want)
	}
}
