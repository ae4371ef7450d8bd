package catalogue_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

var noon = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// testCatalogue is a catalogue's tables, with a clock that the test moves.
type testCatalogue struct {
	t         *testing.T
	host      cloud.Host
	db        *dynamo.DB
	roles     *role.Store
	snapshots *snapshot.Store
	now       time.Time
	random    *rand.ChaCha8
	marks     int
	// longestStep is the longest time between two changes of compareReaders, which compares after
	// every compareEvery of them.
	longestStep  time.Duration
	compareEvery int
}

func newTestCatalogue(t *testing.T) *testCatalogue { return newTestCatalogueWith(t, nil) }

// newTestCatalogueWith is newTestCatalogue with settings.
func newTestCatalogueWith(t *testing.T, env map[string]string) *testCatalogue {
	t.Helper()
	h := cloudtest.System(t, env, func() time.Time { return noon })
	b := &testCatalogue{
		t: t, host: h, db: dynamo.New(h.AWS), now: noon, random: rand.NewChaCha8([32]byte{}), longestStep: 20 * time.Second, compareEvery: 5,
	}
	b.roles, b.snapshots = openStores(t, h)
	b.roles = b.roles.WithChangeLog(catalogue.NewChangeLog(b.snapshots, b.clock, h.NewID))
	return b
}

func openStores(t *testing.T, h cloud.Host) (*role.Store, *snapshot.Store) {
	t.Helper()
	o := h.Opener()
	entities := entity.Open(o)
	bucket := objectstore.Open(o, topology.MarketplaceBucket)
	snapshots := snapshot.Open(o, catalogue.SnapshotName)
	must(t, o.Err())
	return role.NewStore(entities, bucket), snapshots
}

func (b *testCatalogue) mark(id string) entity.Action {
	b.marks++
	return b.snapshots.LogChange(b.now, snapshot.Change{ID: id}, fmt.Sprint(b.marks))
}

func (b *testCatalogue) clock() time.Time { return b.now }

func (b *testCatalogue) newReader() *catalogue.Catalogue { return catalogue.New(b.roles, b.snapshots) }

func (b *testCatalogue) putRole(id string, version int64, title string, visibility contract.RoleVisibility) {
	b.t.Helper()
	must(b.t, b.roles.Put(b.t.Context(), id, entity.Stamp{Version: version, At: b.now}, role.Role{Listing: role.Listing{
		Title: title, CompanyID: "co", Status: "ACTIVE", Visibility: visibility, UpdatedAt: contract.At(b.now), BrowseURL: "https://app.example.com/" + id,
	}}))
}

// putUnlogged stores a public role without a log entry, as a bulk load does.
func (b *testCatalogue) putUnlogged(id string, version int64, title string) {
	b.t.Helper()
	logged := b.roles
	b.roles = logged.WithChangeLog(nil)
	b.putRole(id, version, title, "PUBLIC")
	b.roles = logged
}

func (b *testCatalogue) commit(action entity.Action) {
	b.t.Helper()
	tx := b.db.WriteTx()
	action(tx)
	must(b.t, tx.Run(b.t.Context()))
}

// searchIDs is what a reader finds by words who is approved on these roles.
func (b *testCatalogue) searchIDs(c catalogue.Source, text string, approved ...string) []string {
	b.t.Helper()
	return b.searchState(b.current(c), text, approved...)
}

// current returns what a reader holds after it has read what has changed.
func (b *testCatalogue) current(c catalogue.Source) catalogue.Roles {
	b.t.Helper()
	state, err := c.Current(b.t.Context(), b.now)
	must(b.t, err)
	return state
}

