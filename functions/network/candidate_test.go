package network_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// readCandidate returns what GET …/candidates/{candidateUserId} responds.
func (b *testService) readCandidate(id string) contract.Candidate {
	b.t.Helper()
	return apitest.DecodeOK[contract.Candidate](b.t, b.sendRequest(http.MethodGet, listPath+"/"+id, ""))
}

// One response has what the list, the lookup and the preferences have.
func TestGetCandidateAgreesWithTheOtherRoutes(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	id := b.mustIngest(newCandidate(olga, 1))
	b.Move(time.Hour)
	got := b.readCandidate(id)
	found := apitest.DecodeOK[contract.LookupResponse](t, b.sendRequest(http.MethodPost, lookupPath, candidates(byID(id)))).Results[0].Candidates[0]
	preferences := apitest.DecodeOK[contract.CandidatePreferences](t, b.sendRequest(http.MethodGet, pathOf(id, "preferences"), ""))
	want := contract.Candidate{
		FoundCandidate: found, Preferences: preferences.Preferences,
		LastSubmission: &contract.LastSubmission{Source: "EXTERNAL_API", SubmittedAt: contract.At(b.Now().Add(-time.Hour))},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(b.listCandidates("").Candidates[0], got.CandidateRow); diff != "" {
		t.Errorf("(-list +got):\n%s", diff)
	}
}

// The response names the batch of the last submission through the API as long as the batch is kept.
func TestGetCandidateNamesTheLastSubmission(t *testing.T) {
	t.Parallel()
	c := newClient(newTestServiceOn(t, cloudtest.System), 0, nil)
	c.addOwners(1)
	f := flight{candidate: newCandidate("rec_0", c.first)}
	batchID := c.real.sendBulk([]flight{f})
	c.Move(time.Second)
	c.real.ingestAtOnce()
	item := apitest.DecodeOK[contract.Batch](t, c.real.ask(http.MethodGet, "/talent-network/batches/"+batchID, "")).Items[0]
	last := c.readCandidate(item.CandidateUserID).LastSubmission
	if last == nil || last.BatchID != batchID || last.SubmissionID != item.SubmissionID || last.Source != "EXTERNAL_API" {
		t.Fatalf("got %+v; want batch %s and submission %s", last, batchID, item.SubmissionID)
	}
	c.Move(submission.Retention)
	want := &contract.LastSubmission{Source: "EXTERNAL_API", SubmittedAt: last.SubmittedAt}
	if diff := cmp.Diff(want, c.readCandidate(item.CandidateUserID).LastSubmission); diff != "" {
		t.Errorf("after the batch is gone (-want +got):\n%s", diff)
	}
}
