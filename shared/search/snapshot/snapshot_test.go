package snapshot_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

var noon = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// testStore is the snapshot of a thing, and a database to write its members' marks in.
type testStore struct {
	*snapshot.Store
	t       *testing.T
	db      *dynamo.DB
	objects entity.Objects
}

func newTestStore(t *testing.T) testStore {
	t.Helper()
	h := cloudtest.System(t, nil, func() time.Time { return noon })
	o := h.Opener()
	s, objects := snapshot.Open(o, "thing"), entity.Open(o).Objects(o.Bucket(topology.MarketplaceBucket))
	if err := o.Err(); err != nil {
		t.Fatal(err)
	}
	return testStore{s, t, dynamo.New(h.AWS), objects}
}

func (d testStore) commitMark(at time.Time, id, nonce string) {
	d.t.Helper()
	tx := d.db.WriteTx()
	d.Mark(at, id, nonce)(tx)
	if err := tx.Run(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

func (d testStore) changedIDs(at time.Time) string {
	d.t.Helper()
	changes, err := d.ChangesSince(d.t.Context(), at)
	if err != nil {
		d.t.Fatal(err)
	}
	ids := []string{}
	for _, c := range changes {
		ids = append(ids, c.ID)
	}
	return fmt.Sprint(ids)
}

// A reader hears of everything from entity.RereadWindow before it last asked on, of a member as
// often as it changed, and of what was announced.
func TestLog(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.commitMark(noon.Add(-entity.RereadWindow-time.Millisecond), "old", "1")
	d.commitMark(noon.Add(-entity.RereadWindow), "late", "2")
	d.commitMark(noon, "twice", "3")
	d.commitMark(noon, "twice", "4")
	if _, err := d.Publish(t.Context(), snapshot.Head{}, nil, noon, "5", func() time.Time { return noon.Add(time.Second) }); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[time.Time]string{
		{}: "[old late twice twice ]", noon: "[late twice twice ]", noon.Add(entity.RereadWindow): "[twice twice ]",
		noon.Add(entity.RereadWindow + 2*time.Second): "[]",
	} {
		if got := d.changedIDs(at); got != want {
			t.Errorf("since %v: got %s; want %s", at, got, want)
		}
	}
}

// Of two who publish from one head, one is told that it came too late; and the sweeper
// removes its file and those of former bases, which were kept for readers on their way.
func TestPublish(t *testing.T) {
	t.Parallel()
	d, ctx := newTestStore(t), t.Context()
	if head, err := d.Head(ctx); head != (snapshot.Head{}) || err != nil {
		t.Fatalf("never published: got %+v, %v", head, err)
	}
	var heads []snapshot.Head
	was := snapshot.Head{}
	for n := range 3 {
		is, err := d.Publish(ctx, was, []byte{byte(n)}, noon.Add(time.Duration(n)*time.Minute), fmt.Sprint("p", n), nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Publish(ctx, was, []byte("late"), noon, "late", nil); !errors.Is(err, snapshot.ErrSuperseded) {
			t.Errorf("a second publication from generation %d: got %v; want ErrSuperseded", was.Generation, err)
		}
		heads, was = append(heads, is), is
	}
	if head, err := d.Head(ctx); err != nil || !cmp.Equal(head, heads[2]) || head.Until != noon.Add(2*time.Minute).UnixMilli() {
		t.Errorf("got %+v, %v; want %+v", head, err, heads[2])
	}
	for swept, at := range []time.Time{noon, noon.Add(9 * time.Minute), noon.Add(10 * time.Minute), noon.Add(11 * time.Minute)} {
		for n, h := range heads {
			file, err := d.Base(ctx, h)
			if gone := swept == 3 && n < 2; (err != nil) != gone || !gone && file[0] != byte(n) {
				t.Errorf("the base of generation %d after %d sweeps: got %v, %v", h.Generation, swept, file, err)
			}
		}
		if _, err := d.objects.NewSweep(at)(ctx, func() bool { return true }); err != nil {
			t.Error(err)
		}
	}
}
