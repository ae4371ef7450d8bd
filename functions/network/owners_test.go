package network_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// As many submissions as there are workers are ingested at once, for an owner each, or with an
// e-mail address in common: the membership of each exists after the first attempt.
func TestSubmissionsAtOnce(t *testing.T) {
	t.Parallel()
	submissions := topology.IngestQueue.MaxConcurrency
	for name, candidateOf := range map[string]func(c *client, n int) flight{
		"of one person for many owners": func(c *client, n int) flight {
			return flight{candidate: newCandidate(fmt.Sprint("rec_", n), c.first)}
		},
		"of many persons with one e-mail address": func(c *client, n int) flight {
			f := flight{candidate: newCandidate(olga, c.first+n)}
			f.candidate.Email = newCandidate("", c.first).Email
			return f
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClient(newTestServiceOn(t, cloudtest.System), 0, nil)
			c.addOwners(submissions)
			var sent []flight
			for n := range submissions {
				sent = append(sent, candidateOf(c, n))
			}
			batch := c.real.sendBulk(sent)
			c.Move(time.Second)
			c.real.ingestAtOnce()
			c.checkMemberships(batch, sent)
			found := apitest.DecodeOK[contract.LookupResponse](t, c.sendRequest(http.MethodPost, lookupPath, candidates(byEmail(c.first)))).Results[0].Candidates
			if len(found) != submissions {
				t.Errorf("the address leads to %d memberships, want %d", len(found), submissions)
			}
		})
	}
}

// addOwners adds members rec_0, rec_1 and so on to the agency.
func (c *client) addOwners(n int) {
	c.t.Helper()
	a := newAgency()
	for n := range n {
		id := fmt.Sprint("rec_", n)
		a.Members[id] = account.Member{ID: id, Name: id, Email: id + "@example.com", Approved: true}
	}
	c.putAgency(a)
}

// sendBulk submits candidates with one upload and returns the batch.
func (p *pipeline) sendBulk(sent []flight) (batch string) {
	p.t.Helper()
	upload := apitest.DecodeOK[contract.ResumeUpload](p.t, p.ask(http.MethodPost, "/resumes", `{"contentBase64":"`+p.resume()+`"}`))
	var items []string
	for _, f := range sent {
		owner, err := p.accounts.Member(p.t.Context(), agencyID, f.candidate.OwnerID)
		p.must(err)
		f.candidate.OwnerID = olga // body names no recruiter
		items = append(items, f.body(fmt.Sprintf(`"recruiterEmail":%q,"onMarketConfirmed":true,"resume":{"resumeFileId":%q}`, owner.Email, upload.ResumeFileID)))
	}
	return apitest.DecodeOK[contract.BulkResponse](p.t, p.ask(http.MethodPost, "/talent-network/candidates/submit-bulk", `{"items":[`+strings.Join(items, ",")+`]}`)).BatchID
}

// ingestAtOnce gives a worker each message that was queued, all at the same time.
func (p *pipeline) ingestAtOnce() {
	p.t.Helper()
	var workers sync.WaitGroup
	for _, message := range p.messages {
		workers.Go(func() {
			answer, err := p.worker.Handle(p.t.Context(), events.SQSEvent{Records: []events.SQSMessage{{Body: message}}})
			if err != nil || len(answer.BatchItemFailures) > 0 {
				p.t.Errorf("got %+v, %v; want it done at the first attempt", answer, err)
			}
		})
	}
	workers.Wait()
}

// checkMemberships checks that each item of a batch made a membership of what was sent in it.
func (c *client) checkMemberships(batch string, sent []flight) {
	c.t.Helper()
	found := map[string]bool{}
	for _, item := range apitest.DecodeOK[contract.Batch](c.t, c.real.ask(http.MethodGet, "/talent-network/batches/"+batch, "")).Items {
		m, _, err := c.store.Membership(c.t.Context(), item.CandidateUserID)
		c.must(err)
		want := sent[item.Index].candidate
		got := []string{m.OwnerID, m.Name, m.Email, m.LinkedInURL}
		if diff := cmp.Diff([]string{want.OwnerID, want.Name, want.Email, want.LinkedInURL}, got); diff != "" {
			c.t.Errorf("item %d %s (-sent +stored):\n%s", item.Index, item.Status, diff)
		}
		found[m.ID] = true
	}
	if listed := len(c.listCandidates("").Candidates); len(found) != len(sent) || listed != len(sent) {
		c.t.Errorf("got %d memberships and %d rows, want %d", len(found), listed, len(sent))
	}
}
