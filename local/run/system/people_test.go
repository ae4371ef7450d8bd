package system_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The demo's candidates have every state; those of a deactivated member are hidden.
func TestDemoPeople(t *testing.T) {
	t.Parallel()
	c := startSystem(t, nil).newAgencyClient()
	page, err := c.Candidates(t.Context(), contract.ListCandidatesRequest{})
	must(t, err)
	var got []string
	for _, r := range page.Candidates {
		got = append(got, fmt.Sprint(r.Name, ", ", r.Recruiter.Name, ": ", r.Status, map[bool]string{true: ", fast-track"}[r.FastTrack]))
	}
	want := []string{
		"Sofia Marchetti, Amadou Keita: on_market", "Sofia Marchetti, Ingrid Solberg: on_market",
		"Kwame Boateng, Ingrid Solberg: on_market, fast-track", "Hana Sato, Ingrid Solberg: off_market",
		"Erik Lund, Amadou Keita: off_market", "Ana Popescu, Amadou Keita: expired",
	}
	if diff := cmp.Diff(want, got); diff != "" || page.NextCursor != nil {
		t.Errorf("(-want +got):\n%s", diff)
	}
	out, err := c.ReEnable(t.Context(),
		contract.CandidateReference{Email: new("erik.lund@example.org")}, contract.CandidateReference{Email: new(demo.ExcludedEmail)})
	must(t, err)
	if out.Results[0].Status != contract.ResultLocked || out.Results[1].Status != contract.ResultPreExcluded {
		t.Errorf("got %+v", out.Results)
	}
}
