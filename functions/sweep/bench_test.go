package sweep_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

const (
	// loading is how many calls are in flight while matches are loaded.
	loading = 64
	// writing is how many the sweeper has, and the measure of the database's own rate:
	// two transactions of each of eight shards.
	writing = 16
)

// BenchmarkExpire has the sweeper store matches that are due at the same moment:
// 100,000 of 500 recruiters, one of whom has a tenth of them. The function is the
// deployed one, called again and again as the schedule does, each time for as long
// as it runs, until it finds nothing.
//
// "rate" is how many matches it stores a second, in times of what the same database
// takes of single conditional updates (processTime), with as many calls in flight, through
// the same client, measured before the first and after every invocation of the same run.
// The limit is 0.7.
func BenchmarkExpire(b *testing.B) {
	for _, matches := range []int{2_000, 100_000} {
		b.Run(fmt.Sprint(matches), func(b *testing.B) {
			for b.Loop() {
				benchmarkExpire(b, matches)
			}
		})
	}
}

func benchmarkExpire(b *testing.B, matches int) {
	d := newBenchStore(b)
	d.loadMatches(matches)
	own := d.processTime()
	pieces := 1
	d.expired.clearTimes()
	var runs, stored int
	var peak uint64
	var took time.Duration
	for n := 1; n > 0; runs++ {
		start := time.Now()
		done := make(chan struct{})
		go d.watchMemory(done, &peak)
		n = d.runSweep()
		close(done)
		stored += n
		took += time.Since(start)
		own += d.processTime()
		pieces++
	}
	if double := d.expired.writtenMoreThan(1); stored != matches || len(d.expired.times) != matches || double > 0 {
		b.Fatalf("%d stored, %d of %d written, %d of them more than once", stored, len(d.expired.times), matches, double)
	}
	d.checkAll(matches)
	rate := float64(matches) / took.Seconds()
	b.ReportMetric(rate, "expired/s")
	updates := float64(pieces*ownUpdates) / own.Seconds()
	b.ReportMetric(updates, "updates/s")
	b.ReportMetric(rate/updates, "rate")
	b.ReportMetric(float64(runs), "invocations")
	b.ReportMetric(float64(peak)/(1<<20), "heap-MB")
}

// benchStore is a sweeper with the table it works on.
type benchStore struct {
	b        *testing.B
	table    dynamo.Table
	entities *entity.Store
	service  *sweep.Service
	expired  *writeCounter
}

var sent = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

func newBenchStore(b *testing.B) benchStore {
	b.Helper()
	due := sent.Add(match.ExpiryPeriod)
	begun := time.Now()
	host := cloudtest.System(b, nil, func() time.Time { return due.Add(time.Since(begun)) })
	host.Log = slog.New(slog.DiscardHandler)
	d := benchStore{b: b, expired: &writeCounter{times: map[string]int{}}}
	host.AWS = cloud.WithHook(host.AWS, d.expired.countWrite)
	var err error
	d.table = host.Opener().Table(topology.Marketplace)
	d.entities = entity.NewStore(d.table, dynamo.New(host.AWS).WriteTx)
	d.service, err = sweep.New(b.Context(), host)
	if err != nil {
		b.Fatal(err)
	}
	return d
}

// forEach calls act for 0 to n-1, many at a time.
func (d benchStore) forEach(writers, n int, act func(i int) error) {
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := w; i < n; i += writers {
				if err := act(i); err != nil {
					d.b.Error(err)
					return
				}
			}
		})
	}
	if all.Wait(); d.b.Failed() {
		d.b.FailNow()
	}
}

