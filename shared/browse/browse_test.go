package browse_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/browse"
	"github.com/recruiting-marketplace/external-api/shared/catalog"
	"github.com/recruiting-marketplace/external-api/shared/cloud/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/entity"
	"github.com/recruiting-marketplace/external-api/shared/role"
	"github.com/recruiting-marketplace/external-api/shared/snapshot"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

var noon = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// bed is a catalogue's tables, with a clock that the test moves.
type bed struct {
	t         *testing.T
	db        *dynamo.DB
	roles     *role.Store
	snapshots *snapshot.Store
	now       time.Time
	marks     int
}

func newBed(t *testing.T) *bed {
	t.Helper()
	h := cloudtest.System(t, nil, func() time.Time { return noon })
	table, err := h.Table(topology.Marketplace)
	must(t, err)
	bucket, err := h.Bucket(topology.MarketplaceBucket)
	must(t, err)
	b := &bed{t: t, db: dynamo.New(h.AWS), now: noon}
	b.snapshots = snapshot.NewStore(table, bucket, browse.Name)
	b.roles = role.NewStore(entity.NewStore(table, b.db.WriteTx), bucket).Marking(b.mark)
	return b
}

func (b *bed) mark(id string) entity.Action {
	b.marks++
	return b.snapshots.Mark(b.now, id, fmt.Sprint(b.marks))
}

func (b *bed) reader() *browse.Catalogue { return browse.NewCatalogue(b.roles, b.snapshots) }

func (b *bed) put(id string, version int64, title, status string) {
	b.t.Helper()
	must(b.t, b.roles.Put(b.t.Context(), id, entity.Stamp{Version: version, At: b.now}, role.Role{Card: role.Card{
		Title: title, CompanyID: "co", Status: status, Visibility: "PUBLIC", UpdatedAt: contract.At(b.now), BrowseURL: "https://app.example.com/" + id,
	}}))
}

// seen is what a reader finds by words.
func (b *bed) seen(c *browse.Catalogue, text string) []string {
	b.t.Helper()
	state, err := c.Now(b.t.Context(), b.now)
	must(b.t, err)
	found := []string{}
	for _, row := range state.Search(catalog.Query{Text: text, Limit: 1000}).Rows {
		found = append(found, row.ID)
	}
	slices.Sort(found)
	return found
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Whatever is written, deleted, published and rebuilt in whatever order, a reader
// who has been there all the time, one who comes now and the roles themselves agree.
func TestReadersAgree(t *testing.T) {
	t.Parallel()
	b, r := newBed(t), rand.New(rand.NewPCG(3, 4))
	readers := []*browse.Catalogue{b.reader(), b.reader(), b.reader()}
	words := []string{"carpenter", "plumber", "gardener"}
	title, version := map[string]string{}, int64(0)
	for step := range 250 {
		version++
		id := fmt.Sprintf("role%02d", r.IntN(25))
		switch r.IntN(12) {
		case 0:
			must(t, b.roles.Delete(t.Context(), id, entity.Stamp{Version: version, At: b.now}))
			delete(title, id)
		case 1:
			_, err := readers[2].Publish(t.Context(), b.now, fmt.Sprint("p", step))
			must(t, err)
		case 2:
			_, err := readers[1].Rebuild(t.Context(), b.now, fmt.Sprint("r", step))
			must(t, err)
		case 3:
			b.now = b.now.Add(time.Duration(r.IntN(100)) * time.Minute)
		default:
			title[id] = words[r.IntN(len(words))]
			b.put(id, version, title[id], "ACTIVE")
		}
		b.now = b.now.Add(time.Duration(r.IntN(20_000)) * time.Millisecond)
		if step%5 != 0 {
			continue
		}
		word := words[r.IntN(len(words))]
		want := []string{}
		for id, has := range title {
			if has == word {
				want = append(want, id)
			}
		}
		slices.Sort(want)
		for i, c := range append(readers[:1+r.IntN(3):3], b.reader()) {
			if diff := cmp.Diff(want, b.seen(c, word)); diff != "" {
				t.Fatalf("step %d, reader %d, %s (-want +got):\n%s", step, i, word, diff)
			}
		}
	}
}

// A change that is committed long after it was noted is still found by a reader
// who asked in between, and so it is in the next generation.
func TestLateChanges(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	reader, publisher := b.reader(), b.reader()
	b.put("early", 1, "carpenter", "ACTIVE")
	noted := b.mark("late")
	b.now = b.now.Add(snapshot.MaxAge - time.Second)
	b.seen(reader, "carpenter")
	_, err := publisher.Publish(t.Context(), b.now, "1")
	must(t, err)
	// The role comes by a store that notes nothing; the note follows by itself.
	marked := b.roles
	b.roles = marked.Marking(nil)
	b.put("late", 1, "carpenter", "ACTIVE")
	b.roles = marked
	tx := b.db.WriteTx()
	noted(tx)
	must(t, tx.Run(t.Context()))
	want := []string{"early", "late"}
	for name, c := range map[string]*browse.Catalogue{"a reader": reader, "the publisher": publisher, "a new one": b.reader()} {
		if diff := cmp.Diff(want, b.seen(c, "carpenter")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// Of publishers at one time one wins, and all read on.
func TestPublishersAtOneTime(t *testing.T) {
	t.Parallel()
	b := newBed(t)
	all := []*browse.Catalogue{b.reader(), b.reader(), b.reader(), b.reader()}
	for round := range 5 {
		b.put(fmt.Sprint("role", round), 1, "carpenter", "ACTIVE")
		b.now = b.now.Add(10 * time.Second)
		published := make([]bool, len(all))
		errs := make([]error, len(all))
		var running sync.WaitGroup
		for i, c := range all {
			running.Go(func() {
				published[i], errs[i] = c.Publish(context.WithoutCancel(t.Context()), b.now, fmt.Sprint(round, "-", i))
			})
		}
		running.Wait()
		if !slices.Contains(published, true) || slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
			t.Fatalf("round %d: %v, %v; want somebody to publish and nobody to fail", round, published, errs)
		}
		for i, c := range append(all, b.reader()) {
			if got := b.seen(c, "carpenter"); len(got) != round+1 {
				t.Errorf("round %d: %d sees %q", round, i, got)
			}
		}
	}
}
