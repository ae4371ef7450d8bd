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

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
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

// desk is a store on a table of its own, and shorthands around it.
type desk struct {
	*submission.Store
	t     testing.TB
	db    *dynamo.DB
	table dynamo.Table
	calls *cloudtest.Calls
}

// open makes a desk whose calls are counted; the hooks stand inside the count.
func open(t testing.TB, hooks ...cloud.Hook) *desk {
	t.Helper()
	return openWith(t, settings, hooks...)
}

func openWith(t testing.TB, s submission.Settings, hooks ...cloud.Hook) *desk {
	t.Helper()
	calls := &cloudtest.Calls{}
	db, table := cloudtest.Hooked(t, topology.Submissions, append([]cloud.Hook{calls.Hook}, hooks...)...)
	return &desk{submission.NewStore(table, db.WriteTx, s), t, db, table, calls}
}

// batch makes a batch of n different candidates, sent at a time; who tells the
// candidates of one batch from another's.
func (d *desk) batch(n int, who string, at time.Time) (submission.Batch, []submission.Submission) {
	b := submission.Batch{ID: uuid.Must(uuid.NewV7()), AgencyID: agency, CreatedAt: at, ItemCount: n}
	subs := make([]submission.Submission, n)
	for i := range subs {
		slug := fmt.Sprintf("%s-%d", who, i)
		subs[i] = submission.Submission{
			ID: submission.NewID(b.ID, i), BatchID: b.ID, Index: i, AgencyID: agency, OwnerID: "mem_1",
			Environment: "test", Name: "Ada Example", Email: slug + "@example.com",
			LinkedInURL: "https://www.linkedin.com/in/" + slug, SubmittedAt: at, Deadline: d.Deadline(at),
			Preferences: contract.WorkPreferences{Locations: []string{"texas"}, SalaryMin: 100_000},
		}
	}
	return b, subs
}

// accept accepts n new candidates at a time; all must be queued.
func (d *desk) accept(n int, who string, at time.Time) ([]submission.Submission, []string) {
	d.t.Helper()
	b, subs := d.batch(n, who, at)
	outcomes := d.mustAccept(b, subs)
	hints := make([]string, n)
	for i, o := range outcomes {
		if o.Status != contract.Queued || o.Hint == "" {
			d.t.Fatalf("item %d: got %+v; want it queued with a hint", i, o)
		}
		hints[i] = o.Hint
	}
	return subs, hints
}

func (d *desk) mustAccept(b submission.Batch, subs []submission.Submission) []submission.Outcome {
	d.t.Helper()
	outcomes, err := d.Accept(context.Background(), b, subs)
	if err != nil {
		d.t.Fatal(err)
	}
	return outcomes
}

// one accepts one new candidate.
func (d *desk) one(who string, at time.Time) (submission.Submission, string) {
	d.t.Helper()
	subs, hints := d.accept(1, who, at)
	return subs[0], hints[0]
}

// claim claims a hint; it must succeed.
func (d *desk) claim(hint string, at time.Time) submission.Claim {
	d.t.Helper()
	c, err := d.Claim(context.Background(), hint, uuid.NewString(), at, lease)
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

// succeed ends a claim well.
func (d *desk) succeed(c submission.Claim, at time.Time) error {
	return d.Succeed(d.db.WriteTx(), c, c.CandidateUserID(), at).Run(context.Background())
}

// items reads a batch.
func (d *desk) items(id uuid.UUID, at time.Time) []contract.BatchItem {
	d.t.Helper()
	got, err := d.ReadBatch(context.Background(), agency, id, at)
	if err != nil {
		d.t.Fatal(err)
	}
	return got.Items
}

// item reads a submission's row.
func (d *desk) item(s submission.Submission, at time.Time) contract.BatchItem {
	d.t.Helper()
	for _, item := range d.items(s.BatchID, at) {
		if item.Index == s.Index {
			return item
		}
	}
	d.t.Fatalf("item %d is not in its batch", s.Index)
	return contract.BatchItem{}
}

// is fails unless the submission's row says so.
func (d *desk) is(s submission.Submission, at time.Time, status contract.ItemStatus, code contract.SubmissionError) {
	d.t.Helper()
	if got := d.item(s, at); got.Status != status || got.ErrorCode != code {
		d.t.Fatalf("got %s %s; want %s %s", got.Status, got.ErrorCode, status, code)
	}
}

// sweep answers the hints that are due.
func (d *desk) sweep(at time.Time) ([]string, submission.Swept) {
	d.t.Helper()
	hints, swept, err := sweep(d.Store, at)
	if err != nil {
		d.t.Fatal(err)
	}
	return hints, swept
}

// must fails the test on an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// twice lets every attempt of an operation happen twice.
func twice(operation string) cloud.Hook {
	return func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == operation {
			_ = send()
		}
		return send()
	}
}

// live reads the live item that a hint names as it is stored; nil when there is none.
func (d *desk) live(message string) map[string]any {
	d.t.Helper()
	var hint struct{ Live string }
	must(d.t, json.Unmarshal([]byte(message), &hint))
	var stored []map[string]any
	must(d.t, d.table.Get(topology.PK, hint.Live).Consistent(true).All(context.Background(), &stored))
	if len(stored) == 0 {
		return nil
	}
	return stored[0]
}

// same fails unless two submissions are equal.
func same(t testing.TB, want, got submission.Submission) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
