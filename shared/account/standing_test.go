package account_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// TestStanding fails unless a recruiter is returned with the agency and the membership, whatever agency is guessed.
func TestStanding(t *testing.T) {
	t.Parallel()
	s := newTestStore(t)
	agency := newAgency()
	agency.HidesPayment = true
	s.applyAgency(t, 2, agency)
	members := newMembers()
	for _, test := range []struct {
		id, agencyID string
		agency       *account.Agency
		member       account.Member
		feesHidden   bool
	}{
		{"independent", "", nil, account.Member{}, false},
		{"early", "agency-2", nil, account.Member{}, false}, // before the event of the agency
		{"member", "agency-1", &agency, members[1], true},
		{"owner", "agency-1", &agency, members[0], false},
		{"pending", "agency-1", &agency, account.Member{}, true},
		{"departed", "agency-1", &agency, account.Member{}, true},
	} {
		r := account.Recruiter{ID: test.id, Name: "Rita Recruiter", Email: "rita@example.com", CanRecruit: true, AgencyID: test.agencyID}
		s.applyRecruiter(t, 1, r)
		for _, guess := range []string{"", "agency-1", "agency-2"} {
			got, err := s.Standing(t.Context(), test.id, guess)
			want := account.Standing{Recruiter: r, Agency: test.agency, Member: test.member}
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%s, guessed %q: %v (-want +got):\n%s", test.id, guess, err, diff)
			}
			if got.FeesHidden() != test.feesHidden {
				t.Errorf("%s, guessed %q: fees hidden %t, want %t", test.id, guess, got.FeesHidden(), test.feesHidden)
			}
		}
	}
	for _, guess := range []string{"", "agency-1"} {
		_, err := s.Standing(t.Context(), "unknown", guess)
		wantFault(t, err, fault.NotFound)
	}
}
