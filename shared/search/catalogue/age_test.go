package catalogue_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/search/catalogue"
	"github.com/recruiting-marketplace/external-api/shared/search/recommend"
	"github.com/recruiting-marketplace/external-api/shared/search/roleindex"
	"github.com/recruiting-marketplace/external-api/shared/search/snapshot"
)

// TestAgeOfTheCatalogue fails unless the log is read in every call, or only when the last read is as old as the setting allows; a second if
// nothing is set.
func TestAgeOfTheCatalogue(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		env   map[string]string
		after time.Duration
		reads bool
	}{
		"never":                {map[string]string{topology.SettingCatalogueAge: "0"}, 0, true},
		"younger":              {map[string]string{topology.SettingCatalogueAge: "5000"}, 5*time.Second - time.Millisecond, false},
		"as old":               {map[string]string{topology.SettingCatalogueAge: "5000"}, 5 * time.Second, true},
		"younger than default": {nil, time.Second - time.Millisecond, false},
		"as old as default":    {nil, time.Second, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, kind := range []string{"embedded", "without files"} {
				b := newTestCatalogueWith(t, test.env)
				var calls cloudtest.Calls
				h := b.host
				h.AWS = cloud.WithHook(h.AWS, calls.Hook)
				roles, _ := openStores(t, h)
				reader := catalogue.OpenEmbedded(h.Opener(), roles)
				if kind == "without files" {
					reader = reader.WithoutFiles(func(context.Context) (snapshot.Head, error) { return snapshot.Head{Generation: 1}, nil })
				}
				if reader.IsLoaded() {
					t.Errorf("%s: it is loaded before the first call", kind)
				}
				b.searchIDs(reader, "carpenter")
				if !reader.IsLoaded() {
					t.Errorf("%s: it is not loaded after a call", kind)
				}
				b.now = b.now.Add(test.after)
				calls.Reset()
				b.searchIDs(reader, "carpenter")
				if made := calls.Reset(); slices.Contains(made, "DynamoDB.Query") != test.reads {
					t.Errorf("%s: made the calls %v; want it to read the log: %t", kind, made, test.reads)
				}
			}
		})
	}
}

// TestLatelyChangedRoles fails unless a role is among them for ten seconds after its change was found, over another base too, whether
// the changes since that base are found in the log or in the digests.
func TestLatelyChangedRoles(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(b *testCatalogue) *catalogue.Catalogue{
		"own reads":    (*testCatalogue).newReader,
		"shared reads": func(b *testCatalogue) *catalogue.Catalogue { return catalogue.OpenEmbedded(b.host.Opener(), b.roles) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newTestCatalogueWith(t, map[string]string{topology.SettingCatalogueAge: "1"})
			reader := open(b)
			// wait moves the clock, with a list every five seconds: digests older than that are not followed.
			wait := func(d time.Duration) {
				t.Helper()
				for until := b.now.Add(d); b.now.Before(until); b.now = b.now.Add(min(5*time.Second, until.Sub(b.now))) {
					b.searchIDs(reader, "carpenter")
				}
			}
			wait(time.Minute) // digests are read from half a minute before a base
			b.putRole("first", 1, "carpenter", "PUBLIC")
			b.wantChanged(reader, true, false)
			wait(time.Second)
			_, err := open(b).Rebuild(t.Context(), b.clock, "with the first")
			must(t, err)
			b.wantChanged(reader, true, false)
			b.wantChanged(open(b), true, false)
			wait(10*time.Second - time.Millisecond)
			b.putRole("second", 1, "carpenter", "PUBLIC")
			b.wantChanged(reader, true, true)
			b.now = b.now.Add(time.Millisecond)
			b.wantChanged(reader, false, true)
			wait(10 * time.Second)
			b.wantChanged(reader, false, false)
		})
	}
}

func (b *testCatalogue) wantChanged(c *catalogue.Catalogue, first, second bool) {
	b.t.Helper()
	state, err := c.Current(b.t.Context(), b.now)
	must(b.t, err)
	if got, want := [2]bool{state.Changed("first"), state.Changed("second")}, [2]bool{first, second}; got != want {
		b.t.Errorf("at %v: got %v, want %v", b.now, got, want)
	}
}

// TestRanksOfTheState fails unless the roles of a state are ranked as those of its view.
func TestRanksOfTheState(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	for id, visibility := range map[string]contract.RoleVisibility{"open": "PUBLIC", "stealth": "STEALTH"} {
		must(t, b.roles.Put(t.Context(), id, entity.Stamp{Version: 1, At: b.now}, role.Role{Listing: role.Listing{
			Title: "carpenter", CompanyID: "co", Status: "ACTIVE", Visibility: visibility, UpdatedAt: contract.At(b.now), RoleTypes: []string{"ai_engineer"},
		}}))
	}
	state, err := b.newReader().State(t.Context(), b.now)
	must(t, err)
	query := func() roleindex.Query {
		return roleindex.Query{Limit: 10, AnyOf: map[roleindex.Field][]string{}, Flags: map[roleindex.Flag]bool{}}
	}
	approved := []string{"stealth"}
	candidate := recommend.Candidate{RoleTypes: []string{"ai_engineer"}}
	got, err := state.Rank(t.Context(), query(), approved, candidate.Criteria(b.now))
	must(t, err)
	want := recommend.Rank(state.View(approved), query(), candidate.Criteria(b.now))
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 2 {
		t.Errorf("%d roles (-want +got):\n%s", len(got), diff)
	}
}

// TestStateOfChanges fails unless a state has the roles that changed over its base, and the time of the base.
func TestStateOfChanges(t *testing.T) {
	t.Parallel()
	b := newTestCatalogue(t)
	reader := b.newReader()
	wantState := func(until int64, ids ...string) {
		t.Helper()
		state, err := reader.State(t.Context(), b.now)
		must(t, err)
		if got := slices.Sorted(slices.Values(state.ChangedIDs())); state.Until != until || !slices.Equal(got, ids) {
			t.Errorf("until %d: got %v, want %d: %v", state.Until, got, until, ids)
		}
	}
	wantState(0)
	b.putRole("first", 1, "carpenter", "PUBLIC")
	wantState(0, "first")
	b.now = b.now.Add(time.Hour)
	b.publish(b.newReader(), "1")
	published := b.now.UnixMilli()
	b.now = b.now.Add(time.Hour)
	b.putRole("second", 1, "carpenter", "PUBLIC")
	wantState(published, "second")
}
