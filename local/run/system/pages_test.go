package system_test

import (
	"fmt"
	"math/rand/v2"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A list page takes three waves of calls: the key check; the caller's account, relations to roles
// and recent changes, the last in three queries; and the rows.
func TestListsTakeThreeWaves(t *testing.T) {
	t.Parallel()
	w := &callWaves{}
	s := newRoleSystem(t, 40, w.Hook)
	email := "recruiterEmail=" + demo.MemberEmail
	for path, key := range map[string]string{
		"/recruiter/roles": s.personal, "/recruiter/roles?query=enginer&minFeePercent=1": s.personal, "/recruiter/active-roles": s.personal,
		"/agency/roles?" + email: s.key, "/agency/roles/search?query=enginer": s.key,
	} {
		s.warmRequest(path, key)
		w.expectSizes(1, 5, 1)
		s.warmRequest(path, key)
		if len(w.expected) > 0 || w.arrived > 0 {
			t.Errorf("%s: the waves %v did not come, and %d calls more than expected", path, w.expected, w.arrived)
		}
	}
}

// serveRoles serves the roles function alone, on a modified host.
func (s *roleSystem) serveRoles(different func(cloud.Host) cloud.Host) {
	s.t.Helper()
	handler, err := roles.New(s.t.Context(), different(s.Host))
	must(s.t, err)
	server := httptest.NewServer(handler)
	s.t.Cleanup(server.Close)
	s.BaseURL = server.URL + contract.BasePath
}

// A list page of 20 costs at most 15 read units, and 2 more if it reads the change log, once a
// minute has passed since the last changes. That holds even for a recruiter with 50 roles of their
// own, most of them stealth, closed to others and at another fee. About 30 more roles cost one unit
// more.
func TestListPageReadUnits(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 240)
	u := &cloudtest.Units{}
	s.publishStealthCompany(real, 1)
	for i := range 27 {
		id := fmt.Sprint("mine", i)
		s.applyEvent("role.upserted", id, 1, newRoleData("Harbour Engineer", object{
			"companyId": "stealthco", "visibility": []string{"STEALTH", "STEALTH", "PUBLIC"}[i%3], "notAcceptingRecruiters": i%2 == 0, "browseRank": 13 * i,
			"description": strings.Repeat("At "+real.name+" you draw maps. ", 400),
		}))
		s.applyEvent("roleAssignment.upserted", id+"/"+demo.OwnerID, 1, object{
			"roleId": id, "recruiterId": demo.OwnerID, "approvalStatus": "APPROVED", "accessLevel": "FULL", "fee": object{"percentOfSalary": 25},
		})
	}
	s.serveRoles(func(h cloud.Host) cloud.Host {
		getenv := h.Getenv
		h.Getenv = func(name string) string {
			if name == topology.SettingCatalogueAge {
				return ""
			}
			return getenv(name)
		}
		return u.Watch(h)
	})
	member := s.newRecruiterKey(demo.MemberID)
	for _, c := range []struct{ path, key string }{
		{"/recruiter/roles", s.personal}, {"/recruiter/roles", member}, {"/recruiter/roles?query=enginer", member},
		{"/recruiter/roles?query=enginer", s.personal}, {"/recruiter/roles?query=velvt+anchr", s.personal}, {"/recruiter/roles?query=maps", s.personal},
		{"/recruiter/roles?minFeePercent=20", s.personal}, {"/recruiter/roles?approvedOnly=true", s.personal},
		{"/agency/roles/search?query=enginer", s.key}, {"/agency/roles?limit=20", s.key}, {"/recruiter/active-roles?limit=20", s.personal},
	} {
		s.warmRequest(c.path, c.key)
		s.advanceClock(2 * time.Minute)
		s.warmRequest(c.path, c.key)
		u.Reset("")
		s.advanceClock(time.Second)
		var page struct{ Roles []struct{} }
		s.getJSON(c.path, c.key, &page)
		_, read := u.Reset("")
		if t.Logf("%s: %.1f read units", c.path, read); len(page.Roles) != 20 || read == 0 || read > 17 {
			t.Errorf("%s: %d roles cost %.1f read units; want 20 and at most 17", c.path, len(page.Roles), read)
		}
	}
}

// While paging through 1,000 roles, others are added, removed and changed, and the catalogue is
// published: every unchanged role is returned once, and the last page has no cursor.
func TestPagingOverAChangingCatalogue(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works"})
	n := max(cloudtest.Draws(1_000), 400) // 200 do not show a cursor that is a little too far
	lines := make([]market.Event, n)
	r := rand.New(rand.NewPCG(1, 2))
	put := func(i, version int, change object) market.Event {
		at := s.now().Add(-time.Duration(i%97) * time.Hour).UTC().Format(time.RFC3339)
		o := newRoleData("Carpenter", object{"browseRank": i % 13, "postedAt": at})
		for name, value := range change {
			o[name] = value
		}
		return market.Event(s.newEventJSON("role.upserted", fmt.Sprintf("role-%d", i), version, `"data":`+string(encodeBody(t, o))))
	}
	for i := range lines {
		lines[i] = put(i, 1, nil)
	}
	start := time.Now()
	s.loadInBulk(lines)
	t.Logf("%d roles in %v", n, time.Since(start))
	seen := map[string]int{}
	page := 0
	version := 10
	for cursor := ""; ; page++ {
		s.advanceClock(time.Second)
		if page%8 == 7 { // also with -short, where there are few pages
			s.advanceClock(time.Minute)
			must(t, s.Publish(t.Context()))
		}
		got := s.listRoles("cursor=" + cursor)
		for _, row := range got.Roles {
			seen[row.ID]++
		}
		if got.NextCursor == nil {
			break
		}
		if len(got.Roles) == 0 {
			t.Fatal("an empty page has a cursor, though nothing fell out while it was made")
		}
		cursor = fmt.Sprint(*got.NextCursor)
		// Of each ten, the roles 7, 8 and 9 do not stay in place.
		version++
		s.applyEvents(put(10*r.IntN(n/10)+7, version, object{"browseRank": 100 + r.IntN(100)}), put(10*r.IntN(n/10)+8, version, object{"status": "CLOSED"}),
			put(n+10*page+9, version, object{"browseRank": r.IntN(13)}))
		s.applyEvent("role.deleted", fmt.Sprintf("role-%d", 10*r.IntN(n/10)+9), version, nil)
	}
	for i := range n {
		if id := fmt.Sprintf("role-%d", i); i%10 < 7 && seen[id] != 1 {
			t.Errorf("%s was there %d times", id, seen[id])
		}
	}
	if page < n*7/10/20 {
		t.Errorf("%d pages only", page)
	}
}

