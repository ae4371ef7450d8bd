package changefeed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// TestFailedCallsAreErrors fails if a page or a position is made of a feed of which one call failed.
func TestFailedCallsAreErrors(t *testing.T) {
	t.Parallel()
	errCut := errors.New("the connection was cut")
	for _, read := range []string{"oldest", "after", "latest"} {
		t.Run(read, func(t *testing.T) {
			t.Parallel()
			var calls, failing atomic.Int64
			f := newTestFeed(t, func(_ context.Context, _ cloud.Call, send func() error) error {
				if calls.Add(1) == failing.Load() {
					return errCut
				}
				return send()
			})
			f.must(f.commit("first", start))
			after, err := f.Latest(t.Context(), agency)
			f.must(err)
			for failed := int64(1); ; failed++ {
				f.must(f.commit(fmt.Sprint("new-", failed), start))
				calls.Store(0)
				failing.Store(failed)
				switch read {
				case "oldest":
					_, err = f.Read(t.Context(), agency, changefeed.Position{}, 1000, nil)
				case "after":
					_, err = f.Read(t.Context(), agency, after, 1000, nil)
				case "latest":
					_, err = f.Latest(t.Context(), agency)
				}
				made := calls.Load()
				failing.Store(0)
				if made < failed {
					f.must(err)
					return
				}
				if !errors.Is(err, errCut) {
					t.Errorf("call %d of %d: got %v, want %v", failed, made, err, errCut)
				}
			}
		})
	}
}

// TestLatestFollowsTheNumbers fails unless the latest position is after all changes: of those with a number, and of a backlog without
// numbers that was recorded a while ago.
func TestLatestFollowsTheNumbers(t *testing.T) {
	t.Parallel()
	for name, backlog := range map[string]int{"numbers": 5, "long backlog": 8*98 + 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newTestFeed(t)
			f.commitAll("old", backlog)
			if name == "numbers" {
				_, _, _, err := f.readAfter("", 100)
				f.must(err)
			}
			f.Move(time.Hour)
			position, err := f.findLatest()
			f.must(err)
			f.must(f.commit("new", f.Clock.Now()))
			ids := []string{}
			for more := true; more; {
				var some []string
				some, position, more, err = f.readAfter(position, 100)
				f.must(err)
				ids = append(ids, some...)
			}
			if !slices.Equal(ids, []string{"new"}) {
				t.Errorf("got %v, want only what is new", ids)
			}
		})
	}
}

// TestABacklogIsMovedOnce fails if a page makes more transactions than it needs.
func TestABacklogIsMovedOnce(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	f := newTestFeed(t, calls.Hook)
	f.commitAll("old", 98+20)
	calls.Reset()
	ids, _, more, err := f.readAfter("", 1000)
	if f.must(err); more || len(ids) != 98+20 {
		t.Fatalf("got %d changes, more %t", len(ids), more)
	}
	transactions := 0
	for _, call := range calls.Reset() {
		if call == "DynamoDB.TransactWriteItems" {
			transactions++
		}
	}
	if transactions != 2 {
		t.Errorf("got %d transactions, want 2", transactions)
	}
}

// commitAll commits so many entries, fifty in a transaction.
func (f *testFeed) commitAll(prefix string, entries int) {
	f.t.Helper()
	numbers := make([]int, entries)
	for i := range numbers {
		numbers[i] = i
	}
	for some := range slices.Chunk(numbers, 50) {
		tx := f.db.WriteTx()
		for _, n := range some {
			f.must(f.Record(tx, agency, newEntry(fmt.Sprint(prefix, "-", n), start)))
		}
		f.must(tx.Run(context.Background()))
	}
}
