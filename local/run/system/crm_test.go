package system_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/objectstore"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

// The demo's recruiter has a CRM, matches in every state and calls, and each of them
// can be read.
func TestDemoRecruiter(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	must(t, sys.LoadRoles(t.Context(), 60))
	c := client.New(sys.BaseURL, sys.newRecruiterKey(demo.OwnerID), withShortWaits)
	people := 0
	candidates := contract.ListCRMCandidatesRequest{Limit: 50}
	furthest := map[string]bool{}
	for {
		page, err := c.CRMCandidates(t.Context(), candidates)
		must(t, err)
		people += len(page.Candidates)
		for _, row := range page.Candidates {
			if row.FurthestStatus != nil {
				furthest[string(*row.FurthestStatus)] = true
			}
		}
		candidates.Cursor = page.NextCursor
		if page.NextCursor == nil {
			break
		}
	}
	if people != market.CandidateCount-2 || !furthest["INTERVIEWING"] || !furthest["HIRED"] {
		t.Errorf("the CRM has %d candidates, who came as far as %v; want %d", people, furthest, market.CandidateCount-2)
	}
	got := map[string]bool{}
	matches := contract.ListMatchesRequest{Status: new(contract.MatchFilter("all"))}
	for {
		page, err := c.Matches(t.Context(), matches)
		must(t, err)
		for _, m := range page.Recommendations {
			got[string(m.Status)+" "+string(m.ActionBucket)] = true
			if _, err := c.CRMCandidate(t.Context(), m.Candidate.CandidateID); err != nil || m.Role.Name == "" {
				t.Errorf("%+v, %v; want its candidate and its role", m, err)
			}
		}
		matches.Cursor = page.NextCursor
		if page.NextCursor == nil {
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
	if len(calls.Calls) != market.CallCount || calls.NextCursor != nil {
		t.Errorf("%d calls; want %d", len(calls.Calls), market.CallCount)
	}
	for _, row := range calls.Calls[:3] {
		if one, err := c.Call(t.Context(), row.CallID); err != nil || one.Transcript.Text == "" {
			t.Errorf("%s: %+v, %v", row.CallID, one, err)
		}
	}
	sys.checkItemKinds()
}

// A CRM of more than a page of the database is published when it is noted, by the
// functions as they are deployed. The next search already reflects a candidate that the feed has
// added, edited or erased, and an erasure sends another notice.
func TestLargeCRM(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	var err error
	s.feeder, err = feed.New(t.Context(), system.Permitted(s.Host, topology.Feed.Name))
	must(t, err)
	worker, err := publisher.New(t.Context(), system.Permitted(s.Host, topology.Publisher.Name))
	must(t, err)
	// 1,200 rows of this length are more than a megabyte, which is a page.
	oneLiner := "Engineer" + strings.Repeat(" of many things", 60)
	line := func(n, version int, name string) market.Event {
		id := fmt.Sprintf("cand_%04d", n)
		return market.Event(s.newEventJSON("crmCandidate.upserted", demo.OwnerID+"/"+id, version, `"data":`+string(encodeBody(t, object{
			"recruiterId": demo.OwnerID, "candidateId": id, "name": name, "email": fmt.Sprintf("p%d@example.com", n), "oneLiner": oneLiner,
			"relationshipStatus": "SOURCED", "addedAt": contract.At(s.now().Add(time.Duration(n) * time.Second)),
		}))))
	}
	var all []market.Event
	for n := range 1200 {
		all = append(all, line(n, 1, fmt.Sprint("Person ", n)))
	}
	s.applyEvents(all...)
	c := client.New(s.BaseURL, s.personal, withShortWaits)
	found := func(query string) (ids []string) {
		in := contract.ListCRMCandidatesRequest{Query: &query, Limit: 50}
		for {
			page, err := c.CRMCandidates(t.Context(), in)
			must(t, err)
			for _, row := range page.Candidates {
				ids = append(ids, row.CandidateID)
			}
			in.Cursor = page.NextCursor
			if in.Cursor == nil {
				return ids
			}
		}
	}
	deliver := func(body, times string, failures int) {
		t.Helper()
		out, err := worker.Handle(t.Context(), events.SQSEvent{Records: []events.SQSMessage{{
			MessageId: "m1", Body: body, Attributes: map[string]string{"ApproximateReceiveCount": times},
		}}})
		if must(t, err); len(out.(events.SQSEventResponse).BatchItemFailures) != failures {
			t.Errorf("%s: got %+v; want %d failures", body, out, failures)
		}
	}
	note := func() {
		t.Helper()
		noted := crm.ChangeNotice{RecruiterID: demo.OwnerID, At: s.now()}
		s.advanceClock(crm.NoticeDelay)
		deliver(noted.String(), "1", 0)
	}
	base := func() string {
		bucket := objectstore.Open(s.Host.Opener(), topology.MarketplaceBucket)
		content, err := bucket.Get(t.Context(), crm.IndexPrefix+demo.OwnerID, 1<<20)
		must(t, err)
		return string(content)
	}
	rows := found("person 119")
	note()
	if got := s.storedObjects(topology.MarketplaceBucket, crm.IndexPrefix); len(got) != 1 {
		t.Fatalf("the bases are %q", got)
	}
	published := base()
	old := crm.ChangeNotice{RecruiterID: demo.OwnerID, At: s.now().Add(-crm.NoticeDelay)}.String()
	s.advanceClock(time.Second)
	deliver("no note", "1", 1)
	if deliver(old, "1", 0); base() != published {
		t.Error("a note was published twice")
	}
	if deliver(old, "2", 0); base() == published {
		t.Error("a note that came again was not published in any case")
	}
	for _, step := range []struct {
		change func()
		query  string
		want   []string
	}{
		{func() {}, "person 119", rows},
		{func() { s.applyEvents(line(1200, 1, "Wilhelmina Test")) }, "wilhelm", []string{"cand_1200"}},
		{func() { s.applyEvents(line(7, 2, "Wilhelmina Other")) }, "wilhelm", []string{"cand_1200", "cand_0007"}},
		{func() {
			s.applyEvent("person.erased", "p1", 1, object{"identityHashes": []string{identity.Hash("p1200@example.com")}})
		}, "wilhelm", []string{"cand_0007"}},
		{note, "wilhelm", []string{"cand_0007"}},
		{func() { s.applyEvent("crmCandidate.deleted", demo.OwnerID+"/cand_0007", 3, nil) }, "wilhelm", nil},
	} {
		step.change()
		if diff := cmp.Diff(step.want, found(step.query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.query, diff)
		}
	}
}