// newPendingMatch is one of n matches, of one recruiter for every 200.
func newPendingMatch(i, n int) *match.Match {
	recruiter := i % max(n/200, 1)
	if i%10 == 0 {
		recruiter = 0
	}
	return &match.Match{
		RecruiterID: fmt.Sprint("rec", recruiter), RoleID: fmt.Sprint("role", i%900), Status: contract.MatchStatusPending, SentAt: contract.At(sent),
		HiringManagerName: "Robin Sample", HiringManagerNote: new("We would like to meet " + strings.Repeat("soon ", 30)),
		Candidate: match.Candidate{CandidateID: fmt.Sprint("cand", i), Name: "Ada Sample", Title: new("Engineer"), Email: new("ada@example.com")},
	}
}

func matchID(i int) string { return fmt.Sprint("m", i) }

func (d benchStore) loadMatches(n int) {
	store := match.NewStore(d.entities)
	d.forEach(loading, n, func(i int) error {
		return store.Put(d.b.Context(), matchID(i), entity.Stamp{Version: 1, At: sent}, newPendingMatch(i, n))
	})
}

const ownUpdates = 5_000

// processTime is how long the database takes for as many times the least that stores a
// match as expired: a conditional update of one item of a match's size that takes it
// out of the index.
func (d benchStore) processTime() time.Duration {
	body, err := json.Marshal(newPendingMatch(0, 1))
	if err != nil {
		d.b.Fatal(err)
	}
	index := topology.DueIndex
	update := func(i int) *dynamo.Update {
		return d.table.Update(topology.PK, fmt.Sprint("own", i)).Range(topology.SK, "own").Set("body", body)
	}
	d.forEach(loading, ownUpdates, func(i int) error {
		return update(i).Set("v", 1).Set(index.Hash, "own "+entity.Shards.Of(fmt.Sprint(i))).Set(index.Range, 1).Run(d.b.Context())
	})
	start := time.Now()
	d.forEach(writing, ownUpdates, func(i int) error {
		return update(i).Remove(index.Hash, index.Range).If("v = ? AND attribute_exists($)", 1, index.Range).Run(d.b.Context())
	})
	return time.Since(start)
}

// runSweep is one invocation: the function is told when it would be stopped.
func (d benchStore) runSweep() int {
	ctx, cancel := context.WithTimeout(d.b.Context(), topology.Sweep.Timeout)
	defer cancel()
	r, err := d.service.Handle(ctx)
	if err != nil {
		d.b.Fatal(err)
	}
	return r.Expired
}

// checkAll reads every match as it is stored.
func (d benchStore) checkAll(n int) {
	d.forEach(loading, n, func(i int) error {
		var m match.Match
		state, err := d.entities.Get(d.b.Context(), match.Key(matchID(i)))
		if err == nil {
			err = state.Into(&m)
		}
		if err == nil && (m.Status != contract.MatchStatusExpired || state.Version != 1) {
			err = fmt.Errorf("%s is %s at version %d", matchID(i), m.Status, state.Version)
		}
		return err
	})
}

// watchMemory keeps the most that the heap held.
func (d benchStore) watchMemory(done <-chan struct{}, peak *uint64) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		*peak = max(*peak, m.HeapAlloc)
		select {
		case <-done:
			return
		case <-tick.C:
		}
	}
}

// writeCounter counts the transactions that took place on a match, by its key.
type writeCounter struct {
	mu    sync.Mutex
	times map[string]int
}

func (w *writeCounter) countWrite(_ context.Context, call cloud.Call, send func() error) error {
	err := send()
	in, ok := call.Input.(*dynamodb.TransactWriteItemsInput)
	if err != nil || !ok {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, item := range in.TransactItems {
		if item.Update == nil {
			continue
		}
		var key struct {
			PK string `dynamo:"pk"`
		}
		if dynamo.UnmarshalItem(item.Update.Key, &key) == nil && strings.HasPrefix(key.PK, match.Key("").PK) {
			w.times[key.PK]++
		}
	}
	return nil
}

func (w *writeCounter) clearTimes() { clear(w.times) }

// writtenMoreThan counts those written more than n times.
func (w *writeCounter) writtenMoreThan(n int) (count int) {
	for _, times := range w.times {
		if times > n {
			count++
		}
	}
	return count
}
