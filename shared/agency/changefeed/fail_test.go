package changefeed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
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

// TestABacklogIsMovedOnce fails if a page makes more transactions than it needs, or more than eight.
func TestABacklogIsMovedOnce(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		backlog, changes, transactions int
		more                           bool
	}{
		{98 + 20, 98 + 20, 2, false},
		{8*98 + 1, 8 * 98, 8, true},
	} {
		t.Run(fmt.Sprint(test.backlog), func(t *testing.T) {
			t.Parallel()
			var calls cloudtest.Calls
			f := newTestFeed(t, calls.Hook)
			f.commitAll("old", test.backlog)
			calls.Reset()
			ids, _, more, err := f.readAfter("", 1000)
			if f.must(err); more != test.more || len(ids) != test.changes {
				t.Errorf("got %d changes, more %t, want %d, %t", len(ids), more, test.changes, test.more)
			}
			transactions := slices.DeleteFunc(calls.Reset(), func(call string) bool { return call != "DynamoDB.TransactWriteItems" })
			if len(transactions) != test.transactions {
				t.Errorf("got %d transactions, want %d", len(transactions), test.transactions)
			}
		})
	}
}

// TestTheOldestSegmentIsMissing fails unless a segment that should be kept is waited for, and one whose time is over is passed by.
func TestTheOldestSegmentIsMissing(t *testing.T) {
	t.Parallel()
	f := newTestFeed(t)
	f.must(f.commit("first", start))
	first, err := f.Read(t.Context(), agency, changefeed.Position{}, 10, nil)
	f.must(err)
	var items []map[string]any
	f.must(f.table.Scan().All(t.Context(), &items))
	for _, item := range items {
		if item["changes"] != nil {
			f.must(f.table.Delete(topology.PK, item[topology.PK]).Range(topology.SK, item[topology.SK]).Run(t.Context()))
		}
	}
	if page, err := f.Read(t.Context(), agency, changefeed.Position{}, 10, nil); err == nil {
		t.Errorf("got %+v, want an error", page)
	}
	f.Move(changefeed.Retention + time.Millisecond)
	page, err := f.Read(t.Context(), agency, changefeed.Position{}, 10, nil)
	if err != nil || len(page.Changes) != 0 || page.Next.Segment != first.Next.Segment {
		t.Errorf("got %+v, %v, want the position after the first segment", page, err)
	}
}

// TestAnotherReaderIsFirst fails unless a reader, whose entries another one moves before it, reads them in the log, in the same page.
func TestAnotherReaderIsFirst(t *testing.T) {
	t.Parallel()
	var f *testFeed
	var isReading, isOther atomic.Bool
	f = newTestFeed(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "TransactWriteItems" && isReading.Load() && !isOther.Swap(true) {
			_, _, _, err := f.readAfter("", 100)
			f.must(err)
		}
		return send()
	})
	f.commitAll("new", 5)
	isReading.Store(true)
	ids, _, more, err := f.readAfter("", 100)
	if f.must(err); more || len(ids) != 5 || !isOther.Load() {
		t.Errorf("got %v, more %t, want five changes", ids, more)
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
			f.Record(tx, agency, newEntry(fmt.Sprint(prefix, "-", n), start))
		}
		f.must(tx.Run(context.Background()))
	}
}
