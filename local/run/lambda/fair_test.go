package lambda

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The group with the fewest messages in flight is next, and of two such groups the one that
// was served longest ago. Messages of one group keep their order.
func TestFairOrderServesTheGroupWithTheFewestInFlight(t *testing.T) {
	t.Parallel()
	var order fairOrder[string]
	for _, m := range []string{"a1", "a2", "a3", "a4", "b1", "b2", "c1"} {
		order.add(m[:1], m)
	}
	var got []string
	next := func() {
		m, ok := order.next()
		if !ok {
			m = "none"
		}
		got = append(got, m)
	}
	for range 2 { // two workers
		next()
	}
	order.finish("a")
	next()
	order.add("d", "d1")
	order.finish("b")
	next()
	for _, done := range []string{"c", "d", "a", "b", "a"} {
		order.finish(done)
		next()
	}
	if diff := cmp.Diff([]string{"a1", "b1", "c1", "a2", "d1", "b2", "a3", "a4", "none"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	order.finish("a")
	if len(order.groups) != 0 || order.waiting != 0 {
		t.Errorf("%d groups and %d messages are left, want none", len(order.groups), order.waiting)
	}
}

// A group with a backlog has at most perBacklog messages in flight; without a backlog it may
// take all that the others leave.
func TestABacklogIsBounded(t *testing.T) {
	t.Parallel()
	order := fairOrder[string]{perBacklog: 2}
	for range backlog + 4 {
		order.add("a", "a")
	}
	order.add("b", "b")
	var got []string
	next := func() {
		m, _ := order.next()
		got = append(got, m)
	}
	for range 4 {
		next()
	}
	for range 2 { // after the second, the rest is no backlog
		order.finish("a")
		next()
	}
	next()
	if diff := cmp.Diff([]string{"a", "b", "a", "", "a", "a", "a"}, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

// One agency submits at the full rate of its key for four hours, six times what the workers
// can do, and fifty small ones submit one candidate every two minutes each. In the order of
// arrival, most of the small agencies' submissions wait beyond their time-out; in fair order
// none waits longer than a few runs of a worker, and the flood gets all remaining workers.
func TestAFloodDoesNotDelayOtherAgencies(t *testing.T) {
	t.Parallel()
	flood := simulation{
		workers: 20, run: 1200 * time.Millisecond, length: 4 * time.Hour,
		floodEvery: time.Minute / 6000, small: 50, smallEvery: 2 * time.Minute,
	}
	unfair := flood
	fair := flood
	unfair.group = func(int) string { return "all" }
	fair.group = func(agency int) string { return fmt.Sprint("agency ", agency) }
	before := unfair.simulate()
	after := fair.simulate()
	const timeout = 4 * time.Hour
	t.Logf("in order of arrival: small agencies %v; the flood %v", before.small.summary(timeout), before.flood.summary(timeout))
	t.Logf("in fair order:       small agencies %v; the flood %v", after.small.summary(timeout), after.flood.summary(timeout))
	if before.small.countAbove(timeout) < len(before.small)/2 {
		t.Error("the flood is no flood: in order of arrival most of the small agencies' submissions must time out")
	}
	if p99, most := after.small.percentile(99), slices.Max(after.small); p99 > flood.run || most > 3*flood.run {
		t.Errorf("in fair order small agencies wait %v at p99 and %v at most, want %v and %v", p99, most, flood.run, 3*flood.run)
	}
	if got, want := after.done, before.done; got < want*99/100 {
		t.Errorf("fair order did %d in four hours, order of arrival %d: the workers must be as busy", got, want)
	}
}

// simulation is a queue with a flooding agency, agency 0, and small ones.
type simulation struct {
	workers                             int
	run, length, floodEvery, smallEvery time.Duration
	small                               int
	group                               func(agency int) string
}

type simulated struct {
	small, flood waits
	done         int // within the length of the simulation
}

// arrival is a message with its agency and its time.
type arrival struct {
	agency int
	at     time.Duration
}

// arrivals returns all messages in order of time. Small agencies do not submit in step.
func (s simulation) arrivals() (all []arrival) {
	for at := time.Duration(0); at < s.length; at += s.floodEvery {
		all = append(all, arrival{0, at})
	}
	random := rand.New(rand.NewPCG(1, 2))
	for agency := range s.small {
		for at := time.Duration(random.Int64N(int64(s.smallEvery))); at < s.length; at += time.Duration(random.Int64N(int64(2 * s.smallEvery))) {
			all = append(all, arrival{agency + 1, at})
		}
	}
	slices.SortStableFunc(all, func(a, b arrival) int { return int(a.at - b.at) })
	return all
}

// simulate runs the simulation until the queue is empty.
func (s simulation) simulate() (result simulated) {
	var order fairOrder[arrival]
	type running struct {
		agency int
		until  time.Duration
	}
	var busy []running // every run takes the same time, so they end in their order
	now := time.Duration(0)
	coming := s.arrivals()
	for len(coming) > 0 || order.waiting > 0 || len(busy) > 0 {
		for ; len(coming) > 0 && coming[0].at <= now; coming = coming[1:] {
			order.add(s.group(coming[0].agency), coming[0])
		}
		for ; len(busy) > 0 && busy[0].until <= now; busy = busy[1:] {
			order.finish(s.group(busy[0].agency))
			if now <= s.length {
				result.done++
			}
		}
		for len(busy) < s.workers {
			m, ok := order.next()
			if !ok {
				break
			}
			busy = append(busy, running{m.agency, now + s.run})
			if m.agency == 0 {
				result.flood = append(result.flood, now-m.at)
			} else {
				result.small = append(result.small, now-m.at)
			}
		}
		switch {
		case len(busy) > 0 && (len(coming) == 0 || busy[0].until < coming[0].at):
			now = busy[0].until
		case len(coming) > 0:
			now = coming[0].at
		}
	}
	slices.Sort(result.small)
	slices.Sort(result.flood)
	return result
}

// waits are times from the arrival of messages to their turn, sorted.
type waits []time.Duration

func (w waits) percentile(p int) time.Duration { return w[(len(w)-1)*p/100] }

func (w waits) countAbove(limit time.Duration) int {
	at, _ := slices.BinarySearch(w, limit+1)
	return len(w) - at
}

func (w waits) summary(timeout time.Duration) string {
	return fmt.Sprintf("p50 %v, p99 %v, %d of %d over %v", w.percentile(50).Round(time.Millisecond), w.percentile(99).Round(time.Millisecond), w.countAbove(timeout), len(w), timeout)
}
