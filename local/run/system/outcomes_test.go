package system_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Every published outcome that a file or a sandbox value leads to, as an integrator gets
// it.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	cases := []struct {
		name   string
		who    person
		slug   string
		status contract.ItemStatus
		code   contract.SubmissionError
	}{
		{"a scan", scan, "", contract.Failed, contract.ResumeParseFailed},
		{"a locked PDF", locked, "somebody-with-a-locked-file", contract.Failed, contract.ResumeParseFailed},
		{"another person's resume", mismatch, "", contract.Failed, contract.ResumeIdentityMismatch},
		{"no profile", priya, profile.SlugNotFound, contract.Failed, contract.LinkedInProfileNotFound},
		{"no experience", priya, profile.SlugNoExperience, contract.Failed, contract.LinkedInNoExperience},
		{"provider down", priya, profile.SlugUnavailable, contract.Failed, contract.VerificationUnavailable},
		{"worker dies", priya, profile.SlugCrash, contract.Failed, contract.InternalError},
		{"provider slow", priya, profile.SlugSlow, contract.Succeeded, ""},
	}
	api := sys.newAgencyClient()
	batches := make([]string, len(cases))
	for i, c := range cases {
		accepted, err := api.Submit(t.Context(), newSubmitRequest(t, c.who, c.slug))
		must(t, err)
		batches[i] = accepted.BatchID
	}
	for i, c := range cases { // parallel subtests would wait for those of other tests, while the system sweeps
		t.Run(c.name, func(t *testing.T) { checkItem(t, waitForItem(t, t.Context(), api, batches[i]), c.status, c.code) })
	}
	sys.checkNothingPending()
	sys.waitUntil("no file is left of the submissions that ended", func() bool { return len(sys.storedFiles("uploads/")) == 0 })
}

// checkItem checks an item's end: a failure says why, a success who.
func checkItem(t *testing.T, got contract.BatchItem, status contract.ItemStatus, code contract.SubmissionError) {
	t.Helper()
	if got.Status != status || got.ErrorCode != code {
		t.Fatalf("got %s %s (%s); want %s %s", got.Status, got.ErrorCode, got.ErrorMessage, status, code)
	}
	if (got.ErrorMessage == "") != (code == "") || (got.CandidateUserID == "") != (status != contract.Succeeded) {
		t.Errorf("got %+v; want a message with a code, and a candidateUserId with success alone", got)
	}
}

// With a live key, an outage of the provider costs time but does not fail the submission: more
// look-ups fail than an item has attempts, and then the item succeeds.
func TestAnOutageOfTheProviderFailsNoSubmission(t *testing.T) {
	t.Parallel()
	standIn := &provider.StandIn{}
	standIn.Misbehave(provider.WithStatus(http.StatusServiceUnavailable))
	sys := startSystemWith(t, nil, system.Options{Provider: standIn})
	api := sys.newLiveClient()
	accepted, err := api.Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	sys.waitUntil("many look-ups failed", func() bool { return standIn.Calls() >= 2*(submission.MaxAttempts+1) })
	batch, err := api.Batch(t.Context(), accepted.BatchID)
	must(t, err)
	if item := batch.Items[0]; item.Status.Terminal() {
		t.Fatalf("got %+v during the outage; want it live", item)
	}
	standIn.Misbehave(nil)
	checkItem(t, waitForItem(t, t.Context(), api, accepted.BatchID), contract.Succeeded, "")
	sys.checkNothingPending()
}

// While the provider has no credit, items are parked for a day, until shortly before their last deadline.
func TestItemsAreParkedUntilShortlyBeforeTheirDeadline(t *testing.T) {
	t.Parallel()
	standIn := &provider.StandIn{}
	standIn.Misbehave(provider.WithStatus(http.StatusPaymentRequired))
	sys := startSystemWith(t, nil, system.Options{Provider: standIn})
	api := sys.newLiveClient()
	accepted, err := api.Submit(t.Context(), newSubmitRequest(t, priya, ""))
	must(t, err)
	askedAgain := func() {
		asked := standIn.Calls()
		sys.waitUntil("the provider was asked again", func() bool { return standIn.Calls() >= asked+2 })
	}
	askedAgain()
	for range 7 {
		sys.advanceClock(3 * time.Hour)
		askedAgain()
	}
	sys.advanceClock(3*time.Hour - 4*time.Minute)
	checkItem(t, waitForItem(t, t.Context(), api, accepted.BatchID), contract.Failed, contract.VerificationUnavailable)
	sys.checkNothingPending()
}

// newLiveClient returns a client with a live key of the demo agency.
func (sys *testSystem) newLiveClient() *client.Client {
	return client.New(sys.BaseURL, sys.newLiveKey(), withShortWaits)
}

