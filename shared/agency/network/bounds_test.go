package network_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// TestNewerStatements fails unless what was stated after a submission, or with the same file at the same time, is named.
func TestNewerStatements(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		submitted time.Duration
		want      []string
	}{
		"before all":           {-time.Millisecond, []string{"resume", "preferences", "market"}},
		"the same again":       {0, []string{"resume", "preferences", "market"}},
		"after the resume":     {time.Millisecond, []string{"preferences", "market"}},
		"with the preferences": {time.Hour, []string{"preferences", "market"}},
		"after them":           {time.Hour + time.Millisecond, []string{"market"}},
		"after all":            {2*time.Hour + time.Millisecond, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t)
			c := newCandidate("ada", "a")
			if kinds := d.mustIngest(c, candidateID(1), start).NewerStatements; kinds != nil {
				t.Errorf("a new one: got %v", kinds)
			}
			_, err := d.SetPreferences(ctx, d.mustMembership(candidateID(1)), contract.WorkPreferences{SalaryMin: 1}, write(time.Hour))
			must(t, err)
			d.offMarket(start.Add(2*time.Hour), emailReference("a"))
			c.SubmittedAt = start.Add(test.submitted)
			if got := d.mustPlace(c, candidateID(2)).NewerStatements; !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

// TestHashesOfAPerson fails unless a membership has the hashes of all identities under which it was submitted.
func TestHashesOfAPerson(t *testing.T) {
	t.Parallel()
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	again := newCandidate("ada", "b")
	again.SubmittedAt = start.Add(time.Second)
	d.mustIngest(again, candidateID(2), start)
	got := d.mustMembership(candidateID(1)).PersonHashes()
	want := []string{"em#" + identity.Hash("a@example.com"), "li#" + identity.Hash("https://www.linkedin.com/in/ada"), "em#" + identity.Hash("b@example.com")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPagesThatAreReadConsistently fails unless the first page and those of the last two minutes are.
func TestPagesThatAreReadConsistently(t *testing.T) {
	t.Parallel()
	after := sortKey(network.Row{ID: candidateID(1), AddedAt: start})
	for name, test := range map[string]struct {
		page network.Page
		want bool
	}{
		"the first page": {network.Page{Now: start.Add(time.Hour)}, true},
		"added now":      {network.Page{After: after, Now: start}, true},
		"added lately":   {network.Page{After: after, Now: start.Add(2*time.Minute - time.Millisecond)}, true},
		"settled":        {network.Page{After: after, Now: start.Add(2 * time.Minute)}, false},
	} {
		if got := test.page.Consistent(); got != test.want {
			t.Errorf("%s: got %t, want %t", name, got, test.want)
		}
	}
}

// TestShapesOfSortKeys fails if a text that no row has is a position in a list.
func TestShapesOfSortKeys(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"0000000000001#x": true, "9999999999999#x": true, "0000000000001#x#y": true,
		"": false, "0000000000001": false, "0000000000001#": false, "000000000001#x": false, "00000000000001#x": false, "+000000000001#x": false,
	} {
		if got := network.ValidSortKey(text); got != want {
			t.Errorf("%q: got %t, want %t", text, got, want)
		}
	}
}

// TestPeriodOfEligibility fails unless an ingestion and a re-enable make a candidate eligible for 90 days.
func TestPeriodOfEligibility(t *testing.T) {
	t.Parallel()
	const days = 24 * time.Hour
	d := newTestStore(t)
	d.mustIngest(newCandidate("ada", "a"), candidateID(1), start)
	d.wantStatus(start.Add(90*days-time.Millisecond), contract.OnMarket)
	d.wantStatus(start.Add(90*days), contract.Expired)
	again := start.Add(90 * days)
	out, err := d.ReEnable(ctx, "agy_1", []contract.CandidateReference{emailReference("a")}, allOwners, network.Write{Now: again, ID: "again"})
	must(t, err)
	if out[0].Status != contract.ResultOnMarket {
		t.Errorf("got %s, want it on the market", out[0].Status)
	}
	d.wantStatus(again.Add(90*days-time.Millisecond), contract.OnMarket)
	d.wantStatus(again.Add(90*days), contract.Expired)
}

func (d testStore) wantStatus(at time.Time, want contract.MarketStatus) {
	d.t.Helper()
	if got := d.mustMembership(candidateID(1)).Market.Status(at); got != want {
		d.t.Errorf("at %v: got %s, want %s", at, got, want)
	}
}
