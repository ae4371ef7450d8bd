package catalogue_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// slowBucket is a bucket that accepts the reads of a process and answers none of them before it is released.
type slowBucket struct {
	slow    atomic.Bool
	entered chan struct{} // receives of every read
	release chan struct{} // closed by the test
	reads   atomic.Int64
	// err is returned by the reads when they are released, unless it is nil.
	err error
}

// newSlowReader returns a reader in a process whose bucket can be slow.
func (b *testCatalogue) newSlowReader() (*catalogue.Catalogue, *slowBucket) {
	b.t.Helper()
	slow := &slowBucket{entered: make(chan struct{}, 1000), release: make(chan struct{})}
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, func(ctx context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "GetObject" && slow.slow.Load() {
			slow.reads.Add(1)
			slow.entered <- struct{}{}
			select {
			case <-slow.release:
			case <-ctx.Done():
				return ctx.Err()
			}
			if slow.err != nil {
				return slow.err
			}
		}
		return send()
	})
	roles, _ := openStores(b.t, h)
	return catalogue.OpenEmbedded(h.Opener(), roles), slow
}

// listing is what a list of roles has found.
type listing struct {
	found []string
	err   error
}

// list lists the roles of a word in a goroutine, at a time.
func (b *testCatalogue) list(ctx context.Context, c catalogue.Source, word string) <-chan listing {
	now := b.now
	listed := make(chan listing, 1)
	go func() {
		state, err := c.Current(ctx, now)
		if err != nil {
			listed <- listing{nil, err}
			return
		}
		page, err := state.Search(ctx, roleindex.Query{Text: word, Limit: 100}, nil)
		found := []string{}
		for _, row := range page.Rows {
			found = append(found, row.ID)
		}
		slices.Sort(found)
		listed <- listing{found, err}
	}()
	return listed
}

// within returns what a channel has before the test gives up.
func within[T any](t *testing.T, c <-chan T, what string) (value T) {
	t.Helper()
	select {
	case value = <-c:
	case <-time.After(20 * time.Second):
		t.Fatalf("%s: nothing after 20 seconds", what)
	}
	return value
}

func wantListing(t *testing.T, what string, got listing, want ...string) {
	t.Helper()
	if got.err != nil || !slices.Equal(got.found, want) {
		t.Errorf("%s: found %v, %v; want %v", what, got.found, got.err, want)
	}
}

// newSlowCatalogue returns a published catalogue with the role first, and a reader from [testCatalogue.newSlowReader].
func newSlowCatalogue(t *testing.T) (*testCatalogue, *catalogue.Catalogue, *slowBucket) {
	t.Helper()
	b := newTestCatalogue(t)
	b.putRole("first", 1, "carpenter", "PUBLIC")
	b.publish(b.newReader(), "1")
	reader, bucket := b.newSlowReader()
	return b, reader, bucket
}

// slowUpdates prepare a catalogue with the role first so that the next list of the reader has to read the bucket. Afterwards the roles
// first, second and third are carpenters; the functions return those that the reader knows.
var slowUpdates = map[string]func(b *testCatalogue, reader *catalogue.Catalogue) (known []string){
	"a shard of a newer generation": func(b *testCatalogue, reader *catalogue.Catalogue) []string {
		reader.SetMaxChanges(1)
		b.putRole("second", 1, "carpenter", "PUBLIC")
		b.putRole("third", 1, "carpenter", "PUBLIC")
		b.now = b.now.Add(time.Second)
		b.wantFound(reader, "first", "second", "third")
		b.now = b.now.Add(2 * time.Minute)
		b.publish(b.newReader(), "2")
		b.wantFound(b.newReader(), "first", "second", "third")
		return []string{"first", "second", "third"}
	},
	"an announced base": func(b *testCatalogue, _ *catalogue.Catalogue) []string {
		b.putUnlogged("second", 1, "carpenter")
		b.putUnlogged("third", 1, "carpenter")
		_, err := b.newReader().Rebuild(b.t.Context(), b.clock, "2")
		must(b.t, err)
		return []string{"first"}
	},
	"a digest": func(b *testCatalogue, _ *catalogue.Catalogue) []string {
		b.putRole("second", 1, "carpenter", "PUBLIC")
		b.putRole("third", 1, "carpenter", "PUBLIC")
		other := catalogue.OpenEmbedded(b.host.Opener(), b.roles)
		b.wantFound(other, "first", "second", "third") // of the log
		b.putRole("second", 2, "carpenters", "PUBLIC")
		b.now = b.now.Add(time.Second)
		b.wantFound(other, "first", "second", "third") // makes the digest
		return []string{"first"}
	},
}

// TestASlowBucketStallsNoOtherList fails unless a process serves what it holds while one of its requests waits for the bucket, reads nothing
// twice meanwhile, and loses no change that is made meanwhile.
func TestASlowBucketStallsNoOtherList(t *testing.T) {
	t.Parallel()
	for name, prepare := range slowUpdates {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, reader, bucket := newSlowCatalogue(t)
			reader.SetPatience(0)
			b.wantFound(reader, "first")
			known := prepare(b, reader)
			b.now = b.now.Add(time.Second)
			bucket.slow.Store(true)
			first := b.list(t.Context(), reader, "carpenter")
			within(t, bucket.entered, "the first list does not read the bucket")
			for range 3 {
				got := within(t, b.list(t.Context(), reader, "carpenter"), "another list")
				wantListing(t, "another list", got, known...)
			}
			b.putRole("second", 3, "plumber", "PUBLIC")
			if reads := bucket.reads.Load(); reads != 1 {
				t.Errorf("%d reads of the bucket, want one", reads)
			}
			bucket.slow.Store(false)
			close(bucket.release)
			if got := within(t, first, "the first list"); got.err != nil || !slices.Contains(got.found, "third") {
				t.Errorf("the first list: %v, %v", got.found, got.err)
			}
			b.now = b.now.Add(2 * time.Second)
			b.wantFound(reader, "first", "third")
			if got := b.searchIDs(reader, "plumber"); !slices.Equal(got, []string{"second"}) {
				t.Errorf("found %v of what changed meanwhile", got)
			}
		})
	}
}

