package account_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

func TestWhatIsPutIsRead(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	gotAgency, err := s.Agency(t.Context(), "agency-1")
	if diff := cmp.Diff(newAgency(), gotAgency); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	for _, want := range newMembers() {
		got, err := s.Member(t.Context(), "agency-1", want.ID)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("error %v (-want +got):\n%s", err, diff)
		}
	}
	gotRecruiter, err := s.Recruiter(t.Context(), "recruiter-1")
	if diff := cmp.Diff(newRecruiter(), gotRecruiter); err != nil || diff != "" {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	_, err = s.Agency(t.Context(), "recruiter-1")
	wantFault(t, err, fault.NotFound)
	_, err = s.Recruiter(t.Context(), "agency-1")
	wantFault(t, err, fault.NotFound)
}

func TestOlderVersionChangesNothing(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	for _, put := range []struct {
		version int64
		name    string
		want    string
	}{{7, "seven", "seven"}, {6, "six", "seven"}, {7, "seven again", "seven"}, {8, "eight", "eight"}} {
		a := newAgency()
		a.Name = put.name
		s.applyAgency(t, put.version, a)
		if got, err := s.Agency(t.Context(), a.ID); err != nil || got.Name != put.want {
			t.Errorf("after version %d: %q, error %v; want %q", put.version, got.Name, err, put.want)
		}
	}
}

func TestMembersAreFoundByEmail(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	for version, m := range []account.Member{
		{ID: "twin-a", Email: "twin@example.com", Approved: true, Deactivated: true}, {ID: "twin-b", Email: "twin@example.com", Approved: true},
		{ID: "twin-c", Email: "twin@example.com", Approved: true}, {ID: "nameless"},
	} {
		s.applyMember(t, m.ID, int64(version+1), &m)
	}
	want := map[string]string{
		"max@example.com": "member", "dan@example.com": "departed", "twin@example.com": "twin-b", "nobody@example.com": "", "MAX@example.com": "", "": "",
	}
	_, members, err := s.AgencyWithMembers(t.Context(), "agency-1", nil, slices.Collect(maps.Keys(want)))
	for email, id := range want {
		if got := members.ByEmail(email); got.ID != id || err != nil {
			t.Errorf("%q: got %q, %v; want %q", email, got.ID, err, id)
		}
		got, err := s.ActiveMember(t.Context(), "agency-1", email)
		if active := id != "" && id != "departed"; active != (err == nil) || active && got.ID != id {
			t.Errorf("%q: got the active member %q, %v", email, got.ID, err)
		}
	}
}

func TestActive(t *testing.T) {
	t.Parallel()
	want := map[string]bool{"owner": true, "member": true, "pending": false, "departed": false}
	for _, m := range newMembers() {
		if got := m.Active(); got != want[m.ID] {
			t.Errorf("%s: %v, want %v", m.ID, got, want[m.ID])
		}
	}
}

func TestRequireActiveMemberHoldsOnlyForAnActiveOne(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	for _, tt := range []struct {
		agency, member string
		want           bool
	}{
		{"agency-1", "member", true}, {"agency-1", "owner", true},
		{"agency-1", "pending", false}, {"agency-1", "departed", false},
		{"agency-1", "nobody", false}, {"agency-1", "a.b 'c", false}, {"agency-2", "member", false},
	} {
		err := s.db.WriteTx().
			Check(s.RequireActiveMember(tt.agency, tt.member)).
			Put(s.table.Put(map[string]string{"pk": "X#" + tt.member, "sk": "X"})).
			Run(t.Context())
		if tt.want && err != nil || !tt.want && !dynamo.IsCondCheckFailed(err) {
			t.Errorf("%s of %s: %v, want it to hold: %v", tt.member, tt.agency, err, tt.want)
		}
	}
}
