package snapshot_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
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
	s := snapshot.Open(o, "thing")
	objects := entity.Open(o).Objects(objectstore.Open(o, topology.MarketplaceBucket))
	if err := o.Err(); err != nil {
		t.Fatal(err)
	}
	return testStore{s, t, dynamo.New(h.AWS), objects}
}

func (d testStore) commitMark(at time.Time, id, nonce string) {
	d.t.Helper()
	d.commit(d.LogChange(at, snapshot.Change{ID: id}, nonce))
}

func (d testStore) commit(entry entity.Action) {
	d.t.Helper()
	tx := d.db.WriteTx()
	entry(tx)
	if err := tx.Run(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
}

func (d testStore) changedIDs(at time.Time) string {
	d.t.Helper()
	changes, err := d.ChangesSince(d.t.Context(), at, noon)
	if err != nil {
		d.t.Fatal(err)
	}
	ids := []string{}
	for _, c := range changes {
		ids = append(ids, c.ID)
	}
	return fmt.Sprint(ids)
}

// A reader that reads the log every second finds an entry committed within entity.PromptCommit in
// the next read. It finds a later one when it reads the part of the log to which no transaction can
// add any more. It also finds the one entry of members that changed together, and entries on both
// sides of midnight.
func TestChangesAfter(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	begun := noon.Add(12*time.Hour - 30*time.Second)
	p := snapshot.Position{Complete: begun, Latest: begun}
	found := map[string]time.Duration{}
	late := map[time.Duration]time.Duration{ // from the entry to its commit
		0: time.Second, 10 * time.Second: entity.PromptCommit, 20 * time.Second: entity.CommitBound, 40 * time.Second: entity.PromptCommit,
	}
	group := snapshot.Group{Name: "many", First: "a", Last: "m"}
	for at := time.Second; at < 4*time.Minute; at += time.Second {
		for made, wait := range late {
			if made+wait == at {
				d.commitMark(begun.Add(made), fmt.Sprint(made), "1")
			}
		}
		if at == 50*time.Second {
			d.commit(d.LogChange(begun.Add(at), snapshot.Change{Group: group}, "2"))
		}
		changes, next, err := d.ChangesAfter(t.Context(), p, begun.Add(at), false)
		if err != nil {
			t.Fatal(err)
		}
		p = next
		for _, c := range changes {
			if name := c.ID + c.Group.Name; found[name] == 0 {
				found[name] = at
			}
			if c.Group.Name != "" && c.Group != group {
				t.Errorf("the group is %+v", c.Group)
			}
		}
	}
	want := map[string]time.Duration{"0s": time.Second, "10s": 13 * time.Second, "20s": 2 * time.Minute, "40s": 43 * time.Second, "many": 50 * time.Second}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("found after (-want +got):\n%s", diff)
	}
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
	d.publishDraft(d.begin(snapshot.Draft{Format: format}, "draft", 1, noon), func() time.Time { return noon.Add(time.Second) })
	for at, want := range map[time.Time]string{
		{}: "[old late twice twice ]", noon: "[late twice twice ]", noon.Add(entity.RereadWindow): "[twice twice ]",
		noon.Add(entity.RereadWindow + 2*time.Second): "[]",
	} {
		if got := d.changedIDs(at); got != want {
			t.Errorf("since %v: got %s; want %s", at, got, want)
		}
	}
}

const format = 7

func (d testStore) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d testStore) bases() snapshot.Bases {
	d.t.Helper()
	b, err := d.Bases(d.t.Context())
	d.must(err)
	return b
}

func (d testStore) putFile(nonce string, content ...byte) string {
	d.t.Helper()
	key, err := d.PutFile(d.t.Context(), format, nonce, 0, content)
	d.must(err)
	return key
}

// begin begins a draft and adds all of its files.
func (d testStore) begin(was snapshot.Draft, nonce string, files int, now time.Time) snapshot.Draft {
	d.t.Helper()
	draft, err := d.Begin(d.t.Context(), was, nonce, files, now)
	d.must(err)
	for i := range files {
		draft, err = d.AddFile(d.t.Context(), draft, i, []byte(nonce), now.Add(time.Duration(i+1)*time.Second), nonce)
		d.must(err)
	}
	return draft
}

func (d testStore) publishDraft(draft snapshot.Draft, now func() time.Time) snapshot.Head {
	d.t.Helper()
	head, err := d.PublishDraft(d.t.Context(), draft, now, "published-"+draft.Nonce)
	d.must(err)
	return head
}

// sweep runs the sweeper, which removes what is due at the given time.
func (d testStore) sweep(at time.Time) {
	d.t.Helper()
	_, err := d.objects.NewSweep(at)(d.t.Context(), func() bool { return true })
	d.must(err)
}

// requireFiles checks which of the files exist.
func (d testStore) requireFiles(when string, want map[string]bool) {
	d.t.Helper()
	for key, there := range want {
		if _, err := d.File(d.t.Context(), key); (err == nil) != there {
			d.t.Errorf("%s: the file %s: got %v; want it there: %v", when, key, err, there)
		}
	}
}