// TestListsOfOneProcessLoadTheCatalogueOnce fails unless the lists of a process that holds nothing wait for one load, or until their callers
// are gone.
func TestListsOfOneProcessLoadTheCatalogueOnce(t *testing.T) {
	t.Parallel()
	b, reader, bucket := newSlowCatalogue(t)
	bucket.slow.Store(true)
	var lists []<-chan listing
	for range 8 {
		lists = append(lists, b.list(t.Context(), reader, "carpenter"))
	}
	within(t, bucket.entered, "no list reads the bucket")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got := within(t, b.list(gone, reader, "carpenter"), "the list of a caller who is gone"); !errors.Is(got.err, context.Canceled) {
		t.Errorf("the list of a caller who is gone: %v, %v", got.found, got.err)
	}
	close(bucket.release)
	for _, list := range lists {
		wantListing(t, "a list", within(t, list, "a list"), "first")
	}
	if reads := bucket.reads.Load(); reads != 1 {
		t.Errorf("%d reads of the bucket, want one", reads)
	}
}

// TestListsOfOneProcessFailTogether fails unless the lists of a process that holds nothing are refused at once when the load fails for which
// they wait.
func TestListsOfOneProcessFailTogether(t *testing.T) {
	t.Parallel()
	b, reader, bucket := newSlowCatalogue(t)
	bucket.err = errOut
	bucket.slow.Store(true)
	first := b.list(t.Context(), reader, "carpenter")
	within(t, bucket.entered, "the first list does not read the bucket")
	second := b.list(t.Context(), reader, "carpenter")
	close(bucket.release)
	for _, list := range []<-chan listing{first, second} {
		if got := within(t, list, "a list"); fault.As(got.err).Kind != fault.Unavailable || !errors.Is(got.err, errOut) {
			t.Errorf("found %v, %v; want a refusal", got.found, got.err)
		}
	}
}

// TestALoadWhoseCallerIsGoneIsContinued fails unless another list loads the catalogue when the caller is gone whose list did.
func TestALoadWhoseCallerIsGoneIsContinued(t *testing.T) {
	t.Parallel()
	b, reader, bucket := newSlowCatalogue(t)
	bucket.slow.Store(true)
	gone, cancel := context.WithCancel(t.Context())
	first := b.list(gone, reader, "carpenter")
	within(t, bucket.entered, "the first list does not read the bucket")
	second := b.list(t.Context(), reader, "carpenter")
	bucket.slow.Store(false)
	cancel()
	if got := within(t, first, "the first list"); !errors.Is(got.err, context.Canceled) {
		t.Errorf("the first list: %v, %v", got.found, got.err)
	}
	wantListing(t, "the second list", within(t, second, "the second list"), "first")
}

// TestNothingTooOldIsServedWhileABaseIsLoaded fails unless a list waits for the load of another if the process holds only what is too old to be
// served.
func TestNothingTooOldIsServedWhileABaseIsLoaded(t *testing.T) {
	t.Parallel()
	b, reader, bucket := newSlowCatalogue(t)
	reader.SetPatience(0)
	b.wantFound(reader, "first")
	slowUpdates["an announced base"](b, reader)
	b.now = b.now.Add(catalogue.MaxHeld + time.Second)
	bucket.slow.Store(true)
	first := b.list(t.Context(), reader, "carpenter")
	within(t, bucket.entered, "the first list does not read the bucket")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 {
		if got := within(t, b.list(gone, reader, "carpenter"), "another list"); !errors.Is(got.err, context.Canceled) {
			t.Fatalf("another list: %v, %v; want it to wait", got.found, got.err)
		}
	}
	close(bucket.release)
	wantListing(t, "the first list", within(t, first, "the first list"), "first", "second", "third")
	b.wantFound(reader, "first", "second", "third")
}

// TestConcurrentListsOfAChangingCatalogue fails if one of many lists at the same time fails while generations are published, or a list
// after them does not have all roles.
func TestConcurrentListsOfAChangingCatalogue(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	reader := catalogue.OpenEmbedded(b.host.Opener(), b.roles)
	reader.SetMaxChanges(2)
	publisher := b.newReader()
	want := []string{}
	for step := range 30 {
		id := roleID(step)
		b.putRole(id, 1, "carpenter", "PUBLIC")
		want = append(want, id)
		if step%7 == 0 {
			b.now = b.now.Add(2 * time.Minute)
			b.publish(publisher, id)
		}
		if step%11 == 0 {
			_, err := publisher.Rebuild(t.Context(), b.clock, "rebuild "+id)
			must(t, err)
		}
		for range 2 {
			b.now = b.now.Add(time.Second)
			var group errgroup.Group
			for range 4 {
				group.Go(func() error { return (<-b.list(t.Context(), reader, "carpenter")).err })
			}
			must(t, group.Wait())
		}
		b.wantFound(reader, want...)
	}
}
