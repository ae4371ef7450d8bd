package remote_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/remote"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

var noon = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// testCatalogue is a catalogue's tables and its domain, with a clock that the test moves.
type testCatalogue struct {
	t         *testing.T
	host      cloud.Host
	roles     *role.Store
	snapshots *snapshot.Store
	now       time.Time
}

// newTestCatalogue returns a catalogue without roles, of a system with these settings.
func newTestCatalogue(t *testing.T, env map[string]string) *testCatalogue {
	t.Helper()
	h := cloudtest.System(t, env, func() time.Time { return noon })
	b := &testCatalogue{t: t, host: h, now: noon}
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

func (b *testCatalogue) clock() time.Time { return b.now }

func (b *testCatalogue) newReader() *catalogue.Catalogue { return catalogue.New(b.roles, b.snapshots) }

func (b *testCatalogue) newRemote() *remote.Catalogue {
	b.t.Helper()
	o := b.host.Opener()
	domain := remote.Open(o, b.roles, b.newReader())
	must(b.t, o.Err())
	return domain
}

// newRemoteWith is newRemote in a process whose calls of AWS go through a hook.
func (b *testCatalogue) newRemoteWith(hook cloud.Hook) *remote.Catalogue {
	b.t.Helper()
	h := b.host
	h.AWS = cloud.WithHook(h.AWS, hook)
	roles, snapshots := openStores(b.t, h)
	o := h.Opener()
	domain := remote.Open(o, roles, catalogue.New(roles, snapshots))
	must(b.t, o.Err())
	return domain
}

func (b *testCatalogue) putRole(id string, version int64, title string, visibility contract.RoleVisibility) {
	b.t.Helper()
	must(b.t, b.roles.Put(b.t.Context(), id, entity.Stamp{Version: version, At: b.now}, role.Role{Listing: role.Listing{
		Title: title, CompanyID: "co", Status: "ACTIVE", Visibility: visibility, UpdatedAt: contract.At(b.now), BrowseURL: "https://app.example.com/" + id,
	}}))
}

func (b *testCatalogue) putCompany() {
	b.t.Helper()
	must(b.t, b.roles.PutCompany(b.t.Context(), "co", entity.Stamp{Version: 1, At: b.now}, &role.Company{}))
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

// outage fails the reads of the change log by a reader's process while the test lets it.
type outage struct {
	log   atomic.Bool
	lines bytes.Buffer
}

// newOutage returns the host of a process that cannot read the change log during an outage.
func (b *testCatalogue) newOutage() (cloud.Host, *outage) {
	o := &outage{}
	h := b.host
	h.Log = cloud.NewLog(&o.lines, "roles")
	changes := h.Getenv(topology.Changes.Env)
	h.AWS = cloud.WithHook(h.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		query, isQuery := call.Input.(*dynamodb.QueryInput)
		if isQuery && *query.TableName == changes && o.log.Load() {
			return errors.New("out")
		}
		return send()
	})
	return h, o
}
