package system_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// slowRefusal is a hook under which the queue takes its time over one sending, in which
// meanwhile runs, and then refuses it.
type slowRefusal struct {
	armed     atomic.Bool
	meanwhile func()
}

func (h *slowRefusal) Hook(_ context.Context, call cloud.Call, send func() error) error {
	if _, ok := call.Input.(*sqs.SendMessageBatchInput); ok && h.armed.CompareAndSwap(true, false) {
		h.meanwhile()
		return errFinal
	}
	return send()
}

// Every 200 of an Idempotency-Key has the same bytes, and says what the batch says, also if
// a retry comes while the queue refuses the first attempt.
func TestReplayDuringQueueRefusal(t *testing.T) {
	t.Parallel()
	for name, submission := range map[string]func(*manualSystem, string) (path string, body []byte){
		"single": func(s *manualSystem, _ string) (string, []byte) {
			return submitPath, encodeBody(s.t, newSubmitRequest(s.t, priya, ""))
		},
		"bulk": func(s *manualSystem, key string) (string, []byte) {
			upload := s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID
			return bulkPath, encodeBody(s.t, newBulkRequest(newAdaItem(upload), newBulkItem(1, "x")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := &slowRefusal{}
			s := newManualSystem(t, h.Hook)
			key := s.newAgencyKey()
			path, body := submission(s, key)
			submit := func() reply { return s.sendRequest("POST", path, key, body, "Idempotency-Key", "refused") }
			var replies []reply
			h.meanwhile = func() { replies = append(replies, submit()) }
			h.armed.Store(true)
			first := submit()
			replies = append(replies, first, submit(), submit())
			if h.armed.Load() {
				t.Fatal("nothing was sent to the queue")
			}
			var answered string
			for n, r := range replies {
				if r.status == 200 && answered == "" {
					answered = r.body
				}
				if r.status == 200 && r.body != answered {
					t.Errorf("reply %d is %s; an earlier one was %s", n, r.body, answered)
				}
			}
			s.runWorkers()
			s.checkAnswered(answered)
		})
	}
}

// checkAnswered compares a submit's answer with what became of its batch.
func (s *manualSystem) checkAnswered(body string) {
	s.t.Helper()
	answer := decodeBulkResponse(s.t, reply{status: 200, body: body})
	if answer.BatchID == "" {
		s.t.Fatalf("no answer names a batch: %q", body)
	}
	rejected := map[int]bool{}
	for _, item := range answer.Items {
		rejected[item.Index] = item.Status == contract.BulkRejected
	}
	for _, item := range s.readBatch(demo.AgencyID, answer.BatchID).Items {
		if failed := item.ErrorCode == contract.EnqueueFailed; failed != rejected[item.Index] {
			s.t.Errorf("the answer is %s and the row %+v", body, item)
		}
	}
}

// A refused item whose ending transaction succeeds without an answer is reported as its row
// says, or the request fails and its retry reports it.
func TestRefusedItemWithLostAnswer(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]error{"the SDK repeats": cloudtest.Lost{}, "the call fails": errFinal} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var refused atomic.Bool
			faults := &faultInjector{}
			s := newManualSystem(t, func(_ context.Context, call cloud.Call, send func() error) error {
				if _, ok := call.Input.(*sqs.SendMessageBatchInput); ok && refused.CompareAndSwap(false, true) {
					faults.injectAt(matchNth("TransactWriteItems", 1), func(send func() error) error { return errors.Join(send(), lost) })
					return errFinal
				}
				return send()
			}, faults.Hook)
			key := s.newAgencyKey()
			upload := s.uploadResume(key, "Ada Example, senior software engineer").ResumeFileID
			body := encodeBody(t, newBulkRequest(newAdaItem(upload)))
			var r reply
			for range 2 {
				r = s.sendRequest("POST", bulkPath, key, body, "Idempotency-Key", "lost")
				if r.status == 200 {
					break
				}
			}
			if faults.isPending() || r.status != 200 {
				t.Fatalf("got %d %s with the fault pending: %t", r.status, r.body, faults.isPending())
			}
			s.runWorkers()
			s.checkAnswered(r.body)
			if live := s.storedItems(topology.Submissions, "L#"); len(live) > 0 {
				t.Error(fmt.Sprint("left ", live))
			}
		})
	}
}
