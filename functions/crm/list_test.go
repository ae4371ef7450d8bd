package crm_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
)

const candidatesPath = "/recruiter/candidates"

// putCandidates stores n candidates for olga, a minute apart; the last is the newest.
func (b *testService) putCandidates(n int) {
	for i := range n {
		b.putCandidate(olga, crm.Candidate{
			CandidateID: fmt.Sprintf("cand%03d", i), Name: fmt.Sprintf("Person %d", i), AddedAt: contract.At(b.Now().Add(time.Duration(i) * time.Minute)),
			OneLiner: new("Staff engineer who builds compilers"), Location: new("London"), CurrentRole: contract.Position{Company: new("Example Works"), Title: new("Engineer")},
			LinkedInURL: new(fmt.Sprintf("https://www.linkedin.com/in/person-%d", i)), Tags: []string{[]string{"go", "rust"}[i%2]},
			RelationshipStatus: []string{"SOURCED", "ACTIVE", "REPLIED"}[i%3],
		})
	}
}

// TestListRow shows what is known, and unknown things as their type's empty value.
func TestListRow(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	full := newAda()
	full.CurrentRole = contract.Position{Company: new("Brightwater"), Title: new("CTO")}
	full.LinkedInURL = new("https://www.linkedin.com/in/ada")
	full.Location = new("Oslo")
	b.putCandidate(olga, full)
	b.putApplication("a1", "r1", olga, "cand_ada", "INTERVIEWING", b.Now())
	b.putCandidate(olga, crm.Candidate{CandidateID: "cand_bea", Name: "Bea", AddedAt: contract.At(b.Now())})
	b.putCandidate(ben, crm.Candidate{CandidateID: "cand_cyd", Name: "Cyd", AddedAt: contract.At(b.Now())})
	want := `{"candidates":[` +
		`{"candidateId":"cand_bea","name":"Bea","linkedinUrl":"","location":"","oneLiner":"","currentRole":{"company":null,"title":null},` +
		`"relationshipStatus":"SOURCED","furthestStatus":null,"tags":[],"addedAt":"2026-05-06T07:08:09.000Z"},` +
		`{"candidateId":"cand_ada","name":"Ada Example","linkedinUrl":"https://www.linkedin.com/in/ada","location":"Oslo","oneLiner":"Builds things",` +
		`"currentRole":{"company":"Brightwater","title":"CTO"},"relationshipStatus":"SCREENED","furthestStatus":"INTERVIEWING","tags":["go"],"addedAt":"2026-02-01T00:00:00.000Z"}]}`
	if a := b.get(olga, candidatesPath); a.Body != want {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, a.Body))
	}
	if a := b.get(zoe, candidatesPath); a.Body != `{"candidates":[]}` {
		t.Errorf("an empty CRM: %s", a.Body)
	}
}

// listPages walks all pages of a list.
func (b *testService) listPages(path string, query url.Values) (pages [][]string) {
	b.t.Helper()
	for {
		page := apitest.DecodeOK[contract.CRMCandidateList](b.t, b.get(olga, path+"?"+query.Encode()))
		var ids []string
		for _, c := range page.Candidates {
			ids = append(ids, c.CandidateID)
		}
		pages = append(pages, ids)
		if page.NextCursor == nil {
			return pages
		}
		query.Set("cursor", fmt.Sprint(*page.NextCursor))
	}
}

