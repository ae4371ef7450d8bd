package catalogue_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// newPublisher returns a catalogue with the given maximum number of roles in a shard.
func (b *testCatalogue) newPublisher(rolesPerShard int) *catalogue.Catalogue {
	c := b.newReader()
	c.SetShardSize(rolesPerShard)
	return c
}

func (b *testCatalogue) head() snapshot.Head {
	b.t.Helper()
	bases, err := b.snapshots.Bases(b.t.Context())
	must(b.t, err)
	return bases.Head(catalogue.Format)
}

func (b *testCatalogue) publish(c *catalogue.Catalogue, nonce string) bool {
	b.t.Helper()
	published, err := c.Publish(b.t.Context(), b.clock, nonce)
	must(b.t, err)
	return published
}

// putCarpenters stores the roles with the numbers [from, to).
func (b *testCatalogue) putCarpenters(from, to int) {
	b.t.Helper()
	for i := from; i < to; i++ {
		b.putRole(fmt.Sprintf("role%02d", i), 1, "carpenter", "PUBLIC")
	}
	b.now = b.now.Add(time.Minute)
}

// Readers of several shards agree as readers of one file do, including readers that replace one
// shard at a time.
func TestReadersOfShardsAgree(t *testing.T) {
	t.Parallel()
	for _, maxChanges := range []int{2000, 4} {
		t.Run(fmt.Sprint("looking for a newer base after ", maxChanges), func(t *testing.T) {
			t.Parallel()
			b := newTestCatalogue(t)
			sharded := func() *catalogue.Catalogue { c := b.newPublisher(3); c.SetMaxChanges(maxChanges); return c }
			first := sharded()
			second := sharded()
			third := sharded()
			b.compareReaders(500, []catalogue.Source{first, second, third}, func() catalogue.Source { return b.newReader() },
				func(nonce string) error { _, err := third.Publish(t.Context(), b.clock, nonce); return err },
				func(nonce string) error { _, err := second.Rebuild(t.Context(), b.clock, nonce); return err })
			if files := len(b.head().Files); files < 4 {
				t.Errorf("there are %d shards", files)
			}
		})
	}
}

// A reader with many changes over its base loads the shards of a newer base one at a time and drops
// the changes that they contain. Changes made after a shard was published are still shown.
func TestManyChangesRefreshOneShard(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putCarpenters(0, 40)
	b.now = b.now.Add(time.Hour)
	publisher := b.newPublisher(10)
	_, err := publisher.Rebuild(t.Context(), b.clock, "1")
	must(t, err)
	read := 0
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "GetObject" {
			read++
		}
		return send()
	})
	reader := catalogue.New(openStores(t, h))
	for i := range 20 {
		b.putRole(fmt.Sprintf("role%02d", i), 2, "plumber", "PUBLIC")
	}
	b.searchIDs(reader, "plumber")
	for n := range 3 { // these publishers know nothing of one another and publish the same changes again
		b.publish(b.newPublisher(10), fmt.Sprint("again", n))
	}
	b.now = b.now.Add(4 * time.Minute)
	b.putCarpenters(40, 44)
	b.publish(publisher, "2")
	b.putRole("role00", 3, "gardener", "PUBLIC")
	b.searchIDs(reader, "gardener")
	reader.SetMaxChanges(1)
	loaded := read
	was := reader.CountChanges()
	for step := range 6 {
		b.now = b.now.Add(6 * time.Second)
		before := read
		if found := [2]int{len(b.searchIDs(reader, "plumber")), len(b.searchIDs(reader, "gardener"))}; found != [2]int{19, 1} {
			t.Errorf("step %d: %v roles are found; want 19 and 1", step, found)
		}
		if read > before+1 {
			t.Errorf("step %d: one list loaded %d shards", step, read-before)
		}
	}
	if is := reader.CountChanges(); loaded != 4 || read-loaded != 4 || is >= was {
		t.Errorf("%d shards were loaded, %d again; of %d changes %d are left", loaded, read-loaded, was, is)
	}
}

