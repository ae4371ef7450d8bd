package feed_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

var count = flag.Int("events", 1000, "how many events the tests of order deliver")

// history is events of every kind: once in order, by waves in which no entity
// appears twice, and the stale versions that are mixed in.
func history(r *rand.Rand, n int) (waves [][]string, stale []string) {
	versions := map[string]int64{}
	wave := map[string]int{}
	for range n {
		s := samples[r.IntN(len(samples))]
		id, data := s.make(r)
		name := s.kind + " " + id
		versions[name] += 1 + r.Int64N(3)
		kind := s.kind + ".upserted"
		body := any(data)
		if r.IntN(6) == 0 {
			kind = s.kind + ".deleted"
			body = nil
		}
		if wave[name] == len(waves) {
			waves = append(waves, nil)
		}
		waves[wave[name]] = append(waves[wave[name]], event(kind, id, versions[name], body))
		wave[name]++
		if versions[name] > 1 && r.IntN(10) == 0 {
			// A version that was never sent in order, with content of its own.
			if _, other := s.make(r); !strings.Contains(id, "/") {
				stale = append(stale, event(s.kind+".upserted", id, versions[name]-1, other))
			}
		}
	}
	return waves, stale
}

func flat(waves [][]string) (all []string) {
	for _, w := range waves {
		all = append(all, w...)
	}
	return all
}

// loseCalls loses the response of one attempt in thirty that has taken effect; the SDK tries again.
func loseCalls(seed uint64) cloud.Hook {
	r := rand.New(rand.NewPCG(seed, 2))
	return cloudtest.LoseSome(func(call cloud.Call) bool { return call.Service == "DynamoDB" && r.IntN(30) == 0 })
}

// TestOrderDoesNotMatter delivers events twice, shuffled and side by side, with
// stale versions among them and answers lost, by the worker and as a bulk load, and
// finds the same state as after once in order.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 9))
	n := *count
	if testing.Short() {
		n = n * 2 / 5
	}
	waves, stale := history(r, n)
	inOrder := newTestFeed(t)
	for _, wave := range waves {
		inOrder.apply(t, wave...)
	}
	want := inOrder.readState(t)
	if len(want) < 100 {
		t.Fatalf("only %d items were stored", len(want))
	}
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			all := append(append(flat(waves), flat(waves)...), stale...)
			rand.New(rand.NewPCG(seed, 1)).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			shuffled := newTestFeed(t, loseCalls(seed))
			if seed == 2 {
				shuffled = shuffled.newBulkFeed(t)
			}
			for some := range slices.Chunk(all, 500) {
				if refused := shuffled.apply(t, some...); refused > 0 {
					t.Errorf("%d events were refused", refused)
				}
				if err := shuffled.FinishBulk(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, shuffled.readState(t)); diff != "" {
				t.Errorf("state (-in order +shuffled):\n%.5000s", diff)
			}
		})
	}
}
