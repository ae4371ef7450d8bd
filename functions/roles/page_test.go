package roles_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// putRankedRoles stores roles of which the query "dock worker" finds the id 1 best and 5 worst, in the
// opposite of the Browse order, and of the order of updates.
func (b *testService) putRankedRoles() {
	b.t.Helper()
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Example Works"}})
	b.putCompany("dock", role.Company{CompanyFacts: role.CompanyFacts{Name: "Dock Worker Agency"}})
	b.putCompany("prose", role.Company{CompanyFacts: role.CompanyFacts{Name: "Plain Works", OneLiner: new("Every worker of a dock")}})
	for i, tt := range []struct{ title, company string }{
		{"Dock Worker", "co"}, {"Foreman", "dock"}, {"Worker at the Dock", "co"}, {"Worker", "prose"}, {"Foreman", "prose"},
	} {
		b.putRole(fmt.Sprint(i+1), func(r *role.Role) {
			r.Title = tt.title
			r.CompanyID = tt.company
			r.BrowseRank = int64(i)
			r.UpdatedAt = contract.At(b.at.AddDate(0, 0, i))
		})
	}
}

// Both searches list the roles in each of their orders, in pages of any length.
func TestSorts(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putRankedRoles()
	for path, want := range map[string]string{
		"/recruiter/roles?query=dock+worker":                    "5 4 3 2 1",
		"/recruiter/roles?query=dock+worker&sort=browse":        "5 4 3 2 1",
		"/recruiter/roles?query=dock+worker&sort=relevance":     "1 2 3 4 5",
		"/agency/roles/search?query=dock+worker":                "1 2 3 4 5",
		"/agency/roles/search?query=dock+worker&sort=relevance": "1 2 3 4 5",
		"/agency/roles/search?query=dock+worker&sort=updated":   "5 4 3 2 1",
		"/agency/roles/search?query=dock+worker&" + onBen:       "1 2 3 4 5",
		"/agency/roles": "5 4 3 2 1",
		"/recruiter/roles?query=dokc+workr&sort=relevance":     "1 2 3 4 5",
		"/recruiter/roles?query=nothing+at+all&sort=relevance": "",
		"/recruiter/roles?query=%21&sort=relevance":            "",
	} {
		who := zoe
		if strings.HasPrefix(path, "/agency") {
			who = agencyID
		}
		join := "&"
		if !strings.Contains(path, "?") {
			join = "?"
		}
		for _, limit := range []string{"1", "2", "20"} {
			if got, _ := b.collectPages(who, path+join+"limit="+limit); strings.Join(got, " ") != want {
				t.Errorf("%s, %s a page: got %q, want %q", path, limit, got, want)
			}
		}
	}
}

// Relevance needs a query, and a string cursor belongs to its sort.
func TestSortsAreChecked(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putRankedRoles()
	const browse, search = "/recruiter/roles?limit=1&query=dock", "/agency/roles/search?limit=1&query=dock"
	b.get(zoe, "/recruiter/roles?sort=relevance").CheckError(t, 400, contract.ValidationFailed, "query")
	b.get(zoe, browse+"&sort=updated").CheckError(t, 400, contract.UnknownFilterValue, "sort")
	b.get(agencyID, search+"&sort=browse").CheckError(t, 400, contract.UnknownFilterValue, "sort")
	b.get(agencyID, "/agency/roles/search?sort=updated").CheckError(t, 400, contract.ValidationFailed, "query")
	for _, tt := range []struct{ who, path, sort, other string }{
		{agencyID, search, "", "&sort=updated"}, {agencyID, search, "&sort=updated", ""},
	} {
		cursor := "&cursor=" + b.listRoles(tt.who, tt.path+tt.sort).cursorText()
		if got := b.get(tt.who, tt.path+tt.sort+cursor); got.Status != 200 || got.Header.Get("X-Cursor-Warning") != "" {
			t.Errorf("%s%s: got %d %s", tt.path, tt.sort, got.Status, got.Body)
		}
		b.get(tt.who, tt.path+tt.other+cursor).CheckError(t, 400, contract.InvalidCursor, "cursor")
	}
	for _, sort := range []string{"", "&sort=relevance"} {
		b.get(zoe, browse+sort+"&cursor=-1").CheckError(t, 400, contract.ValidationFailed, "cursor")
		if got := b.get(zoe, browse+sort+"&cursor=9007199254740991"); got.Status != 200 { // any position is one of either sort
			t.Errorf("%q: got %d %s", sort, got.Status, got.Body)
		}
	}
}

// The name of a stealth company moves no role in a stranger's list, but does in that of a caller who is
// approved on the role.
func TestStealthNamesRankNothing(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Velvet Anchor", OneLiner: new("Velvet for all")}})
	b.putCompany("plain", role.Company{CompanyFacts: role.CompanyFacts{Name: "Plain Works", OneLiner: new("Works of velvet")}})
	b.putRole("plain", func(r *role.Role) {
		r.Title = "Velvet Weaver"
		r.CompanyID = "plain"
		r.BrowseRank = 2
	})
	b.putRole("stealth", func(r *role.Role) {
		r.Title = "Anchor Weaver"
		r.Visibility = contract.RoleVisibilityStealth
		r.BrowseRank = 1
		r.TechStack = []string{"velours"}
	})
	b.putRole("other", func(r *role.Role) {
		r.Title = "Weaver"
		r.CompanyID = "plain"
		r.TechStack = []string{"velours"}
	})
	b.putAssignment("stealth", olga, "APPROVED", "FULL", nil)
	for query, want := range map[string][2]string{ // of a stranger and of an approved caller
		"velvet":         {"plain other", "plain stealth other"},
		"velvet+anchor":  {"", "stealth"},
		"weaver":         {"plain stealth other", "plain stealth other"},
		"weaver+velours": {"stealth other", "stealth other"},
		"weaver+vel":     {"plain stealth other", "plain stealth other"},
	} {
		for i, who := range []string{zoe, olga} {
			if got := b.listRoles(who, "/recruiter/roles?sort=relevance&query="+query).joinedIDs(); got != want[i] {
				t.Errorf("%s, %s: got %q, want %q", who, query, got, want[i])
			}
		}
	}
	search := "/agency/roles/search?query=velvet&recruiterEmail="
	if got := b.listRoles(agencyID, search+"ben@example.com").joinedIDs(); got != "plain other" {
		t.Errorf("for a member who is a stranger: got %q", got)
	}
	if got := b.listRoles(agencyID, search+"olga@example.com").joinedIDs(); got != "plain stealth other" {
		t.Errorf("for an approved member: got %q", got)
	}
}
