package account_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// agencyModel is a plain model of an agency after events: the newest state of each account.
// It runs beside the store, which must agree with it.
type agencyModel struct {
	s        testStore
	t        *testing.T
	id       string
	versions map[string]int64
	members  map[string]account.Member
	agency   *account.Agency
}

var (
	modelIDs    = []string{"m-a", "m-b", "m-c", "m-d"}
	modelEmails = []string{"", "one@example.com", "two@example.com", "odd#one@example.com"}
)

// recordVersion records the version of an event, and reports whether it is newer than all before.
func (m *agencyModel) recordVersion(id string, version int64) bool {
	newer := m.versions[id] < version
	m.versions[id] = max(version, m.versions[id])
	return newer
}

// applyMember delivers an event of a member once or twice. A version that was delivered before,
// or an older one, may have other data, which must not be stored.
func (m *agencyModel) applyMember(t *rapid.T) {
	id := rapid.SampledFrom(modelIDs).Draw(t, "member")
	version := rapid.Int64Range(1, 30).Draw(t, "version")
	var sent *account.Member
	if rapid.IntRange(0, 3).Draw(t, "deleted") > 0 {
		sent = &account.Member{
			ID: id, Name: rapid.StringMatching(`[A-Z][a-z]{1,8}`).Draw(t, "name"), Email: rapid.SampledFrom(modelEmails).Draw(t, "email"),
			Owner: rapid.Bool().Draw(t, "owner"), Approved: rapid.Bool().Draw(t, "approved"), Deactivated: rapid.Bool().Draw(t, "deactivated"),
		}
	}
	for range rapid.IntRange(1, 2).Draw(t, "times") {
		if err := m.s.ApplyMember(m.t.Context(), m.id, id, version, sent); err != nil {
			t.Fatal(err)
		}
	}
	if m.recordVersion(id, version) {
		if delete(m.members, id); sent != nil {
			m.members[id] = *sent
		}
	}
}

func (m *agencyModel) applyAgency(t *rapid.T) {
	version := rapid.Int64Range(1, 30).Draw(t, "version")
	var sent *account.Agency
	if rapid.Bool().Draw(t, "exists") {
		sent = &account.Agency{ID: m.id, Name: rapid.StringMatching(`[A-Z][a-z]{1,8}`).Draw(t, "name"), APIAccess: rapid.Bool().Draw(t, "access")}
	}
	if err := m.s.ApplyAgency(m.t.Context(), m.id, version, sent); err != nil {
		t.Fatal(err)
	}
	if m.recordVersion("", version) {
		m.agency = sent
	}
}

// memberByEmail returns the member to whom an address refers.
func (m *agencyModel) memberByEmail(email string) account.Member {
	sharing := slices.DeleteFunc(slices.Collect(maps.Values(m.members)), func(x account.Member) bool { return email == "" || x.Email != email })
	slices.SortFunc(sharing, func(x, y account.Member) int {
		if x.Active() != y.Active() {
			return map[bool]int{true: -1, false: 1}[x.Active()]
		}
		return cmp.Compare(x.ID, y.ID)
	})
	return append(sharing, account.Member{})[0]
}

// listed returns the approved members to whom addresses refer, by address.
func (m *agencyModel) listed() (all []account.Member) {
	for _, email := range slices.Sorted(slices.Values(modelEmails)) {
		if found := m.memberByEmail(email); found.Approved {
			all = append(all, found)
		}
	}
	return all
}

// compareList reads the list in pages of any length.
func (m *agencyModel) compareList(t *rapid.T) {
	limit := rapid.IntRange(1, 4).Draw(t, "limit")
	var got []account.Member
	for after, more := "", true; more; more = after != "" {
		page, next, err := m.s.ListMembers(m.t.Context(), m.id, after, limit)
		if err != nil || len(page) > limit || next != "" && next <= after {
			t.Fatalf("after %q: got %+v, %q, %v", after, page, next, err)
		}
		got = append(got, page...)
		after = next
	}
	if diff := gocmp.Diff(m.listed(), got); diff != "" {
		t.Fatalf("pages of %d (-model +store):\n%s", limit, diff)
	}
}

