package submission_test

import (
	"context"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// reportOutcome lets the worker of some claim, old or new, report how its attempt ended.
func (m *model) reportOutcome(*rapid.T) {
	if len(m.claims) == 0 {
		m.rt.Skip("nothing was claimed yet") // drops this step; the sequence goes on
	}
	n := rapid.IntRange(0, len(m.claims)-1).Draw(m.rt, "claim")
	c := m.claims[n]
	nonce := ""
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
	switch word := rapid.SampledFrom([]string{"requeue", "park", "fail", "succeed", "exhausted"}).Draw(m.rt, "word"); word {
	case "requeue":
		must(m.t, m.Requeue(context.Background(), c, m.now, time.Minute))
		switch {
		case good && c.LastAttempt():
			s.end(contract.Failed, contract.InternalError, m.now)
		case good:
			s.status = contract.Queued
			s.updated = m.now
			s.nonce = ""
			s.lease = time.Time{}
			s.due = s.bounded(m.now.Add(time.Minute))
		}
	case "park":
		until := m.now.Add(20 * time.Minute)
		must(m.t, m.Park(context.Background(), c, m.now, until))
		if good {
			s.Deadline = latest(s.Deadline, earliest(until.Add(settings.Timeout), s.SubmittedAt.Add(6*settings.Timeout)))
			s.status = contract.Queued
			s.updated = m.now
			s.nonce = ""
			s.lease = time.Time{}
			s.due = s.bounded(until)
			s.interval = settings.Resend
			s.attempts--
		}
	case "fail":
		must(m.t, m.Fail(context.Background(), c, contract.ResumeParseFailed, "unreadable", m.now))
		if good {
			s.end(contract.Failed, contract.ResumeParseFailed, m.now)
		}
	case "exhausted":
		must(m.t, m.exhaust(context.Background(), c, m.now))
		if good {
			s.end(contract.Failed, contract.InternalError, m.now)
		}
	case "succeed":
		if err := m.succeedAt(c, m.now); (err == nil) != good || err != nil && !dynamo.IsCondCheckFailed(err) {
			m.rt.Fatalf("succeed: got %v; good: %v", err, good)
		}
		if good {
			s.end(contract.Succeeded, "", m.now)
		}
	}
}

// current reports whether claim n is the last one of its submission.
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
	if want := s.live() && !s.claimed && m.now.Before(s.Deadline); ended != want {
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
			want = append(want, s.wakeUp)
			s.interval = min(2*s.interval, 4*settings.Resend)
			s.due = s.bounded(m.now.Add(s.interval))
			if !s.lease.IsZero() {
				s.status = contract.Queued
				s.updated = m.now
			}
			s.lease = time.Time{}
			s.nonce = ""
		}
	}
	got, swept := m.sweepAt(m.now)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" || swept.Ended != ended {
		m.rt.Fatalf("ended %d, want %d; wake-up messages (-want +got):\n%s", swept.Ended, ended, diff)
	}
}

func (m *model) wait(*rapid.T) {
	steps := []time.Duration{time.Millisecond, time.Second, lease, 10 * time.Minute, time.Hour, settings.Timeout - time.Millisecond}
	m.now = m.now.Add(rapid.SampledFrom(steps).Draw(m.rt, "wait"))
}

// check compares what a reader sees of one batch.
func (m *model) check(id uuid.UUID) {
	for _, got := range m.readItems(id, m.now) {
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

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
