package system_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A resume is submitted over HTTP, the worker reads it and verifies the profile, the
// batch says succeeded, and GET preferences finds the candidate.
func TestSubmitIngestPoll(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	c := sys.newAgencyClient()
	for _, p := range []person{mayaLibreOffice, mayaChromium, jonas, priya} {
		t.Run(p.file, func(t *testing.T) {
			item := submitAndWait(t, c, newSubmitRequest(t, p, ""))
			if item.Status != contract.Succeeded || item.CandidateUserID == "" {
				t.Fatalf("got %+v; want succeeded with a candidateUserId", item)
			}
			got, err := c.Preferences(t.Context(), item.CandidateUserID)
			if err != nil {
				t.Fatal(err)
			}
			salary := int64(90_000)
			ote := int64(150_000)
			visa := contract.VisaAuthorizationHasVisaAuthorization
			want := contract.CandidatePreferences{CandidateUserID: item.CandidateUserID, Preferences: &contract.SavedWorkPreferences{
				Locations: []contract.Location{"europe", "uk"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: &salary, OTE: &ote,
				IdealFundingRounds: []contract.FundingRound{"SERIES_A"}, VisaAuthorization: &visa, RoleType: []contract.RoleType{"backend_engineer"},
				ExcludedIndustries: []contract.Industry{}, CompanySizePreferences: []contract.CompanySize{},
			}}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("preferences (-want +got):\n%s", diff)
			}
		})
	}
}
