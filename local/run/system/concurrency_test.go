package system_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// midMinute leaves 39.5 seconds of its rate window. It is today, because the database
// deletes items past their time to live by its own clock.
var midMinute = time.Now().UTC().Truncate(time.Minute).Add(20_500 * time.Millisecond)

// Of 300 concurrent requests exactly the tier's limit pass, with any result; the
// others are told how long to wait, and that wait is sufficient.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	sys.freezeClock(midMinute)
	for _, c := range []struct {
		tier         contract.Tier
		method, path string
		body         []byte
		passes       int
	}{
		{contract.DefaultTier, "GET", "/identity", nil, http.StatusOK},
		{contract.WriteTier, "POST", submitPath, []byte("{}"), http.StatusBadRequest},
	} {
		t.Run(c.tier.Name, func(t *testing.T) {
			key := sys.newAgencyKey()
			ask := func(int) reply { return sys.sendRequest(c.method, c.path, key, c.body) }
			remaining := map[string]int{}
			for _, r := range runConcurrently(300, ask) {
				left := r.header.Get("X-RateLimit-Remaining")
				checkRateHeaders(t, r, c.tier, left)
				switch {
				case r.status == c.passes:
					remaining[left]++
				case r.status != http.StatusTooManyRequests || r.errorCode() != contract.RateLimited || left != "0":
					t.Fatalf("got %d %s with %s left; want %d or 429", r.status, r.body, left, c.passes)
				case r.header.Get("Retry-After") != "40":
					t.Fatalf("Retry-After is %q; want the 39 whole seconds left and one", r.header.Get("Retry-After"))
				}
			}
			for n := range c.tier.Limit {
				if remaining[strconv.Itoa(n)] != 1 {
					t.Errorf("%d requests passed with %d remaining; want one", remaining[strconv.Itoa(n)], n)
				}
			}
			if len(remaining) != c.tier.Limit {
				t.Errorf("%d different numbers remained; want %d", len(remaining), c.tier.Limit)
			}
			sys.advanceClock(40 * time.Second)
			if r := ask(0); r.status != c.passes {
				t.Errorf("after the advised wait: %d %s", r.status, r.body)
			}
			sys.advanceClock(20 * time.Second) // the same second of the next minute
		})
	}
}

// checkRateHeaders checks the rate headers of a response in the window of midMinute.
func checkRateHeaders(t *testing.T, r reply, tier contract.Tier, remaining string) {
	t.Helper()
	for name, want := range map[string]string{
		"X-RateLimit-Limit": strconv.Itoa(tier.Limit),
		"X-RateLimit-Reset": "40",
		"RateLimit-Policy":  fmt.Sprintf("%q;q=%d;w=60", tier.Name, tier.Limit),
		"RateLimit":         fmt.Sprintf("%q;r=%s;t=40", tier.Name, remaining),
	} {
		if got := r.header.Get(name); got != want {
			t.Fatalf("%s is %q; want %q", name, got, want)
		}
	}
}

// A revoked key is refused from the next request on, and a malformed one before any
// call.
func TestKeysStop(t *testing.T) {
	t.Parallel()
	calls := &cloudtest.Calls{}
	sys := newManualSystem(t, calls.Hook) // where nothing calls by itself
	made := sys.createKey(keys.Request{Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, Environment: "test"})
	if r := sys.sendRequest("GET", "/identity", made.Secret, nil); r.status != 200 {
		t.Fatalf("a new key: %d %s", r.status, r.body)
	}
	service, err := keys.New(t.Context(), system.Permitted(sys.hostWithoutHooks(), "keys"))
	must(t, err)
	_, err = service.Handle(t.Context(), keys.Request{
		Action: keys.Revoke, Type: contract.AgencyKey, Principal: demo.AgencyID, Actor: demo.OwnerID, KeyID: made.Key.ID,
	})
	must(t, err)
	if r := sys.sendRequest("GET", "/identity", made.Secret, nil); r.status != 401 || r.errorCode() != contract.RevokedAPIKey {
		t.Errorf("a revoked key: %d %s; want 401 revoked_api_key", r.status, r.body)
	}
	calls.Reset()
	last := made.Secret[len(made.Secret)-1]
	for _, key := range []string{"", "x", made.Secret[:len(made.Secret)-1] + string(last^1), made.Secret + "a"} {
		if r := sys.sendRequest("GET", "/identity", key, nil); r.status != 401 {
			t.Errorf("a malformed key: %d %s; want 401", r.status, r.body)
		}
	}
	for _, call := range calls.Reset() {
		t.Errorf("a malformed key cost the call %s", call)
	}
}

