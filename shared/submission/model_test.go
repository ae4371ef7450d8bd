package submission_test

import (
	"context"
	"errors"
	"flag"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/submission"
)

// Each check makes a table and some hundred calls, so they are few by default.
func init() { _ = flag.Set("rapid.checks", "25") }

// submitted is what the model knows of one submission.
type submitted struct {
	submission.Submission
	hint     string
	status   contract.ItemStatus
	code     contract.SubmissionError
	updated  time.Time
	attempts int
	nonce    string // of the current claim
	lease    time.Time
	due      time.Time
	interval time.Duration
}

// live tells whether its live item stands.
func (s *submitted) live() bool { return !s.status.Terminal() }

func (s *submitted) end(status contract.ItemStatus, code contract.SubmissionError, at time.Time) {
	s.status, s.code, s.updated, s.nonce = status, code, at, ""
}

// bounded is a time, or the deadline when that comes first.
func (s *submitted) bounded(t time.Time) time.Time {
	if t.After(s.Deadline) {
		return s.Deadline
	}
	return t
}

// expire ends it if its time is over, and tells whether it has ended.
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
	*desk
	rt      *rapid.T
	now     time.Time
	all     []*submitted
	batches map[uuid.UUID]submission.Batch
	claims  []submission.Claim
}

func (m *model) pick() *submitted {
	if len(m.all) == 0 {
		m.rt.Skip("nothing was submitted yet")
	}
	return rapid.SampledFrom(m.all).Draw(m.rt, "submission")
}

// accept sends a batch of some of four candidates.
func (m *model) accept(*rapid.T) {
	who := rapid.SliceOfNDistinct(rapid.IntRange(0, 3), 1, 4, rapid.ID[int]).Draw(m.rt, "candidates")
	b, subs := m.batch(4, "ada", m.now)
	picked := make([]submission.Submission, len(who))
	for i, n := range who {
		picked[i] = subs[n]
		picked[i].Index, picked[i].ID = i, submission.NewID(b.ID, i)
	}
	outcomes := m.mustAccept(b, picked)
	m.batches[b.ID] = b
	for i, s := range picked {
		next := &submitted{Submission: s, hint: outcomes[i].Hint, status: contract.Queued, updated: m.now, interval: settings.Resend}
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
				o.Hint = s.hint
			}
			subs, want = append(subs, s.Submission), append(want, o)
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
	if s.hint == "" {
		m.rt.Skip("it has no hint")
	}
	nonce := uuid.NewString()
	got, err := m.Claim(context.Background(), s.hint, nonce, m.now, lease)
	var want error
	switch {
	case s.live() && s.lease.After(m.now):
		want = submission.ErrBusy
	case s.expire(m.now):
		want = submission.ErrGone
	default:
		s.attempts, s.nonce, s.lease = s.attempts+1, nonce, m.now.Add(lease)
		s.status, s.updated, s.due = contract.Processing, m.now, s.bounded(s.lease)
		m.claims = append(m.claims, got)
	}
	if !errors.Is(err, want) || err == nil && got.Attempt != s.attempts {
		m.rt.Fatalf("got attempt %d, %v; want attempt %d, %v", got.Attempt, err, s.attempts, want)
	}
}

// speak lets the worker of some claim, old or new, say how it went.
func (m *model) speak(*rapid.T) {
	if len(m.claims) == 0 {
		m.rt.Skip("nothing was claimed yet")
	}
	n := rapid.IntRange(0, len(m.claims)-1).Draw(m.rt, "claim")
	c, nonce := m.claims[n], ""
	i := slices.IndexFunc(m.all, func(s *submitted) bool { return s.ID == c.ID })
	s := m.all[i]
	held, err := m.Held(context.Background(), c)
	must(m.t, err)
	if s.live() && s.nonce != "" {
		nonce = s.nonce
	}
	if want := nonce != "" && m.current(n); held != want {
		m.rt.Fatalf("held: got %v, want %v", held, want)
	}
	good := held && m.now.Before(c.Deadline)
	switch word := rapid.SampledFrom([]string{"requeue", "fail", "succeed", "exhausted"}).Draw(m.rt, "word"); word {
	case "requeue":
		must(m.t, m.Requeue(context.Background(), c, m.now, time.Minute))
		if good {
			s.status, s.updated, s.nonce, s.lease, s.due = contract.Queued, m.now, "", time.Time{}, s.bounded(m.now.Add(time.Minute))
		}
	case "fail":
		must(m.t, m.Fail(context.Background(), c, contract.ResumeParseFailed, "unreadable", m.now))
		if good {
			s.end(contract.Failed, contract.ResumeParseFailed, m.now)
		}
	case "exhausted":
		must(m.t, m.Exhausted(context.Background(), c, m.now))
		if good {
			s.end(contract.Failed, contract.InternalError, m.now)
		}
	case "succeed":
		if err := m.succeed(c, m.now); (err == nil) != good || err != nil && !dynamo.IsCondCheckFailed(err) {
			m.rt.Fatalf("succeed: got %v; good: %v", err, good)
		}
		if good {
			s.end(contract.Succeeded, "", m.now)
		}
	}
}