func (m *agencyModel) compareStore(t *rapid.T) {
	m.compareList(t)
	ctx := m.t.Context()
	agency, members, err := m.s.AgencyWithMembers(ctx, m.id, modelIDs, modelEmails)
	if (m.agency == nil) != (err != nil) || m.agency != nil && agency != *m.agency {
		t.Fatalf("got the agency %+v, %v; want %+v", agency, err, m.agency)
	}
	for _, id := range modelIDs {
		alone, err := m.s.Member(ctx, m.id, id)
		if diff := gocmp.Diff([]account.Member{m.members[id], m.members[id]}, []account.Member{alone, members.ByID(id)}); err != nil || diff != "" {
			t.Fatalf("%s: %v (-model +store):\n%s", id, err, diff)
		}
		checkErr := m.s.db.WriteTx().Check(m.s.RequireActiveMember(m.id, id)).Put(m.s.table.Put(map[string]string{"pk": "X", "sk": "X"})).Run(ctx)
		if checkErr == nil != m.members[id].Active() || checkErr != nil && !dynamo.IsCondCheckFailed(checkErr) {
			t.Fatalf("%s is active in a transaction: %v", id, checkErr)
		}
	}
	for _, email := range modelEmails {
		want := m.memberByEmail(email)
		active, err := m.s.ActiveMember(ctx, m.id, email)
		if members.ByEmail(email) != want || want.Active() != (err == nil) || err == nil && active != want {
			t.Fatalf("%q: got %+v and the active %+v, %v; want %+v", email, members.ByEmail(email), active, err, want)
		}
		if err != nil && fault.IsFailure(err) {
			t.Fatalf("%q: %v, want it refused", email, err)
		}
		if email == "" {
			continue
		}
		n, err := m.s.table.Get("pk", "E#"+m.id).Range("sk", dynamo.Equal, email).Count(ctx)
		if err != nil || (n == 1) != (want.ID != "") {
			t.Fatalf("%q: %d items, %v; want one while a member has the address", email, n, err)
		}
	}
}

// TestAgencyAgreesWithItsModel delivers events of an agency and its members in any order and
// repeatedly: members share addresses, change them, are deleted and return.
func TestAgencyAgreesWithItsModel(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	rapid.Check(t, func(rt *rapid.T) {
		m := &agencyModel{s: s, t: t, id: fmt.Sprint("model-", serial.Add(1)), versions: map[string]int64{}, members: map[string]account.Member{}}
		rt.Repeat(map[string]func(*rapid.T){
			"member": m.applyMember, "another member": m.applyMember, "yet another": m.applyMember, "agency": m.applyAgency, "compare": m.compareStore,
		})
		m.compareStore(rt)
	})
}

// A page costs one query, however many members there are.
func TestAPageOfMembersIsOneQuery(t *testing.T) {
	t.Parallel()
	var calls cloudtest.Calls
	s := newTestStore(t, calls.Hook)
	for n := range 5 {
		s.applyMember(t, fmt.Sprint("m-", n), 1, &account.Member{ID: fmt.Sprint("m-", n), Email: fmt.Sprintf("m%d@example.com", n), Approved: true})
	}
	calls.Reset()
	page, next, err := s.ListMembers(t.Context(), "agency-1", "m0@example.com", 3)
	if err != nil || len(page) != 3 || page[0].ID != "m-1" || next != "m3@example.com" {
		t.Errorf("got %+v, %q, %v", page, next, err)
	}
	if got := calls.Reset(); !slices.Equal(got, []string{"DynamoDB.Query"}) {
		t.Errorf("got the calls %v", got)
	}
}

// Concurrent changes of members who share an address are all stored, and the item of the
// address is deleted with the last of them.
func TestConcurrentChangesOfMembersWithOneAddressAreAllStored(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	change := func(version int64, m func(id string) *account.Member) {
		done := make(chan error)
		for n := range 8 {
			id := fmt.Sprint("m-", n)
			go func() { done <- s.ApplyMember(t.Context(), "agency-1", id, version, m(id)) }()
		}
		for range 8 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	}
	change(1, func(id string) *account.Member {
		return &account.Member{ID: id, Email: "desk@example.com", Approved: id == "m-5"}
	})
	if m, err := s.ActiveMember(t.Context(), "agency-1", "desk@example.com"); m.ID != "m-5" {
		t.Errorf("got %+v, %v", m, err)
	}
	change(2, func(id string) *account.Member { return nil })
	if n, err := s.table.Get("pk", "E#agency-1").Range("sk", dynamo.Equal, "desk@example.com").Count(t.Context()); n != 0 || err != nil {
		t.Errorf("%d items are left, %v", n, err)
	}
}