// An item past its deadline reads as timed out whether or not the sweeper has run, and
// stays so when its worker finishes late.
func TestTimeOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  map[string]string
		want string // what is stored while the late worker is at work
	}{
		"stored by the sweeper":  {map[string]string{}, "failed ingest_timed_out, 0 live"},
		"computed by the reader": {map[string]string{"SWEEP_EVERY": "24h"}, "processing , 1 live"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan struct{})
			release := make(chan struct{})
			c.env["FUNCTION_TIMEOUT"] = "10m" // or the worker's own end would bring the message back
			sys := startSystemWith(t, c.env, system.Options{Provider: heldProvider(asked, release)})
			api := sys.newAgencyClient()
			accepted, err := api.Submit(t.Context(), newSubmitRequest(t, priya, ""))
			must(t, err)
			<-asked
			sys.advanceClock(4 * time.Hour)
			item := waitForItem(t, t.Context(), api, accepted.BatchID)
			checkItem(t, item, contract.Failed, contract.IngestTimedOut)
			sys.waitUntil("the store says "+c.want, func() bool { return sys.storedOutcome(accepted.BatchID) == c.want })
			close(release)
			sys.Stop() // waits for the late worker
			if again := sys.readBatch(demo.AgencyID, accepted.BatchID).Items[0]; again != item {
				t.Errorf("the late worker made %+v of %+v", again, item)
			}
			if found := sys.membershipIDs(priya.email); len(found) > 0 {
				t.Errorf("the late worker wrote the memberships %v", found)
			}
		})
	}
}

// storedOutcome returns the stored outcome of a batch of one, which readers may interpret
// differently.
func (sys *testSystem) storedOutcome(batchID string) string {
	sys.t.Helper()
	for _, item := range sys.storedItems(topology.Submissions, "B#"+batchID) {
		if item[topology.SK] != "H" {
			code, _ := item["code"].(string)
			return fmt.Sprintf("%v %s, %d live", item["status"], code, len(sys.storedItems(topology.Submissions, "L#")))
		}
	}
	return "no row"
}

// heldProvider returns a provider that closes asked at the first request and responds once
// released.
func heldProvider(asked, release chan struct{}) http.Handler {
	var first atomic.Bool
	standIn := &provider.StandIn{}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if first.CompareAndSwap(false, true) {
			close(asked)
		}
		select {
		case <-release:
		case <-r.Context().Done():
		}
		standIn.ServeHTTP(w, r)
	})
}

// The member may change between submit and ingestion.
func TestMemberChanges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		member *account.Member
		want   contract.SubmissionError
	}{
		"deactivated":        {&account.Member{Email: demo.MemberEmail, Approved: true, Deactivated: true}, contract.RecruiterDeactivated},
		"no longer approved": {&account.Member{Email: demo.MemberEmail}, contract.RecruiterNotFound},
		"removed":            {nil, contract.RecruiterNotFound},
	} {
		for _, operation := range []string{"SendMessageBatch", "GetObject"} { // before and after the worker checks the member
			t.Run(name+" before "+operation, func(t *testing.T) {
				t.Parallel()
				var accounts atomic.Pointer[account.Store]
				sys := startSystem(t, nil, hookBefore(operation, func(ctx context.Context) error {
					return accounts.Load().ApplyMember(ctx, demo.AgencyID, demo.MemberID, 2, c.member)
				}))
				accounts.Store(sys.openAccounts())
				in := newSubmitRequest(t, priya, "")
				in.RecruiterEmail = new(demo.MemberEmail)
				checkItem(t, submitAndWait(t, sys.newAgencyClient(), in), contract.Failed, c.want)
				sys.checkNothingPending()
			})
		}
	}
}

// hookBefore returns a hook that calls do before each attempt of an operation; an error
// of do becomes the attempt's.
func hookBefore(operation string, do func(context.Context) error) cloud.Hook {
	return func(ctx context.Context, call cloud.Call, send func() error) error {
		if call.Operation == operation {
			if err := do(ctx); err != nil {
				return err
			}
		}
		return send()
	}
}

// A submit whose message the queue refuses returns 500, its batch says
// enqueue_failed, and a retry is a fresh attempt.
func TestEnqueueFails(t *testing.T) {
	t.Parallel()
	var failed atomic.Bool
	// The sweeper leaves the queue alone meanwhile, or the failure might be its own.
	sys := startSystem(t, map[string]string{"INGEST_RESEND": "1h"}, hookBefore("SendMessageBatch", func(context.Context) error {
		if failed.CompareAndSwap(false, true) {
			return errors.New("the queue is not there")
		}
		return nil
	}))
	in := newSubmitRequest(t, priya, "")
	in.IdempotencyKey = "enqueue"
	key := sys.newAgencyKey()
	_, err := client.New(sys.BaseURL, key, client.WithAttempts(1)).Submit(t.Context(), in)
	refused := (*client.Error)(nil)
	if !errors.As(err, &refused) || refused.Status != 500 || refused.Type != "api_error" || refused.Code != contract.NoCode {
		t.Fatalf("got %v; want 500 api_error without a code", err)
	}
	batches := sys.storedBatchIDs()
	if len(batches) != 1 {
		t.Fatalf("got the batches %v; want one", batches)
	}
	api := client.New(sys.BaseURL, key, withShortWaits)
	checkItem(t, waitForItem(t, t.Context(), api, batches[0]), contract.Failed, contract.EnqueueFailed)
	again, err := api.Submit(t.Context(), in)
	must(t, err)
	if again.BatchID == batches[0] || again.Deduplicated {
		t.Errorf("the retry got %+v; want another batch than %s", again, batches[0])
	}
	checkItem(t, waitForItem(t, t.Context(), api, again.BatchID), contract.Succeeded, "")
	sys.checkNothingPending()
}
