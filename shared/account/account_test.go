package account_test

import (
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
	}{{7, "seven", "seven"}, {6, "six", "seven"}, {7, "seven again", "seven again"}, {8, "eight", "eight"}} {
		a := newAgency()
		a.Version, a.Name = put.version, put.name
		s.putAgency(t, a)
		if got, err := s.Agency(t.Context(), a.ID); err != nil || got.Name != put.want {
			t.Errorf("after version %d: %q, error %v; want %q", put.version, got.Name, err, put.want)
		}
	}
}

func TestMemberByEmail(t *testing.T) {
	t.Parallel()
	a := newAgency()
	a.Members["twin-a"] = account.Member{ID: "twin-a", Email: "twin@example.com", Approved: true, Deactivated: true}
	a.Members["twin-b"] = account.Member{ID: "twin-b", Email: "twin@example.com", Approved: true}
	a.Members["twin-c"] = account.Member{ID: "twin-c", Email: "twin@example.com", Approved: true}
	a.Members["nameless"] = account.Member{ID: "nameless"}
	for email, want := range map[string]string{
		"max@example.com": "member", "dan@example.com": "departed", "twin@example.com": "twin-b",
		"nobody@example.com": "", "MAX@example.com": "", "": "",
	} {
		got, ok := a.MemberByEmail(email)
		if got.ID != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v; want %q", email, got.ID, ok, want)
		}
	}
}

func TestActive(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{"owner": true, "member": true, "pending": false, "departed": false} {
		if got := newAgency().Members[id].Active(); got != want {
			t.Errorf("%s: %v, want %v", id, got, want)
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
