package submission_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// faultInjector makes one AWS call in ten fail before it happens, fail after it has
// happened, or happen twice.
type faultInjector struct {
	mu     sync.Mutex
	rand   *rand.Rand
	bad    bool
	struck int
}

func (w *faultInjector) draw() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.bad || w.rand.IntN(10) != 0 {
		return -1
	}
	w.struck++
	return w.rand.IntN(3)
}

func (w *faultInjector) hook(_ context.Context, _ cloud.Call, send func() error) error {
	switch w.draw() {
	case 0:
		return errCut
	case 1:
		_ = send()
		return errCut
	case 2:
		_ = send()
	}
	return send()
}

// faultModel is a system in bad weather: what its parts know is what they were told.
type faultModel struct {
	*testStore
	*faultInjector
	rt      *rapid.T
	now     time.Time
	batches map[uuid.UUID][]submission.Submission
	queue   []string
	claims  []submission.Claim
	seen    map[string]contract.BatchItem
}

// cut fails the test on an error that is not the weather's, and reports whether
// there was one.
func (s *faultModel) cut(err error) bool {
	if err != nil && !errors.Is(err, errCut) {
		s.rt.Fatal(err)
	}
	return err != nil
}

// submit sends a batch and repeats it until it is told that it was accepted, as
// a client does; wake-up messages are lost with the attempts that sent them.
func (s *faultModel) submit(*rapid.T) {
	b, subs := s.newBatch(rapid.IntRange(1, 4).Draw(s.rt, "items"), "ada", s.now)
	for {
		outcomes, err := s.Accept(context.Background(), b, subs)
		if s.cut(err) {
			continue
		}
		s.batches[b.ID] = subs
		for i, o := range outcomes {
			if o.Status == contract.Failed {
				s.rt.Fatalf("item %d was born %s", i, o.Code)
			}
			if o.WakeUp.Body != "" {
				s.queue = append(s.queue, o.WakeUp.Body)
			}
		}
		return
	}
}

// deliverMessage delivers some message, perhaps for the second time or out of order.
func (s *faultModel) deliverMessage(*rapid.T) {
	if len(s.queue) == 0 {
		s.rt.Skip("the queue is empty") // drops this step; the sequence goes on
	}
	wakeUp := rapid.SampledFrom(s.queue).Draw(s.rt, "message")
	c, err := s.Claim(context.Background(), wakeUp, uuid.NewString(), s.now, lease)
	if errors.Is(err, submission.ErrGone) || errors.Is(err, submission.ErrBusy) || s.cut(err) {
		return
	}
	for _, other := range s.claims {
		if other.ID == c.ID && other.Attempt >= c.Attempt {
			s.rt.Fatalf("attempt %d began after attempt %d", c.Attempt, other.Attempt)
		}
	}
	s.claims = append(s.claims, c)
}

// reportOutcome lets a drawn worker report how its attempt ended; each success is recorded in
// its transaction.
func (s *faultModel) reportOutcome(*rapid.T) {
	if len(s.claims) == 0 {
		s.rt.Skip("no claim is held") // drops this step; the sequence goes on
	}
	c := rapid.SampledFrom(s.claims).Draw(s.rt, "claim")
	ctx := context.Background()
	var err error
	switch rapid.IntRange(0, 3).Draw(s.rt, "word") {
	case 0:
		err = s.Requeue(ctx, c, s.now, time.Minute)
	case 1:
		err = s.Fail(ctx, c, contract.ResumeParseFailed, "unreadable", s.now)
	default:
		tx := s.db.WriteTx().Update(s.table.Update(topology.PK, "trace").Range(topology.SK, c.ID.String()).Add("n", 1))
		err = s.Succeed(tx, c, c.CandidateUserID(), "", s.now).Run(ctx)
		if dynamo.IsCondCheckFailed(err) {
			return
		}
	}
	s.cut(err)
}

