package submission_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const (
	agency = "agy_1"
	lease  = 90 * time.Second
)

var (
	start    = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	settings = submission.Settings{Timeout: submission.DefaultTimeout, Resend: submission.DefaultResend}
	errCut   = errors.New("the connection was cut")
)

// testStore is a store on a table of its own, with helpers.
type testStore struct {
	*submission.Store
	t     testing.TB
	db    *dynamo.DB
	table dynamo.Table
	calls *cloudtest.Calls
}

// newTestStore returns a store whose calls are counted; the hooks stand inside the count.
func newTestStore(t testing.TB, hooks ...cloud.Hook) *testStore {
	t.Helper()
	return newTestStoreWith(t, settings, hooks...)
}

func newTestStoreWith(t testing.TB, s submission.Settings, hooks ...cloud.Hook) *testStore {
	t.Helper()
	calls := &cloudtest.Calls{}
	db, table := cloudtest.Database(t, topology.Submissions, append([]cloud.Hook{calls.Hook}, hooks...)...)
	return &testStore{submission.NewStore(table, db.WriteTx, s), t, db, table, calls}
}

// exhaust ends the item of a claim as its last attempt does when it fails.
func (d *testStore) exhaust(ctx context.Context, c submission.Claim, at time.Time) error {
	c.Attempt = submission.MaxAttempts
	return d.Requeue(ctx, c, at, time.Minute)
}

// newBatch makes a batch of n different candidates, sent at a time; who tells the
// candidates of one batch from another's.
func (d *testStore) newBatch(n int, who string, at time.Time) (submission.Batch, []submission.Submission) {
	b := submission.Batch{ID: uuid.Must(uuid.NewV7()), Tenant: agency, CreatedAt: at, ItemCount: n}
	subs := make([]submission.Submission, n)
	for i := range subs {
		slug := fmt.Sprintf("%s-%d", who, i)
		subs[i] = submission.Submission{
			ID: submission.NewID(b.ID, i), BatchID: b.ID, Index: i, AgencyID: agency, OwnerID: "mem_1",
			Environment: tenant.Live, Name: "Ada Example", Email: slug + "@example.com",
			LinkedInURL: "https://www.linkedin.com/in/" + slug, SubmittedAt: at, Deadline: d.Deadline(at),
			Preferences: contract.WorkPreferences{Locations: []contract.Location{"texas"}, SalaryMin: 100_000},
		}
	}
	return b, subs
}

// acceptNew accepts n new candidates at a time; all must be queued.
func (d *testStore) acceptNew(n int, who string, at time.Time) ([]submission.Submission, []string) {
	d.t.Helper()
	b, subs := d.newBatch(n, who, at)
	outcomes := d.mustAccept(b, subs)
	wakeUps := make([]string, n)
	for i, o := range outcomes {
		if o.Status != contract.Queued || o.WakeUp.Body == "" {
			d.t.Fatalf("item %d: got %+v; want it queued with a wake-up message", i, o)
		}
		wakeUps[i] = o.WakeUp.Body
	}
	return subs, wakeUps
}

func (d *testStore) mustAccept(b submission.Batch, subs []submission.Submission) []submission.Outcome {
	d.t.Helper()
	outcomes, err := d.Accept(context.Background(), b, subs)
	if err != nil {
		d.t.Fatal(err)
	}
	return outcomes
}

// acceptOne accepts one new candidate.
func (d *testStore) acceptOne(who string, at time.Time) (submission.Submission, string) {
	d.t.Helper()
	subs, wakeUps := d.acceptNew(1, who, at)
	return subs[0], wakeUps[0]
}

// mustClaim claims a wake-up message; it must succeed.
func (d *testStore) mustClaim(wakeUp string, at time.Time) submission.Claim {
	d.t.Helper()
	c, err := d.Claim(context.Background(), wakeUp, uuid.NewString(), at, lease)
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

// succeedAt ends a claim well.
func (d *testStore) succeedAt(c submission.Claim, at time.Time) error {
	return d.Succeed(d.db.WriteTx(), c, c.CandidateUserID(), "", at).Run(context.Background())
}

// readItems reads a batch.
func (d *testStore) readItems(id uuid.UUID, at time.Time) []contract.BatchItem {
	d.t.Helper()
	got, _, err := d.ReadBatch(context.Background(), agency, id, at)
	if err != nil {
		d.t.Fatal(err)
	}
	return got.Items
}

// readItem reads a submission's row.
func (d *testStore) readItem(s submission.Submission, at time.Time) contract.BatchItem {
	d.t.Helper()
	for _, item := range d.readItems(s.BatchID, at) {
		if item.Index == s.Index {
			return item
		}
	}
	d.t.Fatalf("item %d is not in its batch", s.Index)
	return contract.BatchItem{}
}

// wantItem fails unless the submission's row says so.
func (d *testStore) wantItem(s submission.Submission, at time.Time, status contract.ItemStatus, code contract.SubmissionError) {
	d.t.Helper()
	if got := d.readItem(s, at); got.Status != status || got.ErrorCode != code {
		d.t.Fatalf("got %s %s; want %s %s", got.Status, got.ErrorCode, status, code)
	}
}

// sweepAt returns the wake-up messages that are due.
func (d *testStore) sweepAt(at time.Time) ([]string, submission.Swept) {
	d.t.Helper()
	wakeUps, swept, err := sweepWakeUps(d.Store, at)
	if err != nil {
		d.t.Fatal(err)
	}
	return wakeUps, swept
}

// must fails the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sendTwice lets every attempt of an operation happen twice.
func sendTwice(operation string) cloud.Hook {
	return func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == operation {
			_ = send()
		}
		return send()
	}
}

// liveAttributes reads the in-flight item that a wake-up message names as it is stored; nil when there is none.
func (d *testStore) inFlightAttributes(message string) map[string]any {
	d.t.Helper()
	var wakeUp struct{ InFlight string }
	must(d.t, json.Unmarshal([]byte(message), &wakeUp))
	var stored []map[string]any
	must(d.t, d.table.Get(topology.PK, wakeUp.InFlight).Consistent(true).All(context.Background(), &stored))
	if len(stored) == 0 {
		return nil
	}
	return stored[0]
}

// wantSame fails unless two submissions are equal.
func wantSame(t testing.TB, want, got submission.Submission) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
