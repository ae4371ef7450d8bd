package ingest

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/provider"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// claim accepts one item and claims it as the attempt of that number, age after the submission.
func (s *outageSystem) claim(attempt int, age time.Duration) (uuid.UUID, submission.Claim) {
	s.t.Helper()
	batch := s.submit(1, "live")
	wakeUp := s.queue[len(s.queue)-1]
	s.queue = nil
	s.clock.Move(age)
	claim, err := s.store.Claim(s.t.Context(), wakeUp, uuid.NewString(), s.clock.Now(), time.Hour)
	must(s.t, err)
	claim.Attempt = attempt
	return batch, claim
}

// How an attempt is recorded, by its error, whether it is the last one, and the time that is left.
func TestHowAttemptsEnd(t *testing.T) {
	t.Parallel()
	s := newOutageSystem(t)
	const last, soon, late, day = submission.MaxAttempts, time.Minute, 3*time.Hour + 59*time.Minute, 23*time.Hour + 56*time.Minute
	final := &itemFailure{code: contract.ResumeParseFailed}
	retried := &itemFailure{code: contract.VerificationUnavailable, retry: true}
	parked := &itemFailure{code: contract.VerificationUnavailable, park: true, alarm: true}
	both := &itemFailure{code: contract.VerificationUnavailable, retry: true, park: true}
	const queued, failed = contract.Queued, contract.Failed
	for name, tt := range map[string]struct {
		err      error
		attempt  int
		age      time.Duration
		status   contract.ItemStatus
		code     contract.SubmissionError
		requeued bool
	}{
		"an internal error":         {errors.New("x"), 1, soon, queued, "", true},
		"the last internal error":   {errors.New("x"), last, soon, failed, contract.InternalError, false},
		"a late internal error":     {errors.New("x"), 1, late, queued, "", true},
		"a final failure":           {final, 1, soon, failed, contract.ResumeParseFailed, false},
		"the last final failure":    {final, last, soon, failed, contract.ResumeParseFailed, false},
		"a retried failure":         {retried, 1, soon, queued, "", true},
		"the last retried failure":  {retried, last, soon, failed, contract.VerificationUnavailable, false},
		"retried without time":      {retried, last - 1, late, failed, contract.VerificationUnavailable, false},
		"an outage":                 {parked, 1, soon, queued, "", false},
		"an outage at the last":     {parked, last, soon, queued, "", false},
		"a late outage":             {parked, 1, late, queued, "", false},
		"an outage of a day":        {parked, 1, day, failed, contract.VerificationUnavailable, false},
		"an outage, retried":        {both, 1, soon, queued, "", false},
		"a late outage, retried":    {both, 1, late, queued, "", false},
		"a late outage at the last": {both, last, late, queued, "", false},
		"an outage of a day, again": {both, last, day, failed, contract.VerificationUnavailable, false},
	} {
		batch, claim := s.claim(tt.attempt, min(tt.age, late))
		claim.SubmittedAt = s.clock.Now().Add(-tt.age) // it was parked before
		result := s.workers[0].recordResult(t.Context(), claim, tt.err)
		if result.status != tt.status || result.code != tt.code || errors.Is(result.err, errRequeued) != tt.requeued {
			t.Errorf("%s: got %+v", name, result)
		}
		if f, ok := tt.err.(*itemFailure); ok && result.alarm != f.alarm {
			t.Errorf("%s: alarm %v", name, result.alarm)
		}
		stored, _, err := s.store.ReadBatch(t.Context(), demo.AgencyID, batch, s.clock.Now())
		must(t, err)
		if item := stored.Items[0]; item.Status != tt.status || item.ErrorCode != tt.code {
			t.Errorf("%s: the batch has %s %s", name, item.Status, item.ErrorCode)
		}
	}
}