// A cursor of other filters works and causes a warning; a malformed one is refused.
func TestStringCursorsOfRoles(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 40)
	var page contract.AgencyRolesResponse
	s.getJSON("/agency/roles?limit=3", s.key, &page)
	if page.NextCursor == nil {
		t.Fatal("no cursor")
	}
	again := s.getJSON("/agency/roles?limit=5&cursor="+*page.NextCursor, s.key, &page)
	other := s.getJSON("/agency/roles?limit=5&workplace=REMOTE&cursor="+*page.NextCursor, s.key, &page)
	if again.header.Get("X-Cursor-Warning") != "" || other.header.Get("X-Cursor-Warning") != "filters-changed" {
		t.Errorf("warnings %q and %q", again.header.Get("X-Cursor-Warning"), other.header.Get("X-Cursor-Warning"))
	}
	for _, path := range []string{"/agency/roles?cursor=x", "/agency/roles/search?query=a&cursor=0", "/recruiter/active-roles?cursor=" + strings.Repeat("a", 3000)} {
		key := s.key
		if strings.HasPrefix(path, "/recruiter") {
			key = s.personal
		}
		if r := s.sendRequest("GET", path, key, nil); r.status != 400 || r.errorCode() != contract.InvalidCursor {
			t.Errorf("%.60s: %d %s; want 400 invalid_cursor", path, r.status, r.body)
		}
	}
}

// A display name in place of a key is refused with the parameter, the accepted values
// and the likely key; an unknown member is refused, too.
func TestRoleFiltersRefused(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	for path, want := range map[string][]string{
		"/recruiter/roles?location=San+Francisco":                                          {"unknown_filter_value", "location", `did you mean \"san_francisco\"?`, "washington_dc"},
		"/recruiter/roles?roleType=Backend+Engineer":                                       {"unknown_filter_value", "roleType", `did you mean \"backend_engineer\"?`, "security_engineer"},
		"/recruiter/roles?workplace=remote":                                                {"unknown_filter_value", "workplace", `did you mean \"REMOTE\"?`},
		"/recruiter/roles?talentDensity=LOW":                                               {"unknown_filter_value", "talentDensity", `did you mean \"low\"?`},
		"/agency/roles?location=New+York":                                                  {"unknown_filter_value", "location", `did you mean \"new_york\"?`},
		"/agency/roles?recruiterEmail=" + demo.PendingEmail:                                {"validation_failed", "recruiterEmail", "approved member"},
		"/agency/roles/search?query=a&recruiterEmail=a@example.com":                        {"validation_failed", "recruiterEmail", "approved member"},
		"/agency/roles/r1?recruiterEmail=" + demo.DeactivatedEmail:                         {"validation_failed", "recruiterEmail", "approved member"},
		"/agency/roles/r1":                                                                 {"validation_failed", "recruiterEmail", "required"},
		"/agency/roles?limit=101":                                                          {"limit_too_large", "limit"},
		"/agency/roles/search?query=a&limit=51":                                            {"limit_too_large", "limit"},
		"/recruiter/roles?cursor=-1":                                                       {"validation_failed", "cursor", "at least 0"},
		"/recruiter/roles?sort=relevance":                                                  {"validation_failed", "query", "sort=relevance"},
		"/recruiter/roles?query=a&sort=updated":                                            {"unknown_filter_value", "sort", "relevance"},
		"/recruiter/roles?query=":                                                          {"validation_failed", "query"},
		"/agency/roles/" + strings.Repeat("a", 129) + "?recruiterEmail=" + demo.OwnerEmail: {"validation_failed", "roleId"},
		"/recruiter/active-roles?primaryOnly=yes":                                          {"validation_failed", "primaryOnly"},
		"/agency/roles/search":                                                             {"validation_failed", "query"},
		"/recruiter/roles?minSalary=1.5&postedWithinDays=many":                             {"validation_failed", "minSalary", "postedWithinDays"},
	} {
		key := s.key
		if strings.HasPrefix(path, "/recruiter") {
			key = s.personal
		}
		r := s.sendRequest("GET", path, key, nil)
		if r.status != 400 {
			t.Errorf("%.80s: %d; want 400", path, r.status)
		}
		for _, part := range want {
			if !strings.Contains(r.body, part) {
				t.Errorf("%.80s: %s does not say %s", path, r.body, part)
			}
		}
	}
	var out contract.RoleList
	s.getJSON("/recruiter/roles?limit=500&cursor=9007199254740991&minSalary=&maxSalary=5000000", s.personal, &out)
}