// current tells whether claim n is the last one of its submission.
func (m *model) current(n int) bool {
	for _, later := range m.claims[n+1:] {
		if later.ID == m.claims[n].ID {
			return false
		}
	}
	return true
}

func (m *model) refuse(*rapid.T) {
	s := m.pick()
	ended, err := m.FailEnqueue(context.Background(), s.Submission, m.now)
	must(m.t, err)
	if want := s.live() && s.attempts == 0 && m.now.Before(s.Deadline); ended != want {
		m.rt.Fatalf("got %v, want %v", ended, want)
	}
	if ended {
		s.end(contract.Failed, contract.EnqueueFailed, m.now)
	}
}

func (m *model) sweepNow(*rapid.T) {
	var want []string
	ended := 0
	for _, s := range m.all {
		switch {
		case !s.live() || s.due.After(m.now):
		case s.expire(m.now):
			ended++
		default:
			want = append(want, s.hint)
			s.interval *= 2
			s.due = s.bounded(m.now.Add(s.interval))
			if !s.lease.IsZero() {
				s.status, s.updated = contract.Queued, m.now
			}
			s.lease, s.nonce = time.Time{}, ""
		}
	}
	got, swept := m.sweep(m.now)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || swept.Ended != ended {
		m.rt.Fatalf("ended %d, want %d; hints (-want +got):\n%s", swept.Ended, ended, diff)
	}
}

func (m *model) wait(*rapid.T) {
	steps := []time.Duration{time.Millisecond, time.Second, lease, 10 * time.Minute, time.Hour, settings.Timeout - time.Millisecond}
	m.now = m.now.Add(rapid.SampledFrom(steps).Draw(m.rt, "wait"))
}

// check compares what a reader sees of one batch.
func (m *model) check(id uuid.UUID) {
	for _, got := range m.items(id, m.now) {
		i := slices.IndexFunc(m.all, func(s *submitted) bool { return s.ID.String() == got.SubmissionID })
		want := *m.all[i]
		if want.live() && !m.now.Before(want.Deadline) {
			want.end(contract.Failed, contract.IngestTimedOut, want.Deadline)
		}
		if got.Status != want.status || got.ErrorCode != want.code || !got.UpdatedAt.Equal(want.updated) || got.Index != want.Index {
			m.rt.Fatalf("got %+v; want %s %s, updated %v", got, want.status, want.code, want.updated)
		}
	}
}

func TestAnySequenceIsAsTheModelSays(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := &model{desk: open(t), rt: rt, now: start, batches: map[uuid.UUID]submission.Batch{}}
		rt.Repeat(map[string]func(*rapid.T){
			"accept": m.accept, "again": m.again, "claim": m.claimOne, "claim too": m.claimOne, "speak": m.speak,
			"refuse": m.refuse, "sweep": m.sweepNow, "wait": m.wait,
			"": func(*rapid.T) {
				if len(m.all) > 0 {
					m.check(m.pick().BatchID)
				}
			},
		})
		m.now = m.now.Add(settings.Timeout)
		m.sweepNow(rt)
		for id := range m.batches {
			m.check(id)
			for _, item := range m.items(id, start) { // as stored: no reader's clock helps
				if !item.Status.Terminal() && !m.gaveWay(item.SubmissionID) {
					rt.Fatalf("%+v is stuck", item)
				}
			}
		}
		if hints, swept := m.sweep(m.now.Add(24 * time.Hour)); len(hints) > 0 || swept.Ended > 0 {
			rt.Fatalf("live items are left: %v, %+v", hints, swept)
		}
	})
}

// gaveWay: nobody stores the time-out of an item that gave way to a newcomer;
// every reader computes it.
func (m *model) gaveWay(id string) bool {
	i := slices.IndexFunc(m.all, func(s *submitted) bool { return s.ID.String() == id })
	return m.all[i].code == contract.IngestTimedOut
}
