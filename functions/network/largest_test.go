package network_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A hundred candidates of whom everything is as long as the contract lets it be
// fit into the database's items and transactions, and into lists and lookups.
func TestLargestBulk(t *testing.T) {
	t.Parallel()
	c := newClient(newTestServiceOn(t, cloudtest.System), 0, nil)
	upload := apitest.DecodeOK[contract.ResumeUpload](t, c.real.ask(http.MethodPost, "/resumes", `{"fileName":"`+strings.Repeat("長", 255)+`","contentBase64":"`+c.real.resume()+`"}`))
	list := func(key string) string { return `["` + strings.Repeat(key+`","`, 99) + key + `"]` }
	preferences := fmt.Sprintf(`{"locations":%s,"workplaceTypes":%s,"salaryMin":9007199254740991,"idealFundingRounds":%s,"visaAuthorization":"HAS_VISA_AUTHORIZATION","roleType":%s,"excludedIndustries":%s}`,
		list("south_bay_area"), list("REMOTE"), list("SERIES_A"), list("data_engineer"), list("ai"))
	items := make([]string, 100)
	for n := range items {
		items[n] = fmt.Sprintf(`{"name":%q,"email":"%s%02d@example.com","linkedinUrl":"https://www.linkedin.com/in/%s%02d","screeningCallLink":"https://example.com/%s",
			"clientReferenceId":%q,"preferences":%s,"onMarketConfirmed":true,"resume":{"resumeFileId":%q}}`,
			strings.Repeat("長", 300), strings.Repeat("x", 62), n, strings.Repeat("長", 198), n, strings.Repeat("x", 2028), strings.Repeat("長", 128), preferences, upload.ResumeFileID)
	}
	out := apitest.DecodeOK[contract.BulkResponse](t, c.real.ask(http.MethodPost, "/talent-network/candidates/submit-bulk", `{"items":[`+strings.Join(items, ",")+`]}`))
	c.Move(time.Second)
	for _, item := range out.Items[:5] {
		c.real.deliver(flight{submission: item.SubmissionID})
		got := c.real.end(out.BatchID, item.SubmissionID)
		if got.Status != contract.Succeeded {
			t.Fatalf("got %+v", got)
		}
		answer := c.sendRequest(http.MethodGet, pathOf(got.CandidateUserID, "preferences"), "")
		if again := c.sendRequest(http.MethodPut, pathOf(got.CandidateUserID, "preferences"), preferences); again.Body != answer.Body {
			t.Errorf("PUT answers %.300s, GET %.300s", again.Body, answer.Body)
		}
	}
	if got := len(c.listCandidates("").Candidates); got != 5 {
		t.Errorf("got %d rows, want 5", got)
	}
	if diff := cmp.Diff(contract.BulkQueued, out.Items[99].Status); diff != "" || out.Items[99].ClientReferenceID != strings.Repeat("長", 128) {
		t.Errorf("got %+v", out.Items[99])
	}
}
