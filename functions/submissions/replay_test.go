package submissions_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// An answer is replayed until 24 hours after its request, also by a process whose clock is behind;
// after that the same request makes a new batch.
func TestAnAnswerIsReplayedUntilTheWindowEnds(t *testing.T) {
	t.Parallel()
	f := newTestService(t)
	body := newSubmission()
	submit := func(after time.Duration) (out contract.SubmitResponse, replayed bool) {
		event := f.newPost("/talent-network/candidates/submit", body, "import-1")
		event.Headers["authorization"] = "Bearer " + f.key
		f.ahead.Store(int64(after))
		answer, err := f.serve(t.Context(), event)
		f.must(err)
		if answer.StatusCode != 200 {
			t.Fatalf("after %v: got %d %s", after, answer.StatusCode, answer.Body)
		}
		f.must(json.Unmarshal([]byte(answer.Body), &out))
		return out, answer.Headers["Idempotent-Replayed"] == "true"
	}
	first, _ := submit(0)
	day := 24 * time.Hour
	for _, tt := range []struct {
		after time.Duration
		want  bool
	}{{-10 * time.Minute, true}, {time.Minute, true}, {day - time.Second, true}, {day + time.Second, false}} {
		out, replayed := submit(tt.after)
		if replayed != tt.want || (out == first) != tt.want {
			t.Errorf("after %v: got %+v, replayed %t; want that %t, the first was %+v", tt.after, out, replayed, tt.want, first)
		}
	}
}
