package submissions_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

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
