package submission_test

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A candidate who is still in flight is deduplicated, in the same batch or another one.
// Only accepted submissions have a wake-up message for the queue.
func ExampleStore_Accept() {
	ctx := context.Background()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	db, table := cloudtest.Database(cloudtest.ForExample(), topology.Submissions)
	store := submission.NewStore(table, db.WriteTx, submission.Settings{Timeout: submission.DefaultTimeout, Resend: submission.DefaultResend})
	accept := func(names ...string) {
		batch := submission.Batch{ID: uuid.Must(uuid.NewV7()), Tenant: "agency-1", CreatedAt: now, ItemCount: len(names)}
		subs := make([]submission.Submission, len(names))
		for i, name := range names {
			subs[i] = submission.Submission{
				ID: submission.NewID(batch.ID, i), BatchID: batch.ID, Index: i, AgencyID: "agency-1", OwnerID: "member-1",
				Email: name + "@example.com", LinkedInURL: "https://www.linkedin.com/in/" + name, SubmittedAt: now, Deadline: store.Deadline(now),
			}
		}
		outcomes, err := store.Accept(ctx, batch, subs)
		for _, o := range outcomes {
			fmt.Println(o.Status, o.WakeUp.Body != "")
		}
		fmt.Println(err)
	}
	accept("ada", "ada", "grace")
	accept("grace")
	// Output:
	// queued true
	// deduplicated false
	// queued true
	// <nil>
	// deduplicated false
	// <nil>
}
