package submission_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/submission"
)

func sweep(s *submission.Store, at time.Time) ([]string, submission.Swept, error) {
	var mu sync.Mutex
	var all []string
	swept, err := s.Due(context.Background(), at, func(_ context.Context, hints []string) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, hints...)
		return nil
	})
	return all, swept, err
}

func TestHintsAreSentAgainAfterDoubledWaits(t *testing.T) {
	t.Parallel()
	d := open(t)
	s, hint := d.one("ada", start)
	var sent []time.Duration
	for wait := time.Duration(0); wait < settings.Timeout; wait += 5 * time.Minute {
		got, swept := d.sweep(start.Add(wait))
		if len(got) == 0 {
			continue
		}
		if !slices.Equal(got, []string{hint}) || swept != (submission.Swept{Resent: 1}) {
			t.Fatalf("after %v: got %v, %+v", wait, got, swept)
		}
		sent = append(sent, wait)
	}
	want := []time.Duration{10 * time.Minute, 30 * time.Minute, 70 * time.Minute, 150 * time.Minute}
	if diff := cmp.Diff(want, sent); diff != "" {
		t.Errorf("sent after (-want +got):\n%s", diff)
	}
	d.is(s, start, contract.Queued, "")
}

func TestAnItemWhoseLeaseIsOverIsQueuedAgain(t *testing.T) {
	t.Parallel()
	d := open(t)
	s, hint := d.one("ada", start)
	d.claim(hint, start)
	if got, _ := d.sweep(start.Add(lease - time.Millisecond)); len(got) != 0 {
		t.Fatalf("during the lease: got %v", got)
	}
	d.is(s, start, contract.Processing, "")
	if got, _ := d.sweep(start.Add(lease)); !slices.Equal(got, []string{hint}) {
		t.Fatalf("after the lease: got %v, want its hint", got)
	}
	d.is(s, start, contract.Queued, "")
	if c := d.claim(hint, start.Add(lease)); c.Attempt != 2 {
		t.Errorf("got attempt %d, want 2", c.Attempt)
	}
}

func TestTheSweeperStoresWhatReadersAlreadySee(t *testing.T) {
	t.Parallel()
	d := open(t)
	queued, _ := d.one("ada", start)
	running, hint := d.one("bob", start)
	d.claim(hint, queued.Deadline.Add(-time.Second))
	if _, swept := d.sweep(queued.Deadline.Add(-time.Millisecond)); swept.Ended != 0 {
		t.Fatalf("before the deadline: got %+v", swept)
	}
	later := queued.Deadline.Add(time.Hour)
	for _, s := range []submission.Submission{queued, running} {
		d.is(s, queued.Deadline.Add(-time.Millisecond), map[bool]contract.ItemStatus{true: contract.Processing, false: contract.Queued}[s.ID == running.ID], "")
		d.is(s, queued.Deadline, contract.Failed, contract.IngestTimedOut)
	}
	before := append(d.items(queued.BatchID, later), d.items(running.BatchID, later)...)
	if _, swept := d.sweep(later); swept != (submission.Swept{Ended: 2}) {
		t.Errorf("got %+v, want two ended", swept)
	}
	after := append(d.items(queued.BatchID, later), d.items(running.BatchID, later)...)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("what readers see changed (-before +after):\n%s", diff)
	}
	d.is(queued, start, contract.Failed, contract.IngestTimedOut) // it is stored
	if !after[0].UpdatedAt.Equal(queued.Deadline) {
		t.Errorf("the last transition was at %v, want the deadline", after[0].UpdatedAt)
	}
}

func TestATimeOutShorterThanTheResend(t *testing.T) {
	t.Parallel()
	d := openWith(t, submission.Settings{Timeout: time.Second, Resend: time.Hour})
	s, _ := d.one("ada", start)
	if _, swept := d.sweep(s.Deadline); swept.Ended != 1 {
		t.Errorf("got %+v, want it ended at its deadline", swept)
	}
}

func TestTheSweeperEndsAnItemOutOfAttempts(t *testing.T) {
	t.Parallel()
	d := open(t)
	s, hint := d.one("ada", start)
	at := start
	for range submission.MaxAttempts {
		d.claim(hint, at)
		at = at.Add(lease)
	}
	if got, swept := d.sweep(at); len(got) != 0 || swept.Ended != 1 {
		t.Errorf("got %v, %+v; want it ended", got, swept)
	}
	d.is(s, at, contract.Failed, contract.InternalError)
}

func TestAHintThatCannotBeSentIsDueAgain(t *testing.T) {
	t.Parallel()
	d := open(t)
	_, hint := d.one("ada", start)
	at := start.Add(settings.Resend)
	_, err := d.Due(context.Background(), at, func(context.Context, []string) error { return errCut })
	if !errors.Is(err, errCut) {
		t.Errorf("got %v, want the cut", err)
	}
	if got, _ := d.sweep(at.Add(2 * settings.Resend)); !slices.Equal(got, []string{hint}) {
		t.Errorf("got %v, want the hint again", got)
	}
}