// Of two publications from one head, the second one fails with ErrSuperseded. The sweeper removes
// its file and the files of previous bases, which were kept for readers that were about to load
// them. A file that the next base also names is kept.
func TestPublish(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	ctx := t.Context()
	was := d.bases().Head(format)
	if diff := cmp.Diff(snapshot.Head{Format: format}, was); diff != "" {
		t.Fatalf("never published: %s", diff)
	}
	there := map[string]bool{}
	both := d.putFile("both", 9)
	there[both] = true
	var keys []string
	for n := range 3 {
		key := d.putFile(fmt.Sprint("p", n), byte(n))
		late := d.putFile(fmt.Sprint("late", n))
		is, err := d.Publish(ctx, was, []string{key, both}, noon.Add(time.Duration(n)*time.Minute))
		d.must(err)
		if _, err := d.Publish(ctx, was, []string{late}, noon); !errors.Is(err, snapshot.ErrSuperseded) {
			t.Errorf("a second publication from generation %d: got %v; want ErrSuperseded", was.Generation, err)
		}
		keys = append(keys, key, late)
		was = is
		there[key] = true
		there[late] = true
	}
	want := snapshot.Head{Format: format, Generation: 3, Files: []string{keys[4], both}, Until: noon.Add(2 * time.Minute).UnixMilli()}
	if diff := cmp.Diff(want, d.bases().Head(format)); diff != "" {
		t.Error(diff)
	}
	for _, at := range []time.Time{noon, noon.Add(9 * time.Minute), noon.Add(10 * time.Minute)} {
		d.requireFiles("before the sweep of "+at.String(), there)
		d.sweep(at)
	}
	d.sweep(noon.Add(11 * time.Minute))
	d.requireFiles("at last", map[string]bool{keys[0]: false, keys[1]: false, keys[2]: false, keys[3]: false, keys[4]: true, keys[5]: false, both: true})
}

// A draft is published whatever else was published since it was begun, and its generation is the
// newest of all formats. The files of an abandoned draft are removed; those of a draft in progress
// are kept, however long it takes.
func TestDraft(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	ctx := t.Context()
	other, err := d.Publish(ctx, snapshot.Head{Format: format + 1, Generation: 40}, []string{d.putFile("other")}, noon)
	d.must(err)
	given := d.begin(snapshot.Draft{Format: format}, "given-up", 2, noon)
	draft := d.begin(given, "draft", 2, noon)
	small, err := d.Publish(ctx, snapshot.Head{Format: format}, []string{d.putFile("small")}, noon)
	d.must(err)
	for at := noon; at.Before(noon.Add(time.Hour)); at = at.Add(10 * time.Minute) {
		d.sweep(at)
	}
	d.requireFiles("worked on", map[string]bool{given.Files[0]: false, given.Files[1]: false, draft.Files[0]: true, draft.Files[1]: true})
	head := d.publishDraft(draft, func() time.Time { return noon })
	want := snapshot.Head{Format: format, Generation: other.Generation + 1, Files: draft.Files, Until: noon.UnixMilli()}
	if diff := cmp.Diff(want, head); diff != "" {
		t.Error(diff)
	}
	if b := d.bases(); !cmp.Equal(b.Head(format), want) || !cmp.Equal(b.Head(format+1), other) || len(b.Drafts) > 0 {
		t.Errorf("got %+v", b)
	}
	for at := noon.Add(time.Hour); at.Before(noon.Add(2 * time.Hour)); at = at.Add(10 * time.Minute) {
		d.sweep(at)
	}
	d.requireFiles("published", map[string]bool{small.Files[0]: false, draft.Files[0]: true, draft.Files[1]: true})
}

// Of two processes that work on a draft, only the one that claimed it last continues; of two
// drafts, only the one that was begun last.
func TestDraftIsClaimed(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	ctx := t.Context()
	first := d.begin(snapshot.Draft{Format: format}, "first", 2, noon)
	second, err := d.Claim(ctx, d.bases().Draft(format), noon.Add(time.Hour))
	d.must(err)
	for name, err := range map[string]error{
		"a claim": func() error { _, err := d.Claim(ctx, first, noon); return err }(),
		"a file":  func() error { _, err := d.AddFile(ctx, first, 1, nil, noon, "late"); return err }(),
		"the end": func() error { _, err := d.PublishDraft(ctx, first, time.Now, "late"); return err }(),
		"another": func() error { _, err := d.Begin(ctx, first, "late", 1, noon); return err }(),
	} {
		if !errors.Is(err, snapshot.ErrSuperseded) {
			t.Errorf("%s of the process that has lost its claim: got %v; want ErrSuperseded", name, err)
		}
	}
	d.must(d.Leave(ctx, second))
	if left := d.bases().Draft(format); left.ClaimedAt != 0 || !cmp.Equal(left.Files, first.Files) {
		t.Errorf("left: got %+v", left)
	}
}

// The bases of other formats are kept while the log has all the changes since.
func TestRetire(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	ctx := t.Context()
	head, err := d.Publish(ctx, snapshot.Head{Format: format}, []string{d.putFile("old")}, noon)
	d.must(err)
	draft := d.begin(snapshot.Draft{Format: format}, "draft", 1, noon)
	own, err := d.Publish(ctx, snapshot.Head{Format: format + 1}, nil, noon)
	d.must(err)
	for i, after := range []time.Duration{snapshot.Retention, snapshot.Retention + time.Millisecond} {
		d.must(d.Retire(ctx, d.bases(), own.Format, noon.Add(after)))
		if b := d.bases(); len(b.Heads) != 2-i || len(b.Drafts) != 1-i {
			t.Errorf("after %v: got %+v", after, b)
		}
	}
	d.sweep(noon)
	d.sweep(noon.Add(time.Hour))
	d.requireFiles("retired", map[string]bool{head.Files[0]: false, draft.Files[0]: false})
}
