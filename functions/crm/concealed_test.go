package crm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// TestDrawnNamesAreConcealed fails if a stranger to 300 stealth roles (fewer with -short) reads the name of one's company, which every text has, in an own
// call, match or candidate.
func TestDrawnNamesAreConcealed(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCandidate(olga, newAda())
	companies := apitest.DrawCompanies(cloudtest.Draws(300))
	for i, c := range companies {
		b.putConcealed(fmt.Sprint("drawn-", i), c)
	}
	read := b.readAll(callsPath+"?limit=50", "calls") + b.readAll(matchPath+"?status=all&limit=20", "recommendations") +
		b.getOK("/recruiter/candidates/cand_ada")
	for i := range companies {
		read += b.getOK(callsPath + "/drawn-" + fmt.Sprint(i))
	}
	if n := strings.Count(read, "Confidential company"); n < 10*len(companies) {
		t.Errorf("a name is replaced %d times, want it in every text", n)
	}
	read = text.Fold(read)
	for _, c := range companies {
		if strings.Contains(read, text.Fold(c.Word)) {
			t.Errorf("a stranger reads %s, of %s", c.Word, c.Name)
		}
	}
}

// putConcealed stores a stealth role of a company, and olga's match, application and call that are about it, with a form of the
// company's name in every text.
func (b *testService) putConcealed(id string, c apitest.Company) {
	b.t.Helper()
	facts := role.Company{CompanyFacts: role.CompanyFacts{Name: c.Name, OneLiner: new("All about " + c.Form)}}
	b.must(b.roles.PutCompany(b.t.Context(), "co-"+id, b.nextStamp(), &facts))
	b.putRole(id, func(r *role.Role) {
		r.Visibility = contract.RoleVisibilityStealth
		r.CompanyID = "co-" + id
		r.Title = "Engineer at " + c.Form
	}, ben)
	m := newMatch(olga, id, b.Now())
	m.HiringManagerNote = new("Come to " + c.Form)
	b.putMatch(id, m)
	b.putApplication(id, id, olga, "cand_ada", "OFFER", b.Now())
	call := b.newCall(olga, b.Now(), "Hello from "+c.Form+".", "I like "+c.Name+".")
	call.RoleID = &id
	call.Title = c.Form + " intro"
	call.Summary = new("On " + c.Form)
	call.SummaryFull = new("All of " + c.Name)
	b.putCall(id, call)
}

// getOK returns what olga is answered.
func (b *testService) getOK(path string) string {
	b.t.Helper()
	a := b.get(olga, path)
	if a.Status != http.StatusOK {
		b.t.Fatalf("%s: got %d %s", path, a.Status, a.Body)
	}
	return a.Body
}

// readAll returns what olga reads on all pages of a list, which has rows on the last but an empty one.
func (b *testService) readAll(path, rows string) string {
	b.t.Helper()
	var all strings.Builder
	for cursor := ""; ; {
		body := b.getOK(path + cursor)
		all.WriteString(body)
		var page map[string]json.RawMessage
		b.must(json.Unmarshal([]byte(body), &page))
		next := strings.Trim(string(page["nextCursor"]), `"`)
		if next == "" || next == "null" || string(page[rows]) == "[]" {
			return all.String()
		}
		cursor = "&cursor=" + url.QueryEscape(next)
	}
}
