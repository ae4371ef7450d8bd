package ingest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// uploadFile stores an upload of the agency.
func (w *worker) uploadFile(content string) submission.Upload {
	w.t.Helper()
	upload, _, err := w.submissions.FindUpload(w.t.Context(), submission.Upload{
		ID: uuid.Must(uuid.NewV7()), Tenant: testTenant, ContentType: "application/pdf", SHA256: fmt.Sprintf("%064d", len(content)), CreatedAt: w.now,
	})
	w.must(err)
	w.must(w.resumes.Put(w.t.Context(), upload.Key(), upload.ContentType, []byte(content)))
	upload, err = w.submissions.CommitUpload(w.t.Context(), upload)
	w.must(err)
	return upload
}

// acceptWithUpload accepts a batch of n new persons who share an upload.
func (w *worker) acceptWithUpload(upload submission.Upload, n int) (batch uuid.UUID, hints []string) {
	w.t.Helper()
	subs := make([]submission.Submission, n)
	for i := range subs {
		slug := uuid.NewString()
		subs[i] = submission.Submission{
			Name: "Ada Example", Email: slug + "@example.com", LinkedInURL: "https://www.linkedin.com/in/" + slug, UploadID: upload.ID, ResumeKey: upload.Key(),
		}
	}
	return w.accept(subs...)
}

// checkReadsOnce delivers the hints and checks that all items of the batch failed alike, after
// one reading of the file.
func (w *worker) checkReadsOnce(batch uuid.UUID, hints []string) {
	w.t.Helper()
	w.calls.Reset()
	for _, hint := range hints {
		w.deliver(hint)
	}
	reads := 0
	for _, call := range w.calls.Reset() {
		if call == "S3.GetObject" {
			reads++
		}
	}
	if reads != 1 {
		w.t.Errorf("the file was read %d times, want once", reads)
	}
	items := w.readItems(batch)
	for _, item := range items {
		if item.ErrorCode != contract.ResumeParseFailed || item.ErrorMessage != items[0].ErrorMessage {
			w.t.Errorf("item %d: got %s %q, want the failure of the first", item.Index, item.ErrorCode, item.ErrorMessage)
		}
	}
}

// An unreadable upload is read once for all submissions that were accepted before that was
// known, and again for a later submission.
func TestAnUnreadableUploadIsReadOnce(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	upload := w.uploadFile("%PDF-1.7\n")
	w.checkReadsOnce(w.acceptWithUpload(upload, 5))
	w.now = w.now.Add(time.Second)
	w.checkReadsOnce(w.acceptWithUpload(upload, 2))
}
