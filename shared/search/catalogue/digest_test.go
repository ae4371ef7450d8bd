package catalogue_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
)

// fleet is a number of instances that list roles, with the units and calls that they use together.
type fleet struct {
	*testCatalogue
	instances []*catalogue.Catalogue
	units     cloudtest.Units

	mu    sync.Mutex
	files map[string]int // calls of S3, by operation
}

func newFleet(t *testing.T, instances int) *fleet {
	t.Helper()
	return newFleetOf(newTestCatalogue(t), instances)
}

func newFleetOf(b *testCatalogue, instances int) *fleet {
	f := &fleet{testCatalogue: b, files: map[string]int{}}
	h := f.units.Watch(f.host)
	h.AWS = cloud.WithHook(h.AWS, f.countFiles)
	roles, _ := openStores(b.t, h)
	for range instances {
		f.instances = append(f.instances, catalogue.OpenEmbedded(h.Opener(), roles))
	}
	return f
}

func (f *fleet) countFiles(_ context.Context, call cloud.Call, send func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if call.Service == "S3" {
		f.files[call.Operation]++
	}
	return send()
}

// poll lets every instance list roles.
func (f *fleet) poll() {
	f.t.Helper()
	for _, c := range f.instances {
		f.searchIDs(c, "carpenter")
	}
}

// manyRoles is the number of roles that change in rotation, each at most once a second.
const manyRoles = 200

// putManyRoles stores the first n of these roles.
func (f *fleet) putManyRoles(n int) {
	f.t.Helper()
	for i := range n {
		f.putUnlogged(roleID(i), 1, fmt.Sprintf("carpenter %d, with the words of a usual title", i))
	}
}

func roleID(i int) string { return fmt.Sprintf("role-%05d", i%manyRoles) }

// changeRoles writes the log entries of n roles.
func (f *fleet) changeRoles(from, n int) {
	f.t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = roleID(from + i)
	}
	for some := range slices.Chunk(ids, 100) {
		tx := f.db.WriteTx()
		for _, id := range some {
			f.mark(id)(tx)
		}
		must(f.t, tx.Run(f.t.Context()))
	}
}

// TestInstancesReadAChangedRoleOnce fails unless the units for changed roles and for the log do not grow with the number of instances, but for one
// unit a second of each for the item that names the digests.
func TestInstancesReadAChangedRoleOnce(t *testing.T) {
	t.Parallel()
	const instances, seconds = 6, 3
	for _, rate := range []int{dailyRate, manyRoles} {
		t.Run(fmt.Sprint(rate, " changes a second"), func(t *testing.T) {
			t.Parallel()
			f := newFleet(t, instances)
			f.putManyRoles(min(seconds*rate, manyRoles))
			f.poll()
			f.units.Reset("")
			f.files = map[string]int{}
			for second := range seconds {
				f.changeRoles(second*rate, rate)
				for range 2 {
					f.now = f.now.Add(500 * time.Millisecond)
					f.poll()
				}
			}
			log, all := f.units.Reset("changes-")
			changed := (all - log) / seconds
			t.Logf("%d instances: %.1f units a second for the log, %.1f for changed roles; digests: %v", instances, log/seconds, changed, f.files)
			if changed > 3*float64(rate) || log/seconds > instances+float64(rate)/10+5 {
				t.Errorf("%.1f units for roles, %.1f for the log", changed, log/seconds)
			}
		})
	}
}

// TestReadersThatShareAgree is TestReadersAgree for instances that share what they read, and poll often.
func TestReadersThatShareAgree(t *testing.T) {
	t.Parallel()
	b := newTestCatalogueWith(t, map[string]string{topology.SettingCatalogueAge: "1"})
	b.longestStep = 2 * time.Second
	b.compareEvery = 1
	open := func() *catalogue.Catalogue { return catalogue.OpenEmbedded(b.host.Opener(), b.roles) }
	first := open()
	second := open()
	third := open()
	second.SetMaxChanges(3)
	third.SetMaxChanges(1)
	b.compareReaders(250, []catalogue.Source{first, second, third}, func() catalogue.Source { return open() },
		func(nonce string) error { _, err := b.newReader().Publish(t.Context(), b.clock, nonce); return err },
		func(nonce string) error { _, err := b.newReader().Rebuild(t.Context(), b.clock, nonce); return err })
}

// TestANewInstanceStartsFromTheDigests fails unless an instance that starts reads no changed role again that others have read since the base.
func TestANewInstanceStartsFromTheDigests(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 1)
	f.putManyRoles(100)
	for range 60 {
		f.now = f.now.Add(time.Second)
		f.poll()
	}
	_, err := f.newReader().Rebuild(t.Context(), f.clock, "base")
	must(t, err)
	var digests int
	for i := range 50 {
		f.putRole(roleID(i), 2, "changed carpenter", "PUBLIC")
		if i%10 == 0 {
			f.now = f.now.Add(time.Second)
			f.poll()
			digests++
		}
	}
	f.now = f.now.Add(time.Second)
	f.poll()
	f.units.Reset("")
	started := newFleetOf(f.testCatalogue, 1)
	started.poll()
	_, units := started.units.Reset("")
	if found := started.searchIDs(started.instances[0], "changed"); len(found) != 50 {
		t.Errorf("found %d roles that changed, want 50", len(found))
	}
	t.Logf("%.1f units to start, with %v", units, started.files)
	if units > 5 || started.files["GetObject"] < digests {
		t.Errorf("%.1f units and the files %v", units, started.files)
	}
}

// TestADigestThatNobodyFinishesIsMadeByAnother fails unless a change is found within the time of a claim if the instance dies that makes its digest.
func TestADigestThatNobodyFinishesIsMadeByAnother(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	var isDead atomic.Bool
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if isDead.Load() && call.Operation != "GetItem" && call.Operation != "UpdateItem" {
			return errOut
		}
		return send()
	})
	roles, _ := openStores(t, h)
	dying := catalogue.OpenEmbedded(h.Opener(), roles)
	other := catalogue.OpenEmbedded(b.host.Opener(), b.roles)
	b.wantFound(dying)
	b.now = b.now.Add(time.Second)
	b.wantFound(other)
	isDead.Store(true)
	b.now = b.now.Add(time.Second)
	b.putRole("first", 1, "carpenter", "PUBLIC")
	b.wantFound(dying)
	b.now = b.now.Add(3 * time.Second)
	b.wantFound(other, "first")
	isDead.Store(false)
	b.now = b.now.Add(time.Second)
	b.wantFound(dying, "first")
}

// TestChangesAreFoundWithoutFiles fails unless an instance that can neither read nor write digests finds changes in the log, at most seven seconds
// later, and follows the digests when it can.
func TestChangesAreFoundWithoutFiles(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	b.putRole("first", 1, "carpenter", "PUBLIC")
	b.publish(b.newReader(), "1")
	reader, out := b.newHeldReader()
	b.wantFound(reader, "first")
	out.files.Store(true)
	want := []string{"first"}
	for n := range 5 {
		id := fmt.Sprint("later", n)
		b.putRole(id, 1, "carpenter", "PUBLIC")
		want = append(want, id)
		for range 8 {
			b.now = b.now.Add(time.Second)
			b.searchIDs(reader, "carpenter")
		}
		b.wantFound(reader, want...)
	}
	out.files.Store(false)
	b.putRole("last", 1, "carpenter", "PUBLIC")
	b.now = b.now.Add(2 * time.Second)
	b.searchIDs(reader, "carpenter")
	b.now = b.now.Add(2 * time.Second)
	b.wantFound(reader, "first", "last", "later0", "later1", "later2", "later3", "later4")
}
