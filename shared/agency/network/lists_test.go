package network_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// listModel models a tenant's lists in memory. It holds the memberships by id, each as its own item
// has it, and filters and sorts them. It keeps no lists.
type listModel struct {
	testStore
	draw    *rapid.T
	tenant  tenant.ID
	now     time.Time
	made    int
	members map[string]network.Membership
	// filter and after are the position of a client that pages through a list while it changes.
	filter network.Filter
	after  string
}

var (
	listOwners   = []string{"mem_1", "mem_2"}
	listStatuses = []contract.MarketStatus{contract.OnMarket, contract.OffMarket, contract.Expired}
)

func drawFilter(rt *rapid.T) network.Filter {
	return network.Filter{
		OwnerID: rapid.SampledFrom(append([]string{""}, listOwners...)).Draw(rt, "filtered owner"),
		Status:  rapid.SampledFrom(append([]contract.MarketStatus{""}, listStatuses...)).Draw(rt, "filtered status"),
	}
}

func (m *listModel) drawCandidate(rt *rapid.T) network.Candidate {
	n := rapid.IntRange(0, 5).Draw(rt, "person")
	c := newCandidate(fmt.Sprintf("%s-%d", m.tenant, n), fmt.Sprintf("%s-%d", m.tenant, n))
	c.Tenant = m.tenant
	c.OwnerID = rapid.SampledFrom(listOwners).Draw(rt, "owner")
	c.SubmittedAt = m.now.Add(-time.Duration(rapid.IntRange(0, 3).Draw(rt, "hours ago")) * time.Hour)
	return c
}

func (m *listModel) must(err error) {
	if err != nil {
		m.draw.Fatal(err)
	}
}

func (m *listModel) newWrite() network.Write {
	m.made++
	m.now = m.now.Add(time.Second)
	return network.Write{Now: m.now, ID: fmt.Sprint(m.tenant, " ", m.made)}
}

// newCommand returns a write of the app, which may arrive late.
func (m *listModel) newCommand(rt *rapid.T) network.Write {
	w := m.newWrite()
	w.Version = int64(m.made)
	w.Now = w.Now.Add(-time.Duration(rapid.SampledFrom([]int{0, 0, 1, 17}).Draw(rt, "days late")) * 24 * time.Hour)
	return w
}

// refresh reads memberships again after a change.
func (m *listModel) refresh(ids ...string) {
	for _, id := range ids {
		stored, found, err := m.Membership(ctx, id)
		m.must(err)
		if delete(m.members, id); found {
			m.members[id] = stored
		}
	}
}

func (m *listModel) all() []string { return slices.Sorted(maps.Keys(m.members)) }

func (m *listModel) ingest(rt *rapid.T) {
	c := m.drawCandidate(rt)
	w := m.newWrite()
	id, err := m.placeAndIngest(c, fmt.Sprintf("cu_%s_%d", m.tenant, m.made), w.Now)
	m.must(err)
	m.refresh(id)
}

func (m *listModel) submitToRole(rt *rapid.T) {
	c := m.drawCandidate(rt)
	w := m.newCommand(rt)
	id := fmt.Sprintf("cu_%s_%d", m.tenant, m.made)
	m.must(m.AddByRoleSubmission(ctx, c, id, w))
	m.refresh(append(m.all(), id)...)
}

// change makes one of the changes that the app and the API can make to a membership.
func (m *listModel) change(rt *rapid.T) {
	if len(m.members) == 0 {
		return
	}
	id := rapid.SampledFrom(m.all()).Draw(rt, "member")
	on := rapid.Bool().Draw(rt, "on")
	refs := []contract.CandidateReference{{CandidateUserID: &id}}
	var err error
	switch rapid.IntRange(0, 5).Draw(rt, "change") {
	case 0:
		_, err = m.OffMarket(ctx, m.tenant, refs, allOwners, m.newWrite())
	case 1:
		_, err = m.ReEnable(ctx, m.tenant, refs, allOwners, m.newWrite())
	case 2:
		_, err = m.SetOffMarket(ctx, m.members[id], on, m.newCommand(rt))
	case 3:
		_, err = m.SetLocked(ctx, m.members[id], on, m.newCommand(rt))
	case 4:
		_, err = m.SetFastTrack(ctx, m.members[id], on, m.newWrite())
	case 5:
		_, err = m.SetPreferences(ctx, m.members[id], newCandidate("", "").Preferences, m.newCommand(rt))
	}
	m.must(err)
	m.refresh(id)
}