func (s *faultModel) failEnqueue(*rapid.T) {
	if len(s.batches) == 0 {
		s.rt.Skip("nothing was submitted yet") // drops this step; the sequence goes on
	}
	ids := slices.SortedFunc(func(yield func(uuid.UUID) bool) {
		for id := range s.batches {
			if !yield(id) {
				return
			}
		}
	}, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	_, err := s.FailEnqueue(context.Background(), s.batches[rapid.SampledFrom(ids).Draw(s.rt, "batch")][0], s.now)
	s.cut(err)
}

func (s *faultModel) sweepNow(*rapid.T) {
	wakeUps, _, err := sweepWakeUps(s.Store, s.now)
	s.cut(err)
	s.queue = append(s.queue, wakeUps...)
}

func (s *faultModel) wait(*rapid.T) {
	steps := []time.Duration{time.Second, lease, 10 * time.Minute, time.Hour, settings.Timeout}
	s.now = s.now.Add(rapid.SampledFrom(steps).Draw(s.rt, "wait"))
}

// checkBatches reads every batch: nothing accepted is missing, nothing terminal changes,
// nothing lives past its deadline.
func (s *faultModel) checkBatches() {
	for id, subs := range s.batches {
		got, _, err := s.ReadBatch(context.Background(), agency, id, s.now)
		if s.cut(err) {
			continue
		}
		if len(got.Items) != len(subs) {
			s.rt.Fatalf("a batch of %d has %d items", len(subs), len(got.Items))
		}
		for i, item := range got.Items {
			before, known := s.seen[item.SubmissionID]
			if known && before.Status.Terminal() && before != item {
				s.rt.Fatalf("a terminal item changed from %+v to %+v", before, item)
			}
			if !item.Status.Terminal() && !s.now.Before(subs[i].Deadline) {
				s.rt.Fatalf("%+v lives past its deadline", item)
			}
			s.seen[item.SubmissionID] = item
		}
	}
}

// checkEnd ends the bad weather and the time-out: every item is terminal, and each
// success happened once.
func (s *faultModel) checkEnd() {
	s.bad = false
	s.now = s.now.Add(settings.Timeout)
	s.sweepNow(s.rt)
	s.checkBatches()
	var traces []struct {
		ID string `dynamo:"sk"`
		N  int    `dynamo:"n"`
	}
	must(s.t, s.table.Get(topology.PK, "trace").Consistent(true).All(context.Background(), &traces))
	times := map[string]int{}
	for _, trace := range traces {
		times[trace.ID] = trace.N
	}
	for id, item := range s.seen {
		want := 0
		if item.Status == contract.Succeeded {
			want = 1
		}
		if !item.Status.Terminal() || times[id] != want {
			s.rt.Fatalf("%+v; its transaction happened %d times, want %d", item, times[id], want)
		}
	}
	s.checkOriginals()
	if wakeUps, swept := s.sweepAt(s.now.Add(24 * time.Hour)); len(wakeUps) > 0 || swept.Ended > 0 {
		s.rt.Fatalf("in-flight items are left: %v, %+v", wakeUps, swept)
	}
}

// checkOriginals checks that every deduplicated submission has an original that was accepted.
func (s *faultModel) checkOriginals() {
	first := map[string]time.Time{}
	each := func(visit func(submission.Submission)) {
		for _, subs := range s.batches {
			for _, sub := range subs {
				visit(sub)
			}
		}
	}
	duplicate := func(sub submission.Submission) bool { return s.seen[sub.ID.String()].Status == contract.Deduplicated }
	each(func(sub submission.Submission) {
		if at, known := first[sub.Email]; !duplicate(sub) && (!known || sub.SubmittedAt.Before(at)) {
			first[sub.Email] = sub.SubmittedAt
		}
	})
	each(func(sub submission.Submission) {
		if at, known := first[sub.Email]; duplicate(sub) && (!known || at.After(sub.SubmittedAt)) {
			s.rt.Fatalf("%s is a duplicate of nothing", sub.ID)
		}
	})
}

func TestNothingIsLostAndNothingHappensTwiceInBadWeather(t *testing.T) {
	t.Parallel()
	var all sync.Mutex
	struck := 0
	rapid.Check(t, func(rt *rapid.T) {
		w := &faultInjector{rand: rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "weather"), 0)), bad: true}
		s := &faultModel{testStore: newTestStore(t, w.hook), faultInjector: w, rt: rt, now: start,
			batches: map[uuid.UUID][]submission.Submission{}, seen: map[string]contract.BatchItem{}}
		rt.Repeat(map[string]func(*rapid.T){
			"submit": s.submit, "deliver": s.deliverMessage, "deliver again": s.deliverMessage, "report": s.reportOutcome, "report again": s.reportOutcome,
			"refuse": s.failEnqueue, "sweep": s.sweepNow, "wait": s.wait,
			"": func(*rapid.T) { s.checkBatches() },
		})
		s.checkEnd()
		all.Lock()
		struck += w.struck
		all.Unlock()
	})
	t.Logf("the weather struck %d calls", struck)
	if struck == 0 {
		t.Error("the weather was good all the time")
	}
}
