package submission_test

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A candidate who is still in flight is deduplicated, in the same batch or another one.
// Only accepted submissions have a hint for the queue.
func ExampleStore_Accept() {
	ctx, now := context.Background(), time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	db, table := cloudtest.Database(cloudtest.ForExample(), topology.Submissions)
	store := submission.NewStore(table, db.WriteTx, submission.Settings{Timeout: submission.DefaultTimeout, Resend: submission.DefaultResend})
	accept := func(emails ...string) {
		batch := submission.Batch{ID: uuid.Must(uuid.NewV7()), AgencyID: "agency-1", CreatedAt: now, ItemCount: len(emails)}
		subs := make([]submission.Submission, len(emails))
		for i, email := range emails {
			subs[i] = submission.Submission{
				ID: submission.NewID(batch.ID, i), BatchID: batch.ID, Index: i, AgencyID: "agency-1", OwnerID: "member-1",
				Email: email, LinkedInURL: "https://www.linkedin.com/in/ada", SubmittedAt: now, Deadline: store.Deadline(now),
			}
		}
		outcomes, err := store.Accept(ctx, batch, subs)
		for _, o := range outcomes {
			fmt.Println(o.Status, o.Hint.Body != "")
		}
		fmt.Println(err)
	}
	accept("ada@example.com", "ada@example.com", "grace@example.com")
	accept("grace@example.com")
	// Output:
	// queued true
	// deduplicated false
	// queued true
	// <nil>
	// deduplicated false
	// <nil>
}