func TestManyPagesOfOneShard(t *testing.T) {
	t.Parallel()
	d := open(t)
	old, _ := d.sameShard(150, "old", start)
	fresh, hints := d.sameShard(150, "new", start.Add(2*time.Hour))
	at := start.Add(settings.Timeout)
	got, swept := d.sweep(at)
	if swept != (submission.Swept{Ended: 150, Resent: 150}) {
		t.Errorf("got %+v, want 150 each", swept)
	}
	slices.Sort(got)
	slices.Sort(hints)
	if diff := cmp.Diff(hints, got); diff != "" {
		t.Errorf("hints (-want +got):\n%s", diff)
	}
	d.is(old[149], start, contract.Failed, contract.IngestTimedOut)
	d.is(fresh[149], at, contract.Queued, "")
	if got, swept := d.sweep(at); len(got) != 0 || swept != (submission.Swept{}) {
		t.Errorf("the next sweep found %d again, %+v", len(got), swept)
	}
}

// sameShard accepts n candidates whose live items are in one shard.
func (d *desk) sameShard(n int, who string, at time.Time) (subs []submission.Submission, hints []string) {
	for len(subs) < n {
		b, all := d.batch(2000, who, at)
		all = slices.DeleteFunc(all, func(s submission.Submission) bool { return submission.ShardOf(s) != "S#03" })
		all = all[:min(100, len(all), n-len(subs))]
		for i := range all {
			all[i].Index, all[i].ID = i, submission.NewID(b.ID, i)
		}
		for _, o := range d.mustAccept(b, all) {
			hints = append(hints, o.Hint)
		}
		subs, who = append(subs, all...), who+"x"
	}
	return subs, hints
}

func TestSweepsAtOnceSendAHintOnce(t *testing.T) {
	t.Parallel()
	d := open(t)
	_, hints := d.accept(100, "ada", start)
	var mu sync.Mutex
	var got []string
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			found, _, err := sweep(d.Store, start.Add(settings.Resend))
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
	slices.Sort(hints)
	if diff := cmp.Diff(hints, got); diff != "" {
		t.Errorf("hints of all sweeps together (-want +got):\n%s", diff)
	}
}

func TestAStaleIndexSendsNothing(t *testing.T) {
	t.Parallel()
	at := start.Add(settings.Resend)
	var d *desk
	var hint string
	var once sync.Once
	behind := func(_ context.Context, call cloud.Call, send func() error) error {
		err := send()
		if call.Operation == "Query" { // a worker takes the item on behind the index's back
			once.Do(func() { d.claim(hint, at) })
		}
		return err
	}
	d = open(t, behind)
	_, hints := d.sameShard(1, "ada", start)
	hint = hints[0]
	// The first shard's query comes before that of the item.
	if got, swept := d.sweep(at); len(got) != 0 || swept != (submission.Swept{}) {
		t.Errorf("got %v, %+v; want nothing", got, swept)
	}
}

func TestABrokenItemKeepsNoOtherFromTheSweep(t *testing.T) {
	t.Parallel()
	d := open(t)
	_, hints := d.sameShard(101, "ada", start.Add(-time.Minute))
	// What cannot be read cannot be ended, but blocks nobody. It is the first of its shard.
	d.corrupt(hints[0], start.Add(-time.Hour))
	got, swept, err := sweep(d.Store, start.Add(settings.Resend))
	if err == nil {
		t.Error("a broken item must be told")
	}
	if len(got) != 100 || swept.Resent != 100 || slices.Contains(got, hints[0]) {
		t.Errorf("got %d hints, %+v; want the other 100", len(got), swept)
	}
}

// corrupt gives a live item a payload that is none, and makes it time out at once.
func (d *desk) corrupt(hint string, deadline time.Time) {
	d.t.Helper()
	id, _ := d.live(hint)["pk"].(string)
	must(d.t, d.table.Update("pk", id).Range("sk", "L").
		Set("payload", []byte("{")).Set("deadline", deadline.UnixMilli()).Set("due", deadline.UnixMilli()).Run(context.Background()))
}

func TestSweepWithLostAndDoubledCalls(t *testing.T) {
	t.Parallel()
	const write = "TransactWriteItems"
	for name, hook := range map[string]cloud.Hook{
		"an answer is lost":       cloudtest.Lose(write, 3, cloudtest.Lost{}), // two acceptances come first
		"another answer is lost":  cloudtest.Lose(write, 4, cloudtest.Lost{}),
		"all happens twice":       twice(write),
		"all is read twice":       twice("Query"),
		"an item's read is twice": twice("GetItem"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := open(t, hook)
			old, _ := d.one("ada", start)
			_, hint := d.one("bob", start.Add(time.Hour))
			got, swept := d.sweep(old.Deadline)
			if !slices.Equal(got, []string{hint}) || swept != (submission.Swept{Ended: 1, Resent: 1}) {
				t.Errorf("got %v, %+v; want one ended and one sent", got, swept)
			}
			d.is(old, start, contract.Failed, contract.IngestTimedOut)
		})
	}
}

func TestHintsTellNothingOfAPerson(t *testing.T) {
	t.Parallel()
	d := open(t)
	b, subs := d.batch(1, "ada", start)
	hint := d.mustAccept(b, subs)[0].Hint
	again, _ := d.sweep(start.Add(settings.Resend))
	for _, secret := range []string{subs[0].Name, subs[0].Email, "ada", "linkedin", agency, "mem_1"} {
		if strings.Contains(strings.ToLower(hint+again[0]), strings.ToLower(secret)) {
			t.Errorf("the hint %s tells %q", hint, secret)
		}
	}
}
