package sweep_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// A backlog that takes many runs does not delay other work: whichever part has it, every part
// progresses in the first run. A run ends in time, and the next one continues it.
func TestNoPartWaitsForTheBacklogOfAnother(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		due  backlog
		step time.Duration
		runs int // 0 = until nothing is due
	}{
		"1,200 wake-up messages": {backlog{wakeUps: 1_200, timeouts: 40, matches: 50, pauses: 25, disposals: 25, objects: 25, lapses: 25}, 75 * time.Millisecond, 2},
		"450 matches":            {backlog{wakeUps: 100, timeouts: 40, matches: 450, pauses: 25, disposals: 25, objects: 25, lapses: 25}, 200 * time.Millisecond, 2},
		"250 files":              {backlog{wakeUps: 100, timeouts: 40, matches: 50, pauses: 25, disposals: 250, objects: 25, lapses: 25}, 100 * time.Millisecond, 2},
		"250 memberships":        {backlog{wakeUps: 100, timeouts: 40, matches: 50, pauses: 25, disposals: 25, objects: 25, lapses: 250}, 120 * time.Millisecond, 2},
		"some of all, to end":    {backlog{wakeUps: 200, timeouts: 40, matches: 200, pauses: 100, disposals: 100, objects: 50, lapses: 100}, 60 * time.Millisecond, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSlowSystem(t, tt.step)
			s.loadBacklog(tt.due)
			left := tt.due
			for run := 1; run <= tt.runs || tt.runs == 0 && left != (backlog{}); run++ {
				before := left
				r := s.runSweep()
				left = s.countDue()
				if run == 1 && !left.isLessThan(before) {
					t.Fatalf("after one run %+v of %+v are due; want progress everywhere", left, before)
				}
				if left == before || left != (backlog{}) && r.Unfinished == 0 {
					t.Fatalf("run %d reports %+v and leaves %+v of %+v", run, r, left, before)
				}
			}
			if s.total.Expired != tt.due.matches-left.matches || s.wakeUps != s.total.Resent {
				t.Errorf("got %+v in all, with %d wake-up messages, and %+v are left", s.total, s.wakeUps, left)
			}
		})
	}
}

// backlog is the number of items that are due in each part of the work.
type backlog struct{ wakeUps, timeouts, matches, pauses, disposals, objects, lapses int }

// isLessThan reports whether less is due in every part.
func (b backlog) isLessThan(was backlog) bool {
	return b.wakeUps < was.wakeUps && b.timeouts < was.timeouts && b.matches < was.matches &&
		b.pauses < was.pauses && b.disposals < was.disposals && b.objects < was.objects && b.lapses < was.lapses
}

// slowSystem is a sweeper whose clock moves by a step with each call.
type slowSystem struct {
	t     testing.TB
	clock *cloudtest.Clock
	*cloud.Opener
	sweep *sweep.Service
	// loaded is what was due at first, total what all runs have done.
	loaded backlog
	total  sweep.Result

	mu      sync.Mutex
	wakeUps int
}

func newSlowSystem(t testing.TB, step time.Duration) *slowSystem {
	t.Helper()
	return newSlowSystemWith(t, step, map[string]string{topology.SettingProfileRate: "20000"})
}

