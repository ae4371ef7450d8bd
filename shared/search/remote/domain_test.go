//go:build opensearch

package remote_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/opensearch"
	"github.com/recruiting-marketplace/external-api/shared/search/remote"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
)

// newDomainCatalogue is newTestCatalogue with its own index in the OpenSearch that .ci/opensearch
// has started.
func newDomainCatalogue(t *testing.T) *testCatalogue {
	t.Helper()
	url := os.Getenv(topology.SettingSearchURL)
	if url == "" {
		t.Fatal("SEARCH_URL is not set: .ci/opensearch runs this test")
	}
	return newTestCatalogue(t, map[string]string{topology.SettingSearchURL: url + "/" + uuid.NewString()})
}

// If a worker reads a role and writes it after another worker has written a later change or the
// deletion of the role, its write has no effect.
func TestLateStatesLose(t *testing.T) {
	t.Parallel()
	b := newDomainCatalogue(t)
	b.putCompany()
	b.putRole("kept", 1, "carpenter", "PUBLIC")
	b.putRole("deleted", 1, "carpenter", "PUBLIC")
	late := b.newRemote()
	early := b.newRemote()
	must(t, early.Fill(t.Context(), b.clock, "first"))
	write, err := b.readLate([]string{"kept", "deleted"})
	must(t, err)
	b.putRole("kept", 2, "plumber", "PUBLIC")
	must(t, b.roles.Delete(t.Context(), "deleted", entity.Stamp{Version: 2, At: b.now}))
	must(t, early.Sync(t.Context(), b.clock, "second"))
	must(t, write())
	b.now = b.now.Add(time.Hour) // the log is not read that far back
	must(t, late.Sync(t.Context(), b.clock, "third"))
	if found := b.searchIDs(b.newRemote(), "carpenter"); len(found) > 0 {
		t.Errorf("%v are found as they were", found)
	}
	if found := b.searchIDs(b.newRemote(), "plumber"); !slices.Equal(found, []string{"kept"}) {
		t.Errorf("found %v, want the change", found)
	}
}

// A worker that began to write to an index cannot write to the index that has replaced it, because
// it does not know which changes the new one lacks.
func TestWriterStaysWithItsIndex(t *testing.T) {
	t.Parallel()
	b := newDomainCatalogue(t)
	b.putCompany()
	b.putRole("first", 1, "carpenter", "PUBLIC")
	early := b.newRemote()
	must(t, early.Fill(t.Context(), b.clock, "first"))
	write, err := b.readLate([]string{"first"})
	must(t, err)
	b.now = b.now.Add(time.Minute)
	must(t, early.Fill(t.Context(), b.clock, "second"))
	if write() == nil {
		t.Error("a removed index was written")
	}
	if found := b.searchIDs(b.newRemote(), "carpenter"); !slices.Equal(found, []string{"first"}) {
		t.Errorf("found %v", found)
	}
}

// While the domain has no index, the embedded one serves. Once the domain is filled, it serves,
// with the changes since.
func TestDomainIsFilledWhileListsAreServed(t *testing.T) {
	t.Parallel()
	b := newDomainCatalogue(t)
	b.putCompany()
	b.putRole("first", 1, "carpenter", "PUBLIC")
	reader := b.newRemote()
	for step, prepare := range []func(){
		func() {},
		func() { must(t, b.newRemote().Sync(t.Context(), b.clock, "fill")) },
		func() { b.now = b.now.Add(time.Minute) },
		func() { b.putRole("first", 2, "carpenters", "PUBLIC") },
	} {
		prepare()
		if found := b.searchIDs(reader, "carpenter"); !slices.Equal(found, []string{"first"}) {
			t.Errorf("step %d: found %v", step, found)
		}
	}
}

// If an invocation of the publisher stops during a fill, because its time is up or its process
// dies, the next one continues the fill. The last one makes the index the one that is searched,
// with the changes made during the fill.
func TestFillGoesOn(t *testing.T) {
	t.Parallel()
	for name, sync := range map[string]func(b *testCatalogue, nonce string){
		"after its time": func(b *testCatalogue, nonce string) {
			publisher := b.newRemote()
			publisher.PartSize = 3
			must(b.t, publisher.Sync(b.t.Context(), func() time.Time { b.now = b.now.Add(2 * time.Minute); return b.now }, nonce))
		},
		"after its death": (*testCatalogue).syncAndDie,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newDomainCatalogue(t)
			b.t = t
			b.putCompany()
			for i := range 20 {
				b.putRole(fmt.Sprintf("role%02d", i), 1, "carpenter", "PUBLIC")
			}
			b.now = b.now.Add(time.Hour)
			invocations := 0
			for ; b.countInDomain() == 0; invocations++ {
				if invocations == 20 {
					t.Fatal("the index is never filled")
				}
				sync(b, fmt.Sprint(invocations))
				b.putRole(fmt.Sprintf("role%02d", invocations), 2, "plumber", "PUBLIC")
				b.now = b.now.Add(2 * time.Minute)
			}
			if invocations < 2 {
				t.Error("one invocation filled it all")
			}
			if found := b.searchIDs(b.newRemote(), "carpenter"); len(found) != 20-invocations {
				t.Errorf("after %d invocations %d roles are found as they were: %v", invocations, len(found), found)
			}
		})
	}
}

// syncAndDie calls Sync in a process whose calls all fail once it has read roles four times.
func (b *testCatalogue) syncAndDie(nonce string) {
	b.t.Helper()
	h := b.host
	reads := 0
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "BatchGetItem" {
			reads++
		}
		if reads > 4 {
			return errors.New("the process died")
		}
		return send()
	})
	o := h.Opener()
	publisher := b.openRemote(o, h)
	must(b.t, o.Err())
	publisher.PartSize = 3
	_ = publisher.Sync(b.t.Context(), b.clock, nonce)
}

// countInDomain returns the number of roles that the domain itself finds.
func (b *testCatalogue) countInDomain() int {
	b.t.Helper()
	index, err := opensearch.Open(b.host)
	must(b.t, err)
	page, _, err := index.Search(b.t.Context(), roleindex.Query{Limit: 1000}, opensearch.Scope{View: emptyView(b.t)})
	if errors.Is(err, opensearch.ErrAbsent) {
		return 0
	}
	must(b.t, err)
	return len(page.Rows)
}

// openRemote opens the catalogue of another process.
func (b *testCatalogue) openRemote(o *cloud.Opener, h cloud.Host) *remote.Catalogue {
	roles, snapshots := openStores(b.t, h)
	return remote.Open(o, roles, catalogue.New(roles, snapshots))
}

// readLate reads the states of roles, as a worker does, and returns a function that writes them later.
func (b *testCatalogue) readLate(ids []string) (write func() error, err error) {
	ctx := b.t.Context()
	index, err := opensearch.Open(b.host)
	if err != nil {
		return nil, err
	}
	writer, err := index.Writer(ctx)
	if err != nil {
		return nil, err
	}
	roles, err := b.roles.ReadRoles(ctx, ids, role.ReadOptions{Consistent: true, Description: true})
	if err != nil {
		return nil, err
	}
	var states []roleindex.RoleDocs
	for id, unredacted := range roles {
		states = append(states, roleindex.RoleDocs{ID: id, Revision: unredacted.Revision(), Shared: catalogue.NewRoleDocs(id, unredacted).Shared})
	}
	return func() error { return writer.Write(ctx, states) }, nil
}

func emptyView(t *testing.T) *roleindex.View {
	t.Helper()
	none, err := roleindex.Open(roleindex.Build(nil))
	must(t, err)
	return roleindex.Join(none)
}