// A publication writes only the shards whose roles changed, and a reader loads only those again.
func TestOnlyChangedShardsAreWrittenAndRead(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putCarpenters(0, 40)
	b.now = b.now.Add(time.Hour)
	publisher := b.newPublisher(10)
	_, err := publisher.Rebuild(t.Context(), b.clock, "1")
	must(t, err)
	read := 0
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "GetObject" {
			read++
		}
		return send()
	})
	reader := catalogue.New(openStores(t, h))
	for step, want := range []int{4, 1} {
		was := b.head().Files
		b.now = b.now.Add(time.Hour)
		b.putRole("role07", int64(step+2), "plumber", "PUBLIC")
		if step > 0 && !b.publish(publisher, fmt.Sprint("p", step)) {
			t.Error("nothing is published")
		}
		changed := slices.DeleteFunc(b.head().Files, func(key string) bool { return slices.Contains(was, key) })
		read = 0
		if found := b.searchIDs(reader, "carpenter"); len(found) != 39 || len(changed) != step || read != want {
			t.Errorf("step %d: %d roles are found, %d shards written, %d read; want 39, %d and %d", step, len(found), len(changed), read, step, want)
		}
	}
}

// A generation with too many roles for its shards is divided into more shards.
func TestOutgrownShardsAreDivided(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	publisher := b.newPublisher(5)
	for n := range 10 {
		b.putCarpenters(8*n, 8*n+8)
		b.publish(publisher, fmt.Sprint("p", n))
		b.now = b.now.Add(time.Minute)
		b.publish(publisher, fmt.Sprint("q", n))
		if found := b.searchIDs(b.newReader(), "carpenter"); len(found) != 8*n+8 {
			t.Fatalf("%d of %d roles are found", len(found), 8*n+8)
		}
	}
	if files := len(b.head().Files); files < 8 || files > 16 {
		t.Errorf("80 roles are in %d shards", files)
	}
}

// If an invocation of the publisher stops during a rebuild, because its time is up or its process
// dies, the next one continues the rebuild.
func TestRebuildGoesOn(t *testing.T) {
	t.Parallel()
	for name, rebuild := range map[string]func(b *testCatalogue, nonce string) bool{
		"after its time": func(b *testCatalogue, nonce string) bool {
			slow := func() time.Time { b.now = b.now.Add(2 * time.Minute); return b.now }
			published, err := b.newPublisher(10).Publish(b.t.Context(), slow, nonce)
			must(b.t, err)
			return published
		},
		"after its death": func(b *testCatalogue, nonce string) bool {
			h := b.host
			files := 0
			h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
				if call.Operation == "PutObject" {
					files++
				}
				if files > 2 {
					return errors.New("the process died")
				}
				return send()
			})
			dying := catalogue.New(openStores(b.t, h))
			dying.SetShardSize(10)
			published, _ := dying.Publish(b.t.Context(), b.clock, nonce)
			return published
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestCatalogue(t)
			b.t = t
			b.putCarpenters(0, 40)
			for i := range 4 {
				b.putUnlogged(fmt.Sprint("loaded", i), 1, "carpenter")
			}
			b.breakGeneration()
			invocations := 1
			for ; !rebuild(b, fmt.Sprint(invocations)); invocations++ {
				if invocations == 20 {
					t.Fatal("it is never published")
				}
				b.now = b.now.Add(topology.Publisher.Timeout)
			}
			if found := b.searchIDs(b.newReader(), "carpenter"); len(found) != 44 || invocations < 2 {
				t.Errorf("after %d invocations %d roles are found; want 44", invocations, len(found))
			}
		})
	}
}

// breakGeneration publishes a generation whose file cannot be read.
func (b *testCatalogue) breakGeneration() {
	b.t.Helper()
	key, err := b.snapshots.PutFile(b.t.Context(), catalogue.Format, "broken", 0, []byte("broken"))
	must(b.t, err)
	_, err = b.snapshots.Publish(b.t.Context(), b.head(), []string{key}, b.now)
	must(b.t, err)
}

