package ingest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// uploadFile stores an upload of the agency.
func (w *worker) uploadFile(content string) submission.Upload {
	w.t.Helper()
	upload, _, err := w.submissions.FindUpload(w.t.Context(), submission.Upload{
		ID: uuid.Must(uuid.NewV7()), Tenant: testTenant, ContentType: "application/pdf", SHA256: fmt.Sprintf("%064d", len(content)), CreatedAt: w.now.UnixMilli(),
	})
	w.must(err)
	w.must(w.resumes.Put(w.t.Context(), upload.Key(), upload.ContentType, []byte(content)))
	upload, err = w.submissions.CommitUpload(w.t.Context(), upload)
	w.must(err)
	return upload
}

// acceptWithUpload accepts a batch of n new persons who share an upload.
func (w *worker) acceptWithUpload(upload submission.Upload, n int) (batch uuid.UUID, wakeUps []string) {
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

// checkReadsOnce delivers the wake-up messages and checks that all items of the batch failed alike, after
// one reading of the file.
func (w *worker) checkReadsOnce(batch uuid.UUID, wakeUps []string) {
	w.t.Helper()
	w.calls.Reset()
	for _, wakeUp := range wakeUps {
		w.deliver(wakeUp)
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

// TestAnUploadIsNotReadWithoutItsState fails unless a submission waits for another attempt when the state of its upload cannot be read.
func TestAnUploadIsNotReadWithoutItsState(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	upload := w.uploadFile("%PDF-1.7\n")
	batch, wakeUps := w.acceptWithUpload(upload, 1)
	w.startFailing(func(call cloud.Call) bool {
		get, ok := call.Input.(*dynamodb.GetItemInput)
		return ok && strings.HasSuffix(get.Key[topology.PK].(*types.AttributeValueMemberS).Value, upload.ID.String())
	})
	w.calls.Reset()
	response, err := w.service.Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m", Body: wakeUps[0]}}})
	w.must(err)
	if len(response.BatchItemFailures) != 1 || slices.Contains(w.calls.Reset(), "S3.GetObject") {
		t.Errorf("got %+v, want the message again, and no reading of the file", response)
	}
	if item := w.readItems(batch)[0]; item.Status.Terminal() {
		t.Errorf("got %+v, want another attempt", item)
	}
}

// TestAMarkThatFailsIsLogged fails unless a submission ends although its upload cannot be marked, with a warning, and without one otherwise.
func TestAMarkThatFailsIsLogged(t *testing.T) {
	t.Parallel()
	for operation, want := range map[string]bool{"": false, "UpdateItem": true} {
		w := newWorker(t)
		batch, wakeUps := w.acceptWithUpload(w.uploadFile("%PDF-1.7\n"), 1)
		log := w.startFailing(isOperation(operation))
		w.deliver(wakeUps[0])
		if item := w.readItems(batch)[0]; item.ErrorCode != contract.ResumeParseFailed {
			t.Errorf("%q fails: got %+v", operation, item)
		}
		if got := strings.Contains(log.String(), "an unreadable upload was not marked"); got != want {
			t.Errorf("%q fails: a warning: %t, want %t", operation, got, want)
		}
	}
}