// An attempt that runs out of time is repeated, wherever it was, and its candidate succeeds later. If the provider
// fails and the item has no time for another attempt, that is the item's failure; with a live key, the item is parked.
func TestAnAttemptOutOfTimeIsRepeated(t *testing.T) {
	t.Parallel()
	for environment, late := range map[string]string{
		"test": string(contract.Failed) + string(contract.VerificationUnavailable), "live": string(contract.Queued),
	} {
		t.Run(environment, func(t *testing.T) {
			t.Parallel()
			s := newOutageSystemWith(t, map[string]string{"INGEST_TIMEOUT": "25s", "INGEST_RETRY_DELAY": "1s"})
			batch := s.submit(1, environment)
			s.standIn.Misbehave(func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() })
			for _, work := range []time.Duration{0, time.Second} { // before the look-up, and during it
				s.deliverWithin(recordingReserve + work)
				s.checkOutcome(batch, environment, string(contract.Queued))
			}
			s.standIn.Misbehave(nil)
			s.deliver()
			s.checkOutcome(batch, environment, string(contract.Succeeded))

			batch = s.submit(1, environment)
			s.standIn.Misbehave(func(w http.ResponseWriter, r *http.Request, slug string) {
				s.clock.Move(11 * time.Second) // the second request ends in the last tenth of the time
				provider.WithStatus(http.StatusServiceUnavailable)(w, r, slug)
			})
			s.deliver()
			s.checkOutcome(batch, environment, late)
		})
	}
}

// deliverWithin lets a worker, whose function is stopped after limit, work on the queue's first message, which stays.
func (s *outageSystem) deliverWithin(limit time.Duration) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), limit)
	defer cancel()
	event := events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m", Body: s.queue[0]}}}
	_, err := s.workers[0].Handle(ctx, event)
	must(s.t, err)
}

// checkOutcome checks the status and code of a batch's only item.
func (s *outageSystem) checkOutcome(batch uuid.UUID, environment, want string) {
	s.t.Helper()
	stored, _, err := s.store.ReadBatch(s.t.Context(), tenant.Of(demo.AgencyID, environment), batch, s.clock.Now())
	must(s.t, err)
	if item := stored.Items[0]; string(item.Status)+string(item.ErrorCode) != want {
		s.t.Errorf("got %+v; want %s", item, want)
	}
}

// The wait for the next attempt doubles with each one.
func TestRetriesWaitTwiceAsLong(t *testing.T) {
	t.Parallel()
	s := newOutageSystem(t)
	for attempt, want := range map[int]time.Duration{1: time.Minute, 2: 2 * time.Minute, 3: 4 * time.Minute, 4: 8 * time.Minute} {
		_, claim := s.claim(attempt, 0)
		if got := s.workers[0].recordResult(t.Context(), claim, errors.New("x")); got.status != contract.Queued {
			t.Fatalf("attempt %d: got %+v", attempt, got)
		}
		s.clock.Move(want - time.Millisecond)
		if wakeUps := s.dueWakeUps(); wakeUps != 0 {
			t.Errorf("attempt %d is repeated before %v", attempt, want)
		}
		s.clock.Move(time.Millisecond)
		if wakeUps := s.dueWakeUps(); wakeUps != 1 {
			t.Errorf("attempt %d is not repeated after %v", attempt, want)
		}
		must(t, s.finish(t.Context()))
	}
}

// dueWakeUps sweeps, and returns how many items are sent to the queue.
func (s *outageSystem) dueWakeUps() int {
	s.t.Helper()
	s.queue = nil
	s.sweep()
	return len(s.queue)
}

// finish ends the item whose wake-up message was sent last, so that no later sweep sends it.
func (s *outageSystem) finish(ctx context.Context) error {
	again, err := s.store.Claim(ctx, s.queue[0], uuid.NewString(), s.clock.Now(), time.Hour)
	if err != nil {
		return err
	}
	return s.store.Fail(ctx, again, contract.InternalError, "x", s.clock.Now())
}
