package ingest_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/functions/ingest"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// TestALostClaimWritesNothing fails if a worker whose lease is over ends the item that another one runs.
func TestALostClaimWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	batch, wakeUp := w.acceptPerson("ada", "ada", "1")
	w.beforeWrite(2, func() {
		_, err := w.submissions.Claim(t.Context(), wakeUp, "other", w.now.Add(10*time.Minute), time.Hour)
		w.must(err)
	})
	w.deliver(wakeUp)
	if item := w.readItems(batch)[0]; item.Status != contract.Processing {
		t.Errorf("got %+v, want it processing", item)
	}
	w.deliver(wakeUp) // while the other one holds it
	if item := w.readItems(batch)[0]; item.Status != contract.Processing {
		t.Errorf("got %+v, want it processing", item)
	}
}

// TestAnErasedUploadEndsItsItem fails unless a submission whose upload was erased ends as the erased upload does.
func TestAnErasedUploadEndsItsItem(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	upload := w.uploadFile(words)
	batch, wakeUps := w.acceptWithUpload(upload, 1)
	w.must(w.submissions.EraseSource(t.Context(), testTenant, upload.Key(), submission.Erasure{
		At: w.now, Drop: func(context.Context, string) error { return nil },
	}))
	w.deliver(wakeUps[0])
	if item := w.readItems(batch)[0]; item.ErrorCode != contract.InvalidResumeReference || item.ErrorMessage != submission.ErasedMessage {
		t.Errorf("got %+v", item)
	}
	if !w.fileExists(upload.Key()) {
		t.Error("the file of the upload was removed, which is not the worker's")
	}
}

// TestAWorkerThatPanicsGivesItsItemBack fails unless the item is queued again after a panic, and fails after its last attempt.
func TestAWorkerThatPanicsGivesItsItemBack(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	batch, wakeUp := w.acceptPerson(profile.SlugCrash, "ada", "1")
	for attempt := 1; attempt <= submission.MaxAttempts; attempt++ {
		if v := w.panicOf(wakeUp); v == nil || strings.Contains(v.(error).Error(), "ada@example.com") {
			t.Errorf("attempt %d: got the panic %v, want one without data", attempt, v)
		}
		item := w.readItems(batch)[0]
		if isLast := attempt == submission.MaxAttempts; isLast != (item.ErrorCode == contract.InternalError) || !isLast && item.Status != contract.Queued {
			t.Errorf("attempt %d: got %+v", attempt, item)
		}
	}
}

func (w *worker) panicOf(wakeUp string) (v any) {
	defer func() { v = recover() }()
	w.deliver(wakeUp)
	return nil
}

// TestMessagesThatAreDeliveredAgain fails unless the queue delivers again, of several messages, those whose item is queued again or could not
// be claimed, and no others.
func TestMessagesThatAreDeliveredAgain(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	_, good := w.acceptPerson("ada", "ada", "1")
	batch, lost := w.acceptPerson("bob", "bob", "2")
	w.must(w.resumes.Delete(t.Context(), "uploads/agy_1/2"))
	var records []events.SQSMessage
	for id, body := range map[string]string{"good": good, "lost": lost, "broken": "{}"} {
		records = append(records, events.SQSMessage{MessageId: id, Body: body})
	}
	response, err := w.service.Handle(t.Context(), events.SQSEvent{Records: records})
	w.must(err)
	failed := map[string]bool{}
	for _, f := range response.BatchItemFailures {
		failed[f.ItemIdentifier] = true
	}
	if len(failed) != 2 || !failed["lost"] || !failed["broken"] {
		t.Errorf("got %v, want lost and broken", failed)
	}
	if item := w.readItems(batch)[0]; item.Status != contract.Queued {
		t.Errorf("got %+v, want it queued", item)
	}
}

// TestFailedCallsEndNothing fails if an item ends, other than by success, because one call of its attempt failed.
func TestFailedCallsEndNothing(t *testing.T) {
	t.Parallel()
	errCut := errors.New("the connection was cut")
	for n := int64(1); ; n++ {
		w := newWorker(t)
		batch, wakeUp := w.acceptPerson("ada", "ada", "1")
		var count atomic.Int64
		host := w.host
		host.AWS = cloud.WithHook(host.AWS, func(_ context.Context, _ cloud.Call, send func() error) error {
			if count.Add(1) == n {
				return errCut
			}
			return send()
		})
		service, err := ingest.New(t.Context(), host)
		w.must(err)
		response, err := service.Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m", Body: wakeUp}}})
		w.must(err)
		item := w.readItems(batch)[0]
		if isAgain := len(response.BatchItemFailures) == 1; isAgain == (item.Status == contract.Succeeded) || item.Status.Terminal() && item.ErrorCode != "" {
			t.Errorf("call %d: got %+v, delivered again: %t", n, item, isAgain)
		}
		if count.Load() < n {
			return
		}
	}
}
