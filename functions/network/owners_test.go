package network_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/local/apitest"
	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// As many owners as there are workers submit one person at once: the
// membership of each exists after the first attempt.
func TestOnePersonOfManyOwners(t *testing.T) {
	t.Parallel()
	c := newClient(newTestServiceOn(t, cloudtest.System), 0, nil)
	a := newAgency()
	owners := topology.IngestQueue.MaxConcurrency
	for n := range owners {
		id := fmt.Sprint("rec_", n)
		a.Members[id] = account.Member{ID: id, Name: id, Email: id + "@example.com", Approved: true}
	}
	c.putAgency(a)
	upload := apitest.DecodeOK[contract.ResumeUpload](t, c.real.ask(http.MethodPost, "/resumes", `{"contentBase64":"`+c.real.resume()+`"}`))
	f := c.candidate()
	f.candidate.OwnerID = olga
	var items []string
	for n := range owners {
		items = append(items, f.body(fmt.Sprintf(`"recruiterEmail":"rec_%d@example.com","onMarketConfirmed":true,"resume":{"resumeFileId":%q}`, n, upload.ResumeFileID)))
	}
	out := apitest.DecodeOK[contract.BulkResponse](t, c.real.ask(http.MethodPost, "/talent-network/candidates/submit-bulk", `{"items":[`+strings.Join(items, ",")+`]}`))
	c.Move(time.Second)
	var workers sync.WaitGroup
	for _, message := range c.real.messages {
		workers.Go(func() {
			answer, err := c.real.worker.Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{{Body: message}}})
			if err != nil || len(answer.BatchItemFailures) > 0 {
				t.Errorf("got %+v, %v; want it done at the first attempt", answer, err)
			}
		})
	}
	workers.Wait()
	found := map[string]bool{}
	for _, item := range apitest.DecodeOK[contract.Batch](t, c.real.ask(http.MethodGet, "/talent-network/batches/"+out.BatchID, "")).Items {
		if found[item.CandidateUserID] = true; item.Status != contract.Succeeded {
			t.Errorf("got %+v", item)
		}
	}
	if listed := len(c.listCandidates("").Candidates); len(found) != owners || listed != owners {
		t.Errorf("got %d memberships and %d rows, want %d", len(found), listed, owners)
	}
}