// Pages hold 20 by default and 50 at most; they go by a number that any request
// may send.
func TestListPages(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCandidates(55)
	var want []string
	for i := range 55 {
		want = append(want, fmt.Sprintf("cand%03d", 54-i))
	}
	for limit, sizes := range map[string][]int{"": {20, 20, 15}, "50": {50, 5}, "9000": {50, 5}, "11": {11, 11, 11, 11, 11}} {
		query := url.Values{}
		if limit != "" {
			query.Set("limit", limit)
		}
		var got []int
		pages := b.listPages(candidatesPath, query)
		for _, p := range pages {
			got = append(got, len(p))
		}
		if diff := cmp.Diff(want, slices.Concat(pages...)); diff != "" || !slices.Equal(got, sizes) {
			t.Errorf("limit %q: pages of %v, want %v (-want +got):\n%s", limit, got, sizes, diff)
		}
	}
	for cursor, first := range map[string]string{"0": "cand054", "": "cand054", "9007199254740991": "", "4503599627370496": "", "1": "cand054"} {
		got := ""
		if rows := apitest.DecodeOK[contract.CRMCandidateList](t, b.get(olga, candidatesPath+"?cursor="+cursor)).Candidates; len(rows) > 0 {
			got = rows[0].CandidateID
		}
		if got != first {
			t.Errorf("cursor %q begins with %q; want %q", cursor, got, first)
		}
	}
	for _, query := range []string{"cursor=-1", "cursor=9007199254740992", "cursor=x", "cursor=1.5", "limit=0", "limit=x", "query=", "relationshipStatus=sourced"} {
		if a := b.get(olga, candidatesPath+"?"+query); a.Status != http.StatusBadRequest {
			t.Errorf("%s: got %d %s; want 400", query, a.Status, a.Body)
		}
	}
}

// A query goes by folded words, names first; tags and relationships pass any.
func TestListSearch(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	for i, c := range []crm.Candidate{
		{Name: "Zoë Müller", OneLiner: new("Builds robots")},
		{Name: "Bo", OneLiner: new("Once worked with zoe")},
		{Name: "ZOE Abbott", Tags: []string{"go", "staff"}, RelationshipStatus: "ACTIVE"},
		{Name: "Cy", Experiences: []contract.CRMExperience{{Company: new("Zoë Robotics")}}, Tags: []string{"go"}, RelationshipStatus: "ACTIVE"},
		{Name: "Di", Location: new("Zoetermeer"), Tags: []string{"rust"}},
		{Name: "Ed", Note: new("zoe"), Email: new("zoe@example.com")},
	} {
		c.CandidateID = fmt.Sprint("c", i)
		c.AddedAt = contract.At(b.Now().Add(time.Duration(i) * time.Hour))
		b.putCandidate(olga, c)
	}
	for query, want := range map[string]string{
		"query=zoe": "c2 c0 c4 c3 c1", "query=ZO%C3%8B": "c2 c0 c4 c3 c1", "query=zo+mul": "c0", "query=zoe+robo": "c3 c0", "query=zoe+nobody": "",
		"query=oe": "", "query=zoe&tags=go": "c2 c3", "tags=go&tags=rust": "c4 c3 c2", "relationshipStatus=ACTIVE": "c3 c2",
		"relationshipStatus=ACTIVE&relationshipStatus=SOURCED": "c5 c4 c3 c2 c1 c0", "relationshipStatus=ACTIVE&tags=staff": "c2", "tags=nobody": "",
		"query=zoe&limit=2": "c2 c0 c4 c3 c1",
	} {
		values, err := url.ParseQuery(query)
		b.must(err)
		if got := strings.Join(slices.Concat(b.listPages(candidatesPath, values)...), " "); got != want {
			t.Errorf("%s: got %q; want %q", query, got, want)
		}
	}
}

// A page without a filter is one call; with one, a CRM of 300 is read while it is
// checked whether it has a base: in one wave after the key check.
func TestListBudget(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCandidates(300)
	for path, want := range map[string][]string{
		candidatesPath:                              {"DynamoDB.UpdateItem", "DynamoDB.Query"},
		candidatesPath + "?tags=go&limit=50":        {"DynamoDB.UpdateItem", "DynamoDB.GetItem", "DynamoDB.Query"},
		candidatesPath + "?query=person+2&limit=50": {"DynamoDB.UpdateItem", "DynamoDB.GetItem", "DynamoDB.Query"},
		candidatesPath + "/cand001":                 {"DynamoDB.UpdateItem", "DynamoDB.Query"},
		"/recruiter/notetaker-calls":                {"DynamoDB.UpdateItem", "DynamoDB.Query"},
		"/recruiter/recommendations?status=all":     {"DynamoDB.UpdateItem", "DynamoDB.GetItem", "DynamoDB.Query", "DynamoDB.BatchGetItem"},
	} {
		if a := b.get(olga, path); a.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", path, a.Status, a.Body)
		}
		got := b.calls.Reset()
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}