// Of 50 identical concurrent submits one is ingested; each has its own batch.
func TestIdenticalSubmits(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{})
	release := make(chan struct{})
	sys := startSystemWith(t, nil, system.Options{Provider: heldProvider(asked, release)})
	api := sys.newAgencyClient()
	in := newSubmitRequest(t, priya, "")
	queued := 0
	submissions := map[string]bool{}
	answers := runConcurrently(50, func(int) contract.SubmitResponse {
		out, err := api.Submit(t.Context(), in)
		if err != nil {
			t.Error(err)
		}
		return out
	})
	close(release)
	for _, a := range answers {
		submissions[a.SubmissionID] = true
		if !a.Deduplicated {
			queued++
		}
	}
	if queued != 1 || len(submissions) != 50 {
		t.Fatalf("%d were queued under %d submission ids; want 1 and 50", queued, len(submissions))
	}
	reader := sys.newAgencyClient() // with a window of its own
	for _, a := range answers {
		want := contract.Succeeded
		if a.Deduplicated {
			want = contract.Deduplicated
		}
		if item := waitForItem(t, t.Context(), reader, a.BatchID); item.Status != want || item.SubmissionID != a.SubmissionID {
			t.Errorf("got %+v for %+v; want %s", item, a, want)
		}
	}
	if found := sys.membershipIDs(priya.email); len(found) != 1 {
		t.Errorf("got the memberships %v; want one", found)
	}
	sys.checkNothingPending()
}

// Any number of attempts with one Idempotency-Key create one batch.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	key := sys.newAgencyKey()
	body := encodeBody(t, newSubmitRequest(t, priya, ""))
	submit := func(body []byte) reply {
		return sys.sendRequest("POST", submitPath, key, body, "Idempotency-Key", "one")
	}

	first := reply{}
	fresh := 0
	answers := runConcurrently(20, func(int) reply { return submit(body) })
	for _, r := range answers {
		if r.status == 200 && r.header.Get("Idempotent-Replayed") == "" {
			first = r
			fresh++
		}
	}
	if fresh != 1 {
		t.Fatalf("%d attempts made a batch; want one", fresh)
	}
	for _, r := range answers {
		busy := r.status == 409 && r.errorCode() == contract.IdempotencyInProgress && r.header.Get("Retry-After") != ""
		if !busy && (r.status != 200 || r.body != first.body) {
			t.Errorf("got %d %s; want a conflict with Retry-After or the first answer's bytes", r.status, r.body)
		}
	}
	replay := submit(body)
	if replay.body != first.body || replay.header.Get("Idempotent-Replayed") != "true" || replay.header.Get("X-Request-Id") == first.header.Get("X-Request-Id") {
		t.Errorf("replay: got %s, %v; want the first answer's bytes, marked, with an id of its own", replay.body, replay.header)
	}
	if colleague := sys.sendRequest("POST", submitPath, sys.newAgencyKey(), body, "Idempotency-Key", "one"); colleague.body != first.body {
		t.Errorf("another key of the agency: got %d %s; want the first answer's bytes", colleague.status, colleague.body)
	}
	if other := submit(encodeBody(t, newSubmitRequest(t, jonas, ""))); other.status != 409 || other.errorCode() != contract.IdempotencyKeyReused {
		t.Errorf("another body: got %d %s; want 409 idempotency_key_reused", other.status, other.body)
	}
	if batches := sys.storedBatchIDs(); len(batches) != 1 {
		t.Errorf("got the batches %v; want one", batches)
	}
	api := client.New(sys.BaseURL, sys.newAgencyKey(), withShortWaits)
	checkItem(t, waitForItem(t, t.Context(), api, sys.storedBatchIDs()[0]), contract.Succeeded, "")
	sys.advanceClock(24*time.Hour + time.Second)
	later := submit(body)
	if later.status != 200 || later.body == first.body || later.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("a day later: got %d %s; want a new batch", later.status, later.body)
	}
}

// A refused request releases its key for the corrected one.
func TestRefusalReleasesKey(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	key := sys.newAgencyKey()
	in := newSubmitRequest(t, priya, "")
	submit := func() reply {
		return sys.sendRequest("POST", submitPath, key, encodeBody(t, in), "Idempotency-Key", "one")
	}
	in.RecruiterEmail = new("nobody@example.com")
	if r := submit(); r.status != 400 {
		t.Fatalf("got %d %s; want 400", r.status, r.body)
	}
	in.RecruiterEmail = new(demo.MemberEmail)
	if r := submit(); r.status != 200 || r.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("the corrected request: got %d %s; want 200", r.status, r.body)
	}
}
