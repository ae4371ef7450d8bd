package submission_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
)

// A worker that marks an upload as unreadable does not recreate one that was erased.
func TestAMarkLeavesAnErasedUploadErased(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	sub := submission.Submission{AgencyID: agency, UploadID: uuid.Must(uuid.NewV7()), SubmittedAt: start}
	must(t, d.MarkUnreadable(t.Context(), sub, "The resume cannot be read.", start))
	if erased, unreadable, err := d.UploadState(t.Context(), sub); err != nil || !erased || unreadable != "" {
		t.Errorf("got %t, %q, %v; want erased", erased, unreadable, err)
	}
}
