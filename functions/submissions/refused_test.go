package submissions_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// TestARefusalAfterTheAcceptanceLosesNothing fails unless the retry of a request that was refused after its submission was accepted,
// because a table was not asked any more, continues with the same batch.
func TestARefusalAfterTheAcceptanceLosesNothing(t *testing.T) {
	t.Parallel()
	f := newTestService(t)
	var sent, accepted atomic.Int32
	f.host.AWS = cloud.WithHook(f.host.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Service == "SQS" {
			sent.Add(1)
			return send()
		}
		if sent.Load() == 1 && accepted.Add(1) == 1 { // the answer is to be stored
			return fault.Refusal(time.Second, nil)
		}
		return send()
	})
	f.startService()
	body := newSubmission()
	event := f.newPost("/talent-network/candidates/submit", body, "import-1")
	event.Headers["authorization"] = "Bearer " + f.key
	refused, err := f.serve(t.Context(), event)
	f.must(err)
	if refused.StatusCode != http.StatusServiceUnavailable || refused.Headers["Retry-After"] == "" {
		t.Fatalf("got %d %s; want 503 with Retry-After", refused.StatusCode, refused.Body)
	}
	var out contract.SubmitResponse
	f.must(json.Unmarshal([]byte(f.invoke(f.newPost("/talent-network/candidates/submit", body, "import-1"))), &out))
	if out.Deduplicated {
		t.Errorf("the retry got %+v; want the submission that was accepted", out)
	}
}

// TestNothingIsAcceptedWhileTheQueueFails fails unless submissions are refused before they are accepted, with a time to wait, once the
// queue has failed several times, and are accepted when it is well again.
func TestNothingIsAcceptedWhileTheQueueFails(t *testing.T) {
	t.Parallel()
	f := newTestService(t)
	var isDown atomic.Bool
	var sent, written atomic.Int32
	f.host.AWS = cloud.WithHook(f.host.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Service == "SQS" {
			sent.Add(1)
			if isDown.Load() {
				return &smithyhttp.RequestSendError{Err: errors.New("no route to host")}
			}
		}
		if call.Operation == "TransactWriteItems" {
			written.Add(1)
		}
		return send()
	})
	f.startService()
	submit := func() int {
		event := f.newPost("/talent-network/candidates/submit", newSubmission(), "")
		event.Headers["authorization"] = "Bearer " + f.key
		answer, err := f.serve(t.Context(), event)
		f.must(err)
		if answer.StatusCode == http.StatusServiceUnavailable && answer.Headers["Retry-After"] == "" {
			t.Error("a refusal without a time to wait")
		}
		return answer.StatusCode
	}
	isDown.Store(true)
	submit()
	submit()
	sent.Store(0)
	written.Store(0)
	f.ahead.Add(-int64(2 * time.Second)) // no time passes
	if got := submit(); got != http.StatusServiceUnavailable || sent.Load()+written.Load() > 0 {
		t.Errorf("got %d, with %d messages and %d transactions; want 503 and none", got, sent.Load(), written.Load())
	}
	isDown.Store(false)
	f.ahead.Add(int64(5 * time.Second))
	if got := submit(); got != http.StatusOK {
		t.Errorf("got %d when the queue was well again", got)
	}
}