// If the process of a rebuild dies, the publisher completes the rebuild, and publishes changes
// until then.
func TestPublisherCompletesARebuild(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putCarpenters(0, 1)
	publisher := b.newReader()
	b.publish(publisher, "first")
	b.putUnlogged("loaded", 1, "carpenter")
	if err := b.rebuildAndDie(4); err == nil {
		t.Fatal("the rebuild ended well")
	}
	b.now = b.now.Add(time.Minute)
	b.putRole("meanwhile", 1, "carpenter", "PUBLIC")
	if !b.publish(publisher, "meanwhile") {
		t.Error("changes wait for the rebuild")
	}
	warm := b.newReader()
	if diff := cmp.Diff([]string{"meanwhile", "role00"}, b.searchIDs(warm, "carpenter")); diff != "" {
		t.Error(diff)
	}
	b.now = b.now.Add(topology.Publisher.Timeout)
	b.publish(publisher, "completed")
	for name, c := range map[string]*catalogue.Catalogue{"a warm reader": warm, "a new one": b.newReader()} {
		if diff := cmp.Diff([]string{"loaded", "meanwhile", "role00"}, b.searchIDs(c, "carpenter")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// While a deployment replaces one format by another, readers of the previous version keep their
// generation, and readers of the new version use it too until the publisher has published one in
// the new format.
func TestTwoFormats(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	newer := func() *catalogue.Catalogue { c := b.newPublisher(10); c.AddFormat(); return c }
	b.putCarpenters(0, 40)
	b.putUnlogged("loaded", 1, "carpenter")
	_, err := b.newReader().Rebuild(t.Context(), b.clock, "old")
	must(t, err)
	old := b.newReader()
	early := newer()
	want := 41
	compare := func(when string) {
		t.Helper()
		b.now = b.now.Add(time.Second)
		for name, c := range map[string]*catalogue.Catalogue{
			"a warm reader of the old format": old, "a warm one of both": early, "a new one of the old": b.newReader(), "a new one of both": newer(),
		} {
			if found := b.searchIDs(c, "carpenter"); len(found) != want {
				t.Errorf("%s, %s: %d roles are found; want %d", when, name, len(found), want)
			}
		}
	}
	compare("before the new format is published")
	later := newer()
	later.DropOldFormats()
	if _, err := later.Current(t.Context(), b.now); !errors.Is(err, roleindex.ErrBroken) {
		t.Errorf("a reader of the new format alone: %v; want that it reads nothing", err)
	}
	publisher := newer()
	if !b.publish(publisher, "new") {
		t.Error("the new format is not published")
	}
	if head := early.HeadFormat(); head != catalogue.Format {
		t.Errorf("a reader of both reads format %d", head)
	}
	compare("after it")
	if head := early.HeadFormat(); head != catalogue.Format+1 {
		t.Errorf("a reader of both still reads format %d", head)
	}
	b.putCarpenters(40, 50)
	want = 51
	b.publish(publisher, "changes")
	compare("after a change")
	b.now = b.now.Add(snapshot.Retention)
	b.publish(publisher, "last")
	if files := b.head().Files; len(files) > 0 {
		t.Errorf("after %v the old format still has %v", snapshot.Retention, files)
	}
}

// Files that Load has loaded before it fails are not loaded again.
func TestLoad(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putCarpenters(0, 40)
	_, err := b.newPublisher(10).Rebuild(t.Context(), b.clock, "1")
	must(t, err)
	loaded := 0
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "GetObject" {
			loaded++
			if loaded == 3 {
				return errors.New("the time is over")
			}
		}
		return send()
	})
	reader := catalogue.New(openStores(t, h))
	if err := reader.Load(t.Context()); err == nil {
		t.Error("loading did not fail")
	}
	if found := b.searchIDs(reader, "carpenter"); len(found) != 40 || loaded != 5 {
		t.Errorf("%d roles are found; %d files were asked for, want 5", len(found), loaded)
	}
}

// Progress grows to the number of all roles, over the shards.
func TestRebuildReportsItsProgress(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putCarpenters(0, 40)
	publisher := b.newPublisher(10)
	last := 0
	publisher.Progress = func(read, roles int) {
		if read <= last || read > roles || roles != 40 {
			t.Errorf("%d of %d roles were read, after %d", read, roles, last)
		}
		last = read
	}
	_, err := publisher.Rebuild(t.Context(), b.clock, "1")
	must(t, err)
	if last != 40 {
		t.Errorf("the last report is of %d roles, want 40", last)
	}
}
