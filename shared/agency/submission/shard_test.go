package submission_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func TestManyPagesOfOneShard(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	old, _ := d.acceptInShard(150, "old", start)
	fresh, wakeUps := d.acceptInShard(150, "new", start.Add(2*time.Hour))
	at := start.Add(settings.Timeout)
	got, swept := d.sweepAt(at)
	if swept != (submission.Swept{Ended: 150, Resent: 150}) {
		t.Errorf("got %+v, want 150 each", swept)
	}
	slices.Sort(got)
	slices.Sort(wakeUps)
	if diff := cmp.Diff(wakeUps, got); diff != "" {
		t.Errorf("wake-up messages (-want +got):\n%s", diff)
	}
	d.wantItem(old[149], start, contract.Failed, contract.IngestTimedOut)
	d.wantItem(fresh[149], at, contract.Queued, "")
	if got, swept := d.sweepAt(at); len(got) != 0 || swept != (submission.Swept{}) {
		t.Errorf("the next sweep found %d again, %+v", len(got), swept)
	}
}

func TestAnErasureReadsEveryPageOfAShard(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	subs, _ := d.acceptInShard(250, "ada", start)
	var asked atomic.Int64
	erasure := erasureOf(subs[249])
	erasure.Of = func(submission.Submission) bool { return asked.Add(1)%2 == 0 }
	if n, err := d.Erase(t.Context(), erasure); n != 125 || err != nil || asked.Load() != 250 {
		t.Errorf("ended %d of %d submissions, %v; want every second of 250", n, asked.Load(), err)
	}
	erasure.Of = func(submission.Submission) bool { return true }
	if n, err := d.Erase(t.Context(), erasure); n != 125 || err != nil {
		t.Errorf("ended %d submissions, %v; want the other 125", n, err)
	}
}

const testShard = "S#03"

// acceptInShard accepts n candidates whose in-flight items are in one shard.
func (d *testStore) acceptInShard(n int, who string, at time.Time) (subs []submission.Submission, wakeUps []string) {
	for len(subs) < n {
		b, all := d.newBatch(2000, who, at)
		all = slices.DeleteFunc(all, func(s submission.Submission) bool { return submission.ShardOf(s) != testShard })
		all = all[:min(100, len(all), n-len(subs))]
		for i := range all {
			all[i].Index = i
			all[i].ID = submission.NewID(b.ID, i)
		}
		for _, o := range d.mustAccept(b, all) {
			wakeUps = append(wakeUps, o.WakeUp.Body)
		}
		subs = append(subs, all...)
		who += "x"
	}
	return subs, wakeUps
}

// While the queue accepts no wake-up messages, items still end at their deadlines, and items that wait
// for a wake-up message stay due, without a longer wait.
func TestItemsTimeOutWhileTheQueueIsDown(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	overdue, wakeUp := d.acceptInShard(1, "old", start)
	late := start.Add(settings.Timeout - time.Minute)
	must(t, d.Requeue(context.Background(), d.mustClaim(wakeUp[0], late), late, time.Minute)) // due after all others
	_, wakeUps := d.acceptInShard(150, "new", start.Add(time.Hour))
	at := overdue[0].Deadline
	broken := 0
	swept, err := sweepAll(d.Store, at, func(_ context.Context, wakeUps []cloud.Message) error { broken += len(wakeUps); return errCut })
	if !errors.Is(err, errCut) || swept != (submission.Swept{Ended: 1}) {
		t.Errorf("got %+v, %v; want one ended", swept, err)
	}
	if got, _ := d.sweepAt(at); broken == 0 || len(got) != len(wakeUps)-broken {
		t.Errorf("%d wake-up messages are sent after %d could not be; want the rest of %d", len(got), broken, len(wakeUps))
	}
}

func TestSweepsAtOnceSendAWakeUpOnce(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	_, wakeUps := d.acceptNew(100, "ada", start)
	var mu sync.Mutex
	var got []string
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			found, _, err := sweepWakeUps(d.Store, start.Add(settings.Resend))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			got = append(got, found...)
		})
	}
	group.Wait()
	slices.Sort(got)
	slices.Sort(wakeUps)
	if diff := cmp.Diff(wakeUps, got); diff != "" {
		t.Errorf("wake-up messages of all sweeps together (-want +got):\n%s", diff)
	}
}

func TestAStaleIndexSendsNothing(t *testing.T) {
	t.Parallel()
	at := start.Add(settings.Resend)
	var d *testStore
	var wakeUp string
	var once sync.Once
	behind := func(_ context.Context, call cloud.Call, send func() error) error {
		err := send()
		in, ok := call.Input.(*dynamodb.QueryInput)
		if ok && in.KeyConditions["shard"].AttributeValueList[0].(*types.AttributeValueMemberS).Value == testShard {
			once.Do(func() { d.mustClaim(wakeUp, at) }) // a worker claims the item before the index shows it
		}
		return err
	}
	d = newTestStore(t, behind)
	_, wakeUps := d.acceptInShard(1, "ada", start)
	wakeUp = wakeUps[0]
	if got, swept := d.sweepAt(at); len(got) != 0 || swept != (submission.Swept{}) {
		t.Errorf("got %v, %+v; want nothing", got, swept)
	}
}

func TestABrokenItemKeepsNoOtherFromTheSweep(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	_, wakeUps := d.acceptInShard(101, "ada", start.Add(-time.Minute))
	// An unreadable item cannot be ended, but blocks no other. It is the first of its shard.
	d.corruptInFlight(wakeUps[0], start.Add(-time.Hour))
	got, swept, err := sweepWakeUps(d.Store, start.Add(settings.Resend))
	if err == nil {
		t.Error("a broken item must be told")
	}
	if len(got) != 100 || swept.Resent != 100 || slices.Contains(got, wakeUps[0]) {
		t.Errorf("got %d wake-up messages, %+v; want the other 100", len(got), swept)
	}
}

// corruptLive gives an in-flight item a payload that is none, and makes it time out at once.
func (d *testStore) corruptInFlight(wakeUp string, deadline time.Time) {
	d.t.Helper()
	id, _ := d.inFlightAttributes(wakeUp)["pk"].(string)
	must(d.t, d.table.Update("pk", id).Range("sk", "L").
		Set("payload", []byte("{")).Set("deadline", deadline.UnixMilli()).Set("due", deadline.UnixMilli()).Run(context.Background()))
}