func (m *listModel) erase(rt *rapid.T) {
	c := m.drawCandidate(rt)
	_, err := m.Erase(ctx, identity.Hash(c.Email), m.newWrite().Now, func(context.Context, network.Membership) error { return nil })
	m.must(err)
	m.refresh(m.all()...)
}

// wait lets days pass, often until the moment at which an eligibility ends, or the one before it.
func (m *listModel) wait(rt *rapid.T) {
	to := m.now.Add(time.Duration(rapid.IntRange(1, 60).Draw(rt, "days")) * 24 * time.Hour)
	for _, id := range m.all() {
		ends := m.members[id].Market.ExpiresAt.Add(-time.Duration(rapid.IntRange(0, 1).Draw(rt, "before")) * time.Millisecond)
		if ends.After(m.now) && ends.Before(to) {
			to = ends
		}
	}
	m.now = to
}

// sweep runs the sweep, or a part of it.
func (m *listModel) sweep(rt *rapid.T) {
	var turns atomic.Int64
	turns.Store(int64(rapid.IntRange(1, 16).Draw(rt, "shards")))
	expire, _ := m.NewSweep(m.now)
	_, err := expire(ctx, func() bool { return turns.Add(-1) >= 0 })
	m.must(err)
	m.refresh(m.all()...)
}

// expected returns the rows of a list after a position.
func (m *listModel) expected(f network.Filter, after string) []network.Row {
	rows := []network.Row{}
	for _, member := range m.members {
		r := member.Row()
		if (f.OwnerID == "" || f.OwnerID == r.OwnerID) && (f.Status == "" || f.Status == r.Status(m.now)) && sortKey(r) > after {
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b network.Row) int {
		return cmp.Or(b.AddedAt.Compare(a.AddedAt), cmp.Compare(a.ID, b.ID))
	})
	return rows
}

func sortKey(r network.Row) string {
	return fmt.Sprintf("%013d#%s", 9_999_999_999_999-r.AddedAt.UnixMilli(), r.ID)
}

// readPage reads a page and compares it with the model.
func (m *listModel) readPage(rt *rapid.T, f network.Filter, after string, limit int) (next string) {
	rows, next, err := m.List(ctx, m.tenant, f, network.Page{After: after, Limit: limit, Now: m.now}, allOwners)
	m.must(err)
	want := m.expected(f, after)
	shown := min(limit, len(want))
	if diff := gocmp.Diff(want[:shown], append([]network.Row{}, rows...)); diff != "" {
		rt.Fatalf("%+v after %q at %v (-model +list):\n%s", f, after, m.now, diff)
	}
	if len(want) > shown && (next == "" || next >= sortKey(want[shown])) || next != "" && shown > 0 && next < sortKey(want[shown-1]) {
		rt.Fatalf("%+v: %d of %d rows are on the page, and the next begins after %q", f, shown, len(want), next)
	}
	return next
}

// readOn reads the next page for the client that pages through a list, whatever has changed since
// its last page.
func (m *listModel) readOn(rt *rapid.T) {
	if m.after == "" {
		m.filter = drawFilter(rt)
	}
	m.after = m.readPage(rt, m.filter, m.after, rapid.IntRange(1, 3).Draw(rt, "limit"))
}