// newSlowSystemWith is newSlowSystem with settings.
func newSlowSystemWith(t testing.TB, step time.Duration, settings map[string]string) *slowSystem {
	t.Helper()
	s := &slowSystem{t: t, clock: cloudtest.NewClock(sent.Add(match.ExpiryPeriod))}
	host := cloudtest.System(t, settings, s.clock.Now)
	host.Log = slog.New(slog.DiscardHandler)
	s.Opener = host.Opener()
	host.AWS = cloud.WithHook(host.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		s.clock.Move(step)
		if in, ok := call.Input.(*sqs.SendMessageBatchInput); ok {
			s.mu.Lock()
			s.wakeUps += len(in.Entries)
			s.mu.Unlock()
		}
		return send()
	})
	var err error
	s.sweep, err = sweep.New(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runSweep runs the function at the next minute, and fails if it takes more than two minutes.
func (s *slowSystem) runSweep() sweep.Result {
	s.t.Helper()
	begun := s.clock.Now().Truncate(topology.Sweep.Every).Add(topology.Sweep.Every)
	s.clock.Set(begun)
	r, err := s.sweep.Handle(s.t.Context())
	if took := s.clock.Now().Sub(begun); err != nil || took > 2*topology.Sweep.Every {
		s.t.Fatalf("a run takes %v: %v", took, err)
	}
	s.total.Ended += r.Ended
	s.total.Resent += r.Resent
	s.total.Expired += r.Expired
	s.total.Lapsed += r.Lapsed
	return r
}

// loadBacklog makes the backlog due.
func (s *slowSystem) loadBacklog(due backlog) {
	s.t.Helper()
	s.loaded = due
	now := s.clock.Now()
	entities := entity.Open(s.Opener)
	s.forEach(due.wakeUps/100, func(i int) error { return s.acceptBatch(fmt.Sprint("woken-", i), now.Add(-time.Hour), 100) })
	s.forEach(due.timeouts/20, func(i int) error {
		return s.acceptBatch(fmt.Sprint("timeout-", i), now.Add(-submission.DefaultTimeout), 20)
	})
	s.forEach(due.matches, func(i int) error {
		return match.NewStore(entities).Put(s.t.Context(), matchID(i), entity.Stamp{Version: 1, At: sent}, newPendingMatch(i, due.matches))
	})
	s.forEach(due.pauses, func(i int) error {
		return entities.Run(s.t.Context(), entities.MarkDue(entity.KeyOf(itemkey.MatchPause, fmt.Sprint("marked", i))))
	})
	s.forEach(due.objects, func(i int) error {
		objects := entities.Objects(objectstore.Open(s.Opener, topology.MarketplaceBucket))
		return objects.Put(s.t.Context(), fmt.Sprint("transcripts/", i), "text/plain", nil)
	})
	s.forEach(due.lapses, s.ingestExpired)
	s.forEach(due.disposals, func(i int) error {
		pk, sk := itemkey.Disposal.Key(uuid.NewString(), "0")
		return s.Table(topology.Submissions).Put(map[string]any{
			"pk": pk, "sk": sk, "keys": []string{fmt.Sprint("resumes/", i)}, "shard": "X", "due": now.UnixMilli(),
		}).Run(s.t.Context())
	})
}

// acceptBatch accepts a batch of n submissions at a time. Their shards depend on the batch's name alone.
func (s *slowSystem) acceptBatch(name string, at time.Time, n int) error {
	store := submission.Open(s.Opener)
	b := submission.Batch{ID: uuid.Must(uuid.NewV7()), Tenant: "agency-1", CreatedAt: at, ItemCount: n}
	subs := make([]submission.Submission, n)
	for i := range subs {
		person := fmt.Sprint(name, "-", i)
		subs[i] = submission.Submission{
			ID: submission.NewID(b.ID, i), BatchID: b.ID, Index: i, AgencyID: "agency-1", OwnerID: "member-1", Environment: "live",
			Email: person + "@example.com", SubmittedAt: at, Deadline: store.Deadline(at),
		}
		subs[i].LinkedInURL = "https://www.linkedin.com/in/" + person
		subs[i].ResumeKey = subs[i].UploadKey()
	}
	_, err := store.Accept(s.t.Context(), b, subs)
	return err
}

// ingestExpired stores a membership whose eligibility is over.
func (s *slowSystem) ingestExpired(i int) error {
	store := network.Open(s.Opener)
	then := s.clock.Now().Add(-network.DefaultEligibility)
	person := network.Person{Email: fmt.Sprint(i, "@example.com"), LinkedInURL: fmt.Sprint("https://www.linkedin.com/in/p-", i)}
	c := network.Candidate{Tenant: "agency-1", OwnerID: "member-1", Person: person, SubmittedAt: then}
	place, err := store.FindPlace(s.t.Context(), c, fmt.Sprint("cu_", i))
	if err != nil {
		return err
	}
	return store.Ingest(s.Write(), c, place, network.Write{Now: then, ID: "ingest"}).Run(s.t.Context())
}

// forEach calls act for 0 to n-1, several at a time.
func (s *slowSystem) forEach(n int, act func(i int) error) {
	s.t.Helper()
	var group errgroup.Group
	group.SetLimit(16)
	for i := range n {
		group.Go(func() error { return act(i) })
	}
	if err := group.Wait(); err != nil {
		s.t.Fatal(err)
	}
}

// countDue counts what is still due of what was loaded.
func (s *slowSystem) countDue() (left backlog) {
	s.t.Helper()
	matches := entity.Open(s.Opener)
	left.matches = s.countKeys(matches.Due(sent.Add(match.ExpiryPeriod), 100, 1), match.Key("").SK)
	left.pauses = s.countKeys(matches.Due(sent.Add(match.ExpiryPeriod), 100, 1), itemkey.MatchPause.SK())
	disposals := cloud.DueQuery{Table: s.Table(topology.Submissions), Shards: []string{"X"}, Now: sent.Add(match.ExpiryPeriod), Page: 100, Parallel: 1}
	left.disposals = s.countKeys(disposals.Begin(), itemkey.Disposal.SK())
	disposals.Table = s.Table(topology.Marketplace)
	left.objects = s.countKeys(disposals.Begin(), itemkey.ObjectDisposal.SK())
	left.wakeUps = s.loaded.wakeUps - s.total.Resent
	left.timeouts = s.loaded.timeouts - s.total.Ended
	left.lapses = s.loaded.lapses - s.total.Lapsed
	return left
}

// countKeys counts the items with a sort key.
func (s *slowSystem) countKeys(w *cloud.DueWalk, sk string) (count int) {
	s.t.Helper()
	for left := true; left; {
		var err error
		left, err = w.Turn(s.t.Context(), func() bool { return true }, func(_ context.Context, page []cloud.DueKey) error {
			for _, key := range page {
				if key.SK == sk {
					count++
				}
			}
			return nil
		})
		if err != nil {
			s.t.Fatal(err)
		}
	}
	return count
}
