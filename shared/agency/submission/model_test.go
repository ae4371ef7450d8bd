package submission_test

import (
	"context"
	"errors"
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Each check makes a table and some hundred calls, so they are few by default.
func init() { _ = flag.Set("rapid.checks", "25") }

// submitted is what the model knows of one submission.
type submitted struct {
	submission.Submission
	wakeUp   string
	status   contract.ItemStatus
	code     contract.SubmissionError
	updated  time.Time
	attempts int // used up, the present one included
	claimed  bool
	nonce    string // of the current claim
	lease    time.Time
	due      time.Time
	interval time.Duration
}

// live reports whether its in-flight item stands.
func (s *submitted) live() bool { return !s.status.Terminal() }

func (s *submitted) end(status contract.ItemStatus, code contract.SubmissionError, at time.Time) {
	s.status = status
	s.code = code
	s.updated = at
	s.nonce = ""
}

// bounded is a time, or the deadline when that comes first.
func (s *submitted) bounded(t time.Time) time.Time {
	if t.After(s.Deadline) {
		return s.Deadline
	}
	return t
}

// expire ends it if its time is over, and reports whether it has ended.
func (s *submitted) expire(now time.Time) bool {
	switch {
	case !s.live():
	case !now.Before(s.Deadline):
		s.end(contract.Failed, contract.IngestTimedOut, s.Deadline)
	case s.attempts >= submission.MaxAttempts && !s.lease.After(now):
		s.end(contract.Failed, contract.InternalError, now)
	}
	return !s.live()
}

// model is a plain copy of what the store should do, beside the store.
type model struct {
	*testStore
	rt      *rapid.T
	now     time.Time
	all     []*submitted
	batches map[uuid.UUID]submission.Batch
	claims  []submission.Claim
}

func (m *model) pick() *submitted {
	if len(m.all) == 0 {
		m.rt.Skip("nothing was submitted yet") // drops this step; the sequence goes on
	}
	return rapid.SampledFrom(m.all).Draw(m.rt, "submission")
}

// accept sends a batch of some of four candidates.
func (m *model) accept(*rapid.T) {
	who := rapid.SliceOfNDistinct(rapid.IntRange(0, 3), 1, 4, rapid.ID[int]).Draw(m.rt, "candidates")
	b, subs := m.newBatch(4, "ada", m.now)
	picked := make([]submission.Submission, len(who))
	for i, n := range who {
		picked[i] = subs[n]
		picked[i].Index = i
		picked[i].ID = submission.NewID(b.ID, i)
	}
	outcomes := m.mustAccept(b, picked)
	m.batches[b.ID] = b
	for i, s := range picked {
		next := &submitted{Submission: s, wakeUp: outcomes[i].WakeUp.Body, status: contract.Queued, updated: m.now, interval: settings.Resend}
		next.due = next.bounded(m.now.Add(settings.Resend))
		for _, other := range m.all {
			if other.live() && other.Email == s.Email && !other.giveWay(m.now) {
				next.status = contract.Deduplicated
			}
		}
		m.all = append(m.all, next)
		if outcomes[i].Status != next.status {
			m.rt.Fatalf("item %d of the batch: got %s, want %s", i, outcomes[i].Status, next.status)
		}
	}
}

// giveWay ends a submission whose time is over for a newcomer.
func (s *submitted) giveWay(now time.Time) bool {
	if now.Before(s.Deadline) {
		return false
	}
	s.end(contract.Failed, contract.IngestTimedOut, s.Deadline)
	return true
}

// again repeats a whole batch, as a retry with the same key does.
func (m *model) again(*rapid.T) {
	b := m.batches[m.pick().BatchID]
	var want []submission.Outcome
	var subs []submission.Submission
	for _, s := range m.all {
		if s.BatchID == b.ID {
			o := submission.Outcome{Status: s.status, Code: s.code}
			if s.live() {
				o.WakeUp = cloud.Message{Body: s.wakeUp, Group: agency}
			}
			subs = append(subs, s.Submission)
			want = append(want, o)
		}
	}
	got := m.mustAccept(b, subs)
	for i, o := range got {
		// What gave way or is past its deadline is stored as it was.
		if want[i].Code != contract.IngestTimedOut && o != want[i] {
			m.rt.Fatalf("item %d of the batch: got %+v, want %+v", i, o, want[i])
		}
	}
}

func (m *model) claimOne(*rapid.T) {
	s := m.pick()
	if s.wakeUp == "" {
		m.rt.Skip("it has no wake-up message") // drops this step; the sequence goes on
	}
	nonce := uuid.NewString()
	got, err := m.Claim(context.Background(), s.wakeUp, nonce, m.now, lease)
	var want error
	switch {
	case s.live() && s.lease.After(m.now):
		want = submission.ErrBusy
	case s.expire(m.now):
		want = submission.ErrGone
	default:
		s.attempts++
		s.claimed = true
		s.nonce = nonce
		s.lease = m.now.Add(lease)
		s.status = contract.Processing
		s.updated = m.now
		s.due = s.bounded(s.lease)
		m.claims = append(m.claims, got)
	}
	if !errors.Is(err, want) || err == nil && got.Attempt != s.attempts {
		m.rt.Fatalf("got attempt %d, %v; want attempt %d, %v", got.Attempt, err, s.attempts, want)
	}
}

func TestAnySequenceIsAsTheModelSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{testStore: newTestStore(t), rt: rt, now: start, batches: map[uuid.UUID]submission.Batch{}}
		rt.Repeat(map[string]func(*rapid.T){
			"accept": m.accept, "again": m.again, "claim": m.claimOne, "claim too": m.claimOne, "report": m.reportOutcome,
			"refuse": m.refuse, "sweep": m.sweepNow, "wait": m.wait,
			"": func(*rapid.T) {
				if len(m.all) > 0 {
					m.check(m.pick().BatchID)
				}
			},
		})
		m.now = m.now.Add(6 * settings.Timeout) // the latest that parking allows
		m.sweepNow(rt)
		for id := range m.batches {
			m.check(id)
			for _, item := range m.readItems(id, start) { // as stored: no reader's clock helps
				if !item.Status.Terminal() && !m.timedOutAndReplaced(item.SubmissionID) {
					rt.Fatalf("%+v is stuck", item)
				}
			}
		}
		if wakeUps, swept := m.sweepAt(m.now.Add(24 * time.Hour)); len(wakeUps) > 0 || swept.Ended > 0 {
			rt.Fatalf("in-flight items are left: %v, %+v", wakeUps, swept)
		}
	})
}

// timedOutAndReplaced reports whether an item timed out and was replaced by a newer one. That time-out
// is never stored; every reader computes it.
func (m *model) timedOutAndReplaced(id string) bool {
	i := slices.IndexFunc(m.all, func(s *submitted) bool { return s.ID.String() == id })
	return m.all[i].code == contract.IngestTimedOut
}