// check compares all lists with the model, and counts the stored rows.
func (m *listModel) check(rt *rapid.T) {
	stored := 0
	count := func(list string) {
		n, err := m.table.Get(topology.PK, "A#"+string(m.tenant)+list).Count(ctx)
		m.must(err)
		stored += int(n)
	}
	for _, owner := range append([]string{""}, listOwners...) {
		for _, status := range append([]contract.MarketStatus{""}, listStatuses...) {
			m.readPage(rt, network.Filter{OwnerID: owner, Status: status}, "", 100)
			list := ""
			if owner != "" {
				list = "#o#" + owner
			}
			if status != "" {
				list += "#s#" + string(status)
			}
			count(list)
		}
	}
	if stored != 4*len(m.members) {
		rt.Fatalf("%d rows are stored of %d memberships", stored, len(m.members))
	}
}

// TestListsAgreeWithAModel draws histories of a network: submissions, calls of the API, late
// commands of the app, erasures, sweeps that are late or stop in the middle, and weeks that pass.
// At every moment each list has exactly the rows that it should, and a client's cursor continues
// where the previous page ended.
func TestListsAgreeWithAModel(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		m := &listModel{testStore: s, draw: rt, tenant: tenant.ID(fmt.Sprint("agy_", run)), now: start, members: map[string]network.Membership{}}
		rt.Repeat(map[string]func(*rapid.T){
			"ingest": m.ingest, "ingest another": m.ingest, "submit to a role": m.submitToRole, "change": m.change, "change another": m.change,
			"erase": m.erase, "wait": m.wait, "sweep": m.sweep, "read a page": m.readOn, "read another": m.readOn, "check": m.check,
		})
		m.check(rt)
	})
}

// Expired candidates are listed from the moment at which their eligibility ends, each once, however
// late the sweep is.
func TestExpiredBeforeTheSweep(t *testing.T) {
	t.Parallel()
	for _, size := range []int{3, 41, 42, 70, cloudtest.Draws(150)} { // of 41 and 42 candidates, 25 and 26 are expired at first
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			m := &listModel{testStore: newTestStore(t), tenant: "agy_1", now: start, members: map[string]network.Membership{}}
			for n := range size {
				c := newCandidate(fmt.Sprint("p", n), fmt.Sprint("m", n))
				c.OwnerID = listOwners[n%2]
				m.mustIngest(c, candidateID(n), start.Add(time.Duration(n%5)*time.Second))
				m.refresh(candidateID(n))
			}
			for turn := range 3 { // three of five are expired, then all, and swept only now and then
				m.now = start.Add(network.DefaultEligibility + time.Duration(2+turn)*time.Second)
				for _, status := range listStatuses {
					for _, owner := range []string{"", "mem_1"} {
						f := network.Filter{OwnerID: owner, Status: status}
						if diff := gocmp.Diff(m.expected(f, ""), m.readAll(f)); diff != "" {
							t.Errorf("turn %d, %+v (-model +list):\n%s", turn, f, diff)
						}
					}
				}
				expire, _ := m.NewSweep(m.now.Add(-time.Second))
				if _, err := expire(ctx, func() bool { return true }); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A sweep does not count memberships that it failed to store.
func TestSweepCountsStoredMemberships(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	var refuses atomic.Bool
	s := newTestStore(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if refuses.Load() && call.Operation == "TransactWriteItems" {
			return refused
		}
		return send()
	})
	s.mustIngest(newCandidate("ada", "ada"), candidateID(1), start)
	at := start.Add(network.DefaultEligibility + time.Minute)
	for _, tt := range []struct {
		fails bool
		want  int
	}{{true, 0}, {false, 1}} {
		refuses.Store(tt.fails)
		expire, expired := s.NewSweep(at)
		_, err := expire(ctx, func() bool { return true })
		if errors.Is(err, refused) != tt.fails || int(expired.Load()) != tt.want {
			t.Errorf("got %d memberships and the error %v; want %d", expired.Load(), err, tt.want)
		}
	}
}

// readAll reads a list page by page.
func (m *listModel) readAll(f network.Filter) []network.Row {
	all := []network.Row{}
	for after, more := "", true; more; more = after != "" {
		rows, next, err := m.List(ctx, m.tenant, f, network.Page{After: after, Limit: 7, Now: m.now}, allOwners)
		must(m.t, err)
		all = append(all, rows...)
		after = next
	}
	return all
}
