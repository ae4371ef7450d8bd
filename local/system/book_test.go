package system_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/shared/client"
	"github.com/recruiting-marketplace/external-api/shared/contract"
)

// The demo's recruiter has a book, matches in every state and calls, and every one
// of them can be opened.
func TestDemoDesk(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	must(t, b.LoadRoles(t.Context(), 60))
	c := client.New(b.BaseURL, b.recruiterKey(demo.OwnerID), hurried)
	people, candidates := 0, contract.ListCRMCandidatesRequest{Limit: 50}
	furthest := map[string]bool{}
	for {
		page, err := c.CRMCandidates(t.Context(), candidates)
		must(t, err)
		people += len(page.Candidates)
		for _, row := range page.Candidates {
			if row.FurthestStatus != nil {
				furthest[*row.FurthestStatus] = true
			}
		}
		if candidates.Cursor = page.NextCursor; page.NextCursor == nil {
			break
		}
	}
	if people != market.BookSize-2 || !furthest["INTERVIEWING"] || !furthest["HIRED"] {
		t.Errorf("the book has %d candidates, who came as far as %v; want %d", people, furthest, market.BookSize-2)
	}
	got := map[string]bool{}
	matches := contract.ListMatchesRequest{Status: new("all")}
	for {
		page, err := c.Matches(t.Context(), matches)
		must(t, err)
		for _, m := range page.Recommendations {
			got[m.Status+" "+m.ActionBucket] = true
			if _, err := c.CRMCandidate(t.Context(), m.Candidate.CandidateID); err != nil || m.Role.Name == "" {
				t.Errorf("%+v, %v; want its candidate and its role", m, err)
			}
		}
		if matches.Cursor = page.NextCursor; page.NextCursor == nil {
			break
		}
	}
	want := map[string]bool{
		"pending new": true, "pending needs_submission": true, "expired expired": true, "submitted closed": true, "dismissed closed": true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("matches (-want +got):\n%s", diff)
	}
	calls, err := c.Calls(t.Context(), contract.ListCallsRequest{Limit: 50})
	must(t, err)
	if len(calls.Calls) != market.Calls || calls.NextCursor != nil {
		t.Errorf("%d calls; want %d", len(calls.Calls), market.Calls)
	}
	for _, row := range calls.Calls[:3] {
		if one, err := c.Call(t.Context(), row.CallID); err != nil || one.Transcript.Text == "" {
			t.Errorf("%s: %+v, %v", row.CallID, one, err)
		}
	}
}