// searchState is what is found in a state by words.
func (b *testCatalogue) searchState(state catalogue.Roles, text string, approved ...string) []string {
	b.t.Helper()
	found := []string{}
	page, err := state.Search(b.t.Context(), roleindex.Query{Text: text, Limit: 1000}, approved)
	must(b.t, err)
	for _, row := range page.Rows {
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

// After any writes, deletions, publications and rebuilds in any order, a reader
// who has been there all the time, one who comes now and the roles themselves agree;
// and a stealth role's company is found by those alone who are approved on the role.
func TestReadersAgree(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	first := b.newReader()
	second := b.newReader()
	third := b.newReader()
	second.SetMaxChanges(3)
	third.SetMaxChanges(1)
	b.compareReaders(250, []catalogue.Source{first, second, third}, func() catalogue.Source { return b.newReader() },
		func(nonce string) error { _, err := third.Publish(t.Context(), b.clock, nonce); return err },
		func(nonce string) error { _, err := second.Rebuild(t.Context(), b.clock, nonce); return err })
}

// compareReaders changes roles, publishes and rebuilds at random, and compares what readers find.
func (b *testCatalogue) compareReaders(steps int, readers []catalogue.Source, newReader func() catalogue.Source, publish, rebuild func(nonce string) error) {
	t := b.t
	r := rand.New(rand.NewPCG(3, 4))
	t.Helper()
	words := []string{"carpenter", "plumber", "gardener"}
	must(t, b.roles.PutCompany(t.Context(), "co", entity.Stamp{Version: 1, At: b.now}, &role.Company{CompanyFacts: role.CompanyFacts{Name: "Velvet Anchor"}}))
	title := map[string]string{}
	stealth := map[string]bool{}
	version := int64(0)
	late := &lateWriter{b: b, unsure: map[string]time.Time{}, commit: func(id, word string) {
		version++
		title[id] = word
		stealth[id] = false
		b.putUnlogged(id, version, word)
	}}
	approved := []string{"role01", "role03", "role05", "role07", "role99"}
	for step := range steps {
		version++
		id := fmt.Sprintf("role%02d", r.IntN(25))
		switch r.IntN(12) {
		case 0:
			must(t, b.roles.Delete(t.Context(), id, entity.Stamp{Version: version, At: b.now}))
			delete(title, id)
		case 1:
			must(t, publish(fmt.Sprint("p", step)))
		case 2:
			must(t, rebuild(fmt.Sprint("r", step)))
		case 3:
			late.moveClock(time.Duration(r.IntN(100)) * time.Minute)
		case 4:
			late.hold(id, words[r.IntN(len(words))], time.Duration(r.Int64N(int64(entity.CommitBound))))
		default:
			title[id] = words[r.IntN(len(words))]
			stealth[id] = r.IntN(2) == 0
			b.putRole(id, version, title[id], map[bool]contract.RoleVisibility{true: contract.RoleVisibilityStealth, false: contract.RoleVisibilityPublic}[stealth[id]])
		}
		late.moveClock(time.Duration(r.Int64N(b.longestStep.Milliseconds())) * time.Millisecond)
		if step%b.compareEvery != 0 {
			continue
		}
		word := words[r.IntN(len(words))]
		want := [3][]string{{}, {}, {}} // by the word, by the company for a stranger, by the company for one who is approved
		for _, id := range slices.Sorted(maps.Keys(title)) {
			for i, found := range []bool{title[id] == word, !stealth[id], !stealth[id] || slices.Contains(approved, id)} {
				if found && late.isSure(id) {
					want[i] = append(want[i], id)
				}
			}
		}
		for i, c := range append(readers[:1+r.IntN(3):3], newReader()) {
			is := b.current(c)
			got := [3][]string{b.searchState(is, word, approved...), b.searchState(is, "velvet"), b.searchState(is, "velvt anchr", approved...)}
			for n := range got {
				got[n] = slices.DeleteFunc(got[n], func(id string) bool { return !late.isSure(id) })
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("step %d, reader %d, %s (-want +got):\n%s", step, i, word, diff)
			}
		}
	}
}

// lateWriter holds one transaction of a role at a time. It commits the transaction long after the
// log entry was made, but within entity.CommitBound.
type lateWriter struct {
	b      *testCatalogue
	commit func(id, word string)
	// release commits the held transaction at the time due; it is nil if none is held.
	release func()
	due     time.Time
	// unsure holds the roles that a reader may still show in their previous state, and until when.
	unsure map[string]time.Time
}

func (w *lateWriter) hold(id, word string, late time.Duration) {
	if w.release != nil {
		return
	}
	made := w.b.now
	entry := w.b.mark(id)
	w.due = made.Add(late)
	w.release = func() {
		w.commit(id, word)
		w.b.commit(entry)
		if late > entity.PromptCommit {
			w.unsure[id] = made.Add(entity.RereadWindow + snapshot.CompleteEvery)
		}
	}
}

// moveClock moves the clock and commits the held transaction when it is due.
func (w *lateWriter) moveClock(d time.Duration) {
	to := w.b.now.Add(d)
	if w.release != nil && !w.due.After(to) {
		w.b.now = w.due
		w.release()
		w.release = nil
	}
	w.b.now = to
}

func (w *lateWriter) isSure(id string) bool { return w.b.now.After(w.unsure[id]) }

// A bulk load writes no log entries. Once its roles are published, they are nevertheless in the
// very next list, even for readers that never pause long enough to start again from a base, and
// however long the publication takes.
func TestRebuildReachesWarmReaders(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	must(t, b.roles.PutCompany(t.Context(), "co", entity.Stamp{Version: 1, At: b.now}, &role.Company{}))
	b.putRole("noted", 1, "carpenter", "PUBLIC")
	warm := b.newReader()
	for _, id := range []string{"first", "second"} {
		if found := b.searchIDs(warm, "carpenter"); slices.Contains(found, id) {
			t.Fatalf("%s is found before it is loaded", id)
		}
		b.putUnlogged(id, 1, "carpenter")
		slow := func() time.Time { b.now = b.now.Add(10 * time.Minute); b.searchIDs(warm, "x"); return b.now }
		_, err := b.newReader().Rebuild(t.Context(), slow, id)
		must(t, err)
		b.now = b.now.Add(time.Second)
		if found := b.searchIDs(warm, "carpenter"); !slices.Contains(found, id) {
			t.Errorf("after the load of %s a warm reader finds %v", id, found)
		}
	}
}

// When a reader that holds changes loads a newer base, the roles from a bulk load replace those
// changes, even if others have published since.
func TestRebuildReplacesKeptChanges(t *testing.T) {
	t.Parallel()
	for _, published := range []bool{false, true} {
		b := newTestCatalogue(t)
		warm := b.newReader()
		warm.SetMaxChanges(1)
		b.putRole("first", 1, "carpenter", "PUBLIC")
		b.searchIDs(warm, "carpenter")
		b.putRole("second", 1, "carpenter", "PUBLIC")
		b.searchIDs(warm, "carpenter")
		b.putUnlogged("second", 2, "plumber")
		_, err := b.newReader().Rebuild(t.Context(), b.clock, "rebuild")
		must(t, err)
		if published {
			b.putRole("third", 1, "carpenter", "PUBLIC")
			_, err := b.newReader().Publish(t.Context(), b.clock, "publish")
			must(t, err)
		}
		if found := b.searchIDs(warm, "plumber"); !slices.Equal(found, []string{"second"}) {
			t.Errorf("published since: %t: found %v", published, found)
		}
	}
}

// A rebuild of all roles is published even if it takes longer than others take to publish the
// changes made during it. What they published before it is not lost.
func TestRebuildAmongPublications(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putRole("first", 1, "carpenter", "PUBLIC")
	b.putUnlogged("loaded", 1, "carpenter")
	warm := b.newReader()
	small := b.newReader()
	published := 0
	b.searchIDs(warm, "carpenter")
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "PutObject" {
			b.now = b.now.Add(time.Minute)
			b.putRole(fmt.Sprint("meanwhile", published), 1, "carpenter", "PUBLIC")
			done, err := small.Publish(t.Context(), b.clock, fmt.Sprint("small", published))
			published++
			if !done || err != nil {
				t.Errorf("publication %d: %v, %v", published, done, err)
			}
		}
		return send()
	})
	roles, snapshots := openStores(t, h)
	_, err := catalogue.New(roles, snapshots).Rebuild(t.Context(), b.clock, "rebuild")
	must(t, err)
	want := []string{"first", "loaded"}
	for n := range published {
		want = append(want, fmt.Sprint("meanwhile", n))
	}
	for name, c := range map[string]*catalogue.Catalogue{"a warm reader": warm, "a new one": b.newReader()} {
		if diff := cmp.Diff(want, b.searchIDs(c, "carpenter")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A publisher that dies at any of its writes leaves a bulk load that no reader finds, or one that
// every reader finds within a minute, the warm ones too. The next publication mends the former.
func TestRebuildDies(t *testing.T) {
	t.Parallel()
	const writes = 5 // draft, disposal, file, draft with the file, and one transaction for the head and its announcement
	for died := range writes + 1 {
		t.Run(fmt.Sprint(died, " writes before"), func(t *testing.T) {
			t.Parallel()
			b := newTestCatalogue(t)
			for _, id := range []string{"first", "second"} {
				b.putRole(id, 1, "carpenter", "PUBLIC")
				b.now = b.now.Add(time.Minute)
				_, err := b.newReader().Publish(t.Context(), b.clock, id)
				must(t, err)
			}
			warm := b.newReader()
			b.searchIDs(warm, "carpenter")
			b.putUnlogged("loaded", 1, "carpenter")
			err := b.rebuildAndDie(died)
			if (err == nil) != (died == writes) {
				t.Fatalf("the rebuild ended with %v", err)
			}
			b.now = b.now.Add(topology.Publisher.Every)
			found := b.searchIDs(b.newReader(), "carpenter")
			if diff := cmp.Diff(found, b.searchIDs(warm, "carpenter")); diff != "" {
				t.Errorf("a warm reader (-new one +warm one):\n%s", diff)
			}
			if published := died == writes; slices.Contains(found, "loaded") != published {
				t.Errorf("found %v; want it published: %v", found, published)
			}
			_, err = b.newReader().Rebuild(t.Context(), b.clock, "again")
			must(t, err)
			if found := b.searchIDs(warm, "carpenter"); len(found) != 3 {
				t.Errorf("after another rebuild a warm reader finds %v", found)
			}
		})
	}
}

// rebuildAndDie rebuilds in a process whose calls all fail after so many writes.
func (b *testCatalogue) rebuildAndDie(writes int) error {
	b.t.Helper()
	h := b.host
	done := 0
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "PutObject" || call.Operation == "TransactWriteItems" {
			done++
			if done > writes {
				return errors.New("the process died")
			}
		}
		return send()
	})
	_, err := catalogue.New(openStores(b.t, h)).Rebuild(b.t.Context(), b.clock, "dies")
	return err
}

// A reader that read the log between the entry and the commit of a change still finds the change:
// in the next list if it was committed within entity.PromptCommit, and otherwise within a few
// minutes. A publisher and a new reader find both kinds at once, so they are in the next
// generation.
func TestLateChanges(t *testing.T) {
	t.Parallel()
	for late, wait := range map[time.Duration]time.Duration{
		entity.PromptCommit: 0, entity.CommitBound - time.Second: entity.RereadWindow - entity.CommitBound + snapshot.CompleteEvery + time.Second,
	} {
		b := newTestCatalogue(t)
		reader := b.newReader()
		publisher := b.newReader()
		b.putRole("early", 1, "carpenter", "PUBLIC")
		noted := b.mark("late")
		b.now = b.now.Add(late)
		b.searchIDs(reader, "carpenter")
		_, err := publisher.Publish(t.Context(), b.clock, "1")
		must(t, err)
		b.putUnlogged("late", 1, "carpenter")
		b.commit(noted)
		want := []string{"early", "late"}
		for name, c := range map[string]*catalogue.Catalogue{"the publisher": publisher, "a new one": b.newReader()} {
			_, err := c.Publish(t.Context(), b.clock, name)
			must(t, err)
			if diff := cmp.Diff(want, b.searchIDs(c, "carpenter")); diff != "" {
				t.Errorf("%v late, %s (-want +got):\n%s", late, name, diff)
			}
		}
		for end := b.now.Add(wait); b.now.Before(end); b.now = b.now.Add(time.Second) {
			b.searchIDs(reader, "carpenter")
		}
		if diff := cmp.Diff(want, b.searchIDs(reader, "carpenter")); diff != "" {
			t.Errorf("%v late, a reader (-want +got):\n%s", late, diff)
		}
	}
}

// Of publishers at one time one wins, and all read on.
func TestPublishersAtOneTime(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	all := []*catalogue.Catalogue{b.newReader(), b.newReader(), b.newReader(), b.newReader()}
	for round := range 5 {
		b.putRole(fmt.Sprint("role", round), 1, "carpenter", "PUBLIC")
		b.now = b.now.Add(10 * time.Second)
		published := make([]bool, len(all))
		errs := make([]error, len(all))
		var running sync.WaitGroup
		for i, c := range all {
			running.Go(func() {
				published[i], errs[i] = c.Publish(context.WithoutCancel(t.Context()), b.clock, fmt.Sprint(round, "-", i))
			})
		}
		running.Wait()
		if !slices.Contains(published, true) || slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
			t.Fatalf("round %d: %v, %v; want one to publish and none to fail", round, published, errs)
		}
		for i, c := range append(all, b.newReader()) {
			if got := b.searchIDs(c, "carpenter"); len(got) != round+1 {
				t.Errorf("round %d: %d sees %q", round, i, got)
			}
		}
	}
}

