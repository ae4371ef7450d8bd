package system_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// A match expires on the seventh day, to the second, for every reader, whether or not
// the sweeper has run; a later event of the marketplace still takes precedence.
func TestMatchExpiry(t *testing.T) {
	t.Parallel()
	for name, sweeps := range map[string]bool{"with the sweeper running": true, "with the sweeper stopped": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newManualSystem(t)
			s.seedRecruiter(demo.OwnerID)
			sent := s.now()
			api := client.New(s.BaseURL, s.newRecruiterKey(demo.OwnerID))
			see := func(at time.Duration, status, listed string) {
				t.Helper()
				s.freezeClock(sent.Add(at))
				if sweeps {
					must(t, s.Sweep(t.Context()))
				}
				all, err := api.Matches(t.Context(), contract.ListMatchesRequest{Status: new(contract.MatchFilterAll)})
				must(t, err)
				got := fmt.Sprint(all.Recommendations[0].Status, " ", all.Recommendations[0].ActionBucket)
				pending, err := api.Matches(t.Context(), contract.ListMatchesRequest{})
				must(t, err)
				if count := fmt.Sprint(len(pending.Recommendations)); got != status || count != listed {
					t.Errorf("%v after it was sent: %q, %s listed as pending; want %q, %s", at, got, count, status, listed)
				}
			}
			see(0, "pending new", "1")
			see(match.ExpiryPeriod-time.Second, "pending new", "1")
			see(match.ExpiryPeriod-time.Millisecond, "pending new", "1")
			see(match.ExpiryPeriod, "expired expired", "0")
			see(match.ExpiryPeriod+time.Second, "expired expired", "0")
			worker, err := feed.New(t.Context(), system.Permitted(s.Host, topology.Feed.Name))
			must(t, err)
			refused, err := worker.Apply(t.Context(), s.newEventJSON("match.upserted", seededMatch, 2, fmt.Sprintf(
				`"data": {"recruiterId": %q, "roleId": %q, "status": "submitted", "sentAt": %q, "candidate": {"candidateId": %q, "name": "Ada Example"}}`,
				demo.OwnerID, seededRole, sent.UTC().Format(time.RFC3339Nano), seededCandidate)))
			if must(t, err); refused != "" {
				t.Fatal(refused)
			}
			see(match.ExpiryPeriod+time.Minute, "submitted closed", "0")
		})
	}
}

// A candidate's eligibility ends to the millisecond, for every list, whether or not the
// sweeper has run.
func TestEligibilityEnds(t *testing.T) {
	t.Parallel()
	for name, sweeps := range map[string]bool{"with the sweeper running": true, "with the sweeper stopped": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newManualSystem(t)
			api := s.newAgencyClient()
			_, err := api.Submit(t.Context(), newSubmitRequest(t, priya, ""))
			must(t, err)
			s.freezeClock(s.now().Truncate(time.Second))
			s.runWorkers()
			id := s.membershipIDs(priya.email)[0]
			added := s.now()
			see := func(at time.Duration, want contract.MarketStatus) {
				t.Helper()
				s.freezeClock(added.Add(at))
				if sweeps {
					must(t, s.Sweep(t.Context()))
				}
				for _, status := range []contract.MarketStatus{contract.OnMarket, contract.OffMarket, contract.Expired} {
					for _, owner := range []*string{nil, new(demo.OwnerEmail)} {
						page, err := api.Candidates(t.Context(), contract.ListCandidatesRequest{Status: new(status), RecruiterEmail: owner})
						must(t, err)
						if got := len(page.Candidates) == 1; got != (status == want) || got && page.Candidates[0].Status != want {
							t.Errorf("%v after the submission: %s is listed as %s: %t; want it %s", at, id, status, got, want)
						}
					}
				}
			}
			see(0, contract.OnMarket)
			see(network.DefaultEligibility-time.Millisecond, contract.OnMarket)
			see(network.DefaultEligibility, contract.Expired)
			see(network.DefaultEligibility+time.Hour, contract.Expired)
			_, err = api.ReEnable(t.Context(), contract.CandidateReference{CandidateUserID: &id})
			must(t, err)
			see(network.DefaultEligibility+time.Hour, contract.OnMarket)
			_, err = api.OffMarket(t.Context(), contract.CandidateReference{CandidateUserID: &id})
			must(t, err)
			see(2*network.DefaultEligibility+2*time.Hour, contract.OffMarket)
		})
	}
}