// A generation that cannot be read, because an earlier version wrote it or it is
// damaged, is made anew of the roles by the next publication.
func TestBrokenGeneration(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putRole("r1", 1, "carpenter", "PUBLIC")
	whole := catalogue.BuildFiles([]roleindex.Doc{{ID: "r1", Name: "carpenter"}}, 1)[0]
	for name, file := range map[string][]byte{
		"empty": {}, "another version's": []byte("RoleIdx1 and so on"), "cut": whole[:len(whole)/2], "an index alone": roleindex.Build(nil),
	} {
		bases, err := b.snapshots.Bases(t.Context())
		must(t, err)
		head := bases.Head(catalogue.Format)
		key, err := b.snapshots.PutFile(t.Context(), head.Format, "broken "+name, 0, file)
		must(t, err)
		_, err = b.snapshots.Publish(t.Context(), head, []string{key}, b.now)
		must(t, err)
		b.now = b.now.Add(time.Hour)
		if _, err := b.newReader().Current(t.Context(), b.now); !errors.Is(err, roleindex.ErrBroken) {
			t.Errorf("%s: %v; want that it is broken", name, err)
		}
		if published, err := b.newReader().Publish(t.Context(), b.clock, "healed "+name); !published || err != nil {
			t.Errorf("%s: published %v, %v", name, published, err)
		}
		if diff := cmp.Diff([]string{"r1"}, b.searchIDs(b.newReader(), "carpenter")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// FuzzOpen reads anything as a generation: it is one or it is broken.
func FuzzOpen(f *testing.F) {
	f.Add(catalogue.BuildFiles([]roleindex.Doc{{ID: "r1", Name: "carpenter"}}, 1)[0])
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255, 0})
	f.Fuzz(func(t *testing.T, file []byte) {
		if view, err := catalogue.OpenFiles(file); err == nil {
			view.Search(roleindex.Query{Text: "carpenter"})
		} else if !errors.Is(err, roleindex.ErrBroken) {
			t.Error(err)
		}
	})
}
