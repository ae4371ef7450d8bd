package roles_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

const onBen, onOlga = "recruiterEmail=Ben@Example.com", "recruiterEmail=olga@example.com"

// The filters of both agency lists, on behalf of a member who has to do with some
// roles, and of the primary owner, who has not.
func TestAgencyFilters(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putFilteredRoles()
	for id, status := range map[string]contract.RoleStatus{"paused": "PAUSED", "closed": "CLOSED", "mine": "PAUSED"} {
		b.putRole(id, func(r *role.Role) {
			r.Status = status
			r.LocationKeys = []string{"uk"}
		})
	}
	b.putRole("idle", nil)
	b.must(b.roles.PutMetrics(t.Context(), "idle", b.nextStamp(), &role.Metrics{StoppedReviewing: true}))
	b.putAssignment("d", ben, "APPROVED", "CROSS_SUBMIT", nil)
	b.putAssignment("mine", ben, "APPROVED", "FULL", nil)
	b.putAssignment("closed", ben, "REJECTED", "FULL", nil)
	b.putApplication("idle", ben, "WITHDRAWN", false)
	b.putRole("asked", func(r *role.Role) { r.Status = "PAUSED" })
	b.putMatch("asked", ben, contract.MatchStatusDismissed)
	b.putRole("busy", nil)
	b.must(b.roles.PutMetrics(t.Context(), "busy", b.nextStamp(), &role.Metrics{StoppedReviewing: true}))
	b.putMatch("busy", ben, contract.MatchStatusExpired)
	b.putMatch("asked2", olga, contract.MatchStatusPending) // on a role that does not exist
	for filter, want := range map[string][2]string{         // on the owner's and on the member's behalf
		"":              {"a b c", "a b c d idle"},
		"status=ACTIVE": {"a b c", "a b busy c d idle"}, "status=PAUSED": {"", "asked mine"}, "status=CLOSED": {"", ""}, "status=PAUSED&status=ACTIVE&status=CLOSED": {"a b c", "a asked b busy c d idle mine"},
		"location=uk": {"a b", "a b"}, "location=uk&status=PAUSED": {"", "mine"}, "location=uk&location=europe": {"a b c", "a b c"},
		"roleType=backend_engineer": {"a c", "a c"}, "workplace=HYBRID&workplace=REMOTE": {"a b", "a b"}, "workplace=HYBRID&location=europe": {"", ""},
	} {
		for i, on := range []string{"", onBen + "&"} {
			if got := b.listRoles(agencyID, "/agency/roles?"+on+filter).sortedIDs(); got != want[i] {
				t.Errorf("%q, %q: got %q, want %q", on, filter, got, want[i])
			}
			if got := b.listRoles(agencyID, "/agency/roles/search?query=carpenter&"+on+filter).sortedIDs(); got != want[i] {
				t.Errorf("search, %q, %q: got %q, want %q", on, filter, got, want[i])
			}
		}
	}
	for filter, want := range map[string]string{
		"query=othr+labs": "b d", "query=furnitre": "a c idle", "query=carpenter&minSalary=150000": "b", "query=carpenter&maxSalary=99499": "a",
		"query=carpenter&industry=fintech": "b d", "query=carpenter&industry=fintech&industry=ai&minSalary=100000&maxSalary=140000": "a c", "query=nothing": "", "query=!": "", "query=%20": "", "query=%F0%9F%A6%84": "",
	} {
		if got := b.listRoles(agencyID, "/agency/roles/search?"+onBen+"&"+filter).sortedIDs(); got != want {
			t.Errorf("%q: got %q, want %q", filter, got, want)
		}
	}
	for _, path := range []string{"/agency/roles?", "/agency/roles/search?query=a&", "/agency/roles/a?"} {
		for _, email := range []string{"zoe@example.com", "rec_zoe@example.com", "nobody@example.com"} {
			b.get(agencyID, path+"recruiterEmail="+email).CheckError(t, 400, contract.ValidationFailed, "recruiterEmail")
		}
		b.get(agencyID, path+"recruiterEmail=ben").CheckError(t, 400, contract.ValidationFailed, "recruiterEmail")
	}
}

// Without a named member the permissions are the primary owner's, whoever created the key.
func TestAgencyRolesAreThePrimaryOwners(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putFilteredRoles()
	b.putRole("bens", func(r *role.Role) { r.Status = "PAUSED" })
	b.putAssignment("d", olga, "APPROVED", "FULL", nil)
	b.putAssignment("bens", ben, "APPROVED", "FULL", nil)
	const path = "/agency/roles?status=ACTIVE&status=PAUSED"
	if got := b.listRoles(agencyID, path).sortedIDs(); got != "a b c d" {
		t.Errorf("of the creator, who is the primary owner: got %q", got)
	}
	b.must(b.accounts().ApplyAgency(t.Context(), agencyID, 2, &account.Agency{ID: agencyID, Name: "A", APIAccess: true, PrimaryOwner: ben}))
	if got := b.listRoles(agencyID, path).sortedIDs(); got != "a b bens c" {
		t.Errorf("of another primary owner: got %q", got)
	}
}

// An agency whose primary owner is no longer approved lists what a stranger may see; the brief
// and a named member are what they were.
func TestAgencyRolesOfAnOwnerWhoLeft(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putFilteredRoles()
	b.putAssignment("d", olga, "APPROVED", "FULL", nil)
	if got := b.listRoles(agencyID, "/agency/roles").sortedIDs(); got != "a b c d" {
		t.Errorf("got %q", got)
	}
	left := account.Member{ID: olga, Name: "Olga", Email: "olga@example.com", Owner: true}
	b.must(b.accounts().ApplyMember(t.Context(), agencyID, olga, 9, &left))
	if got := b.listRoles(agencyID, "/agency/roles").sortedIDs(); got != "a b c" {
		t.Errorf("after the owner left: got %q", got)
	}
	b.get(agencyID, "/agency/roles?"+onOlga).CheckError(t, 400, contract.ValidationFailed, "recruiterEmail")
	b.get(agencyID, "/agency/roles/d?"+onOlga).CheckError(t, 400, contract.ValidationFailed, "recruiterEmail")
	if got := b.listRoles(agencyID, "/agency/roles?"+onBen).sortedIDs(); got != "a b c" {
		t.Errorf("on a member's behalf: got %q", got)
	}
}

// A cursor of other filters is answered with a warning; the same values in another order
// are the same filters.
func TestAgencyCursorBelongsToItsFilters(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	for _, id := range strings.Fields("a b c") {
		b.putRole(id, func(r *role.Role) { r.LocationKeys = []string{"uk", "korea"} })
	}
	cursor := "&limit=1&cursor=" + b.listRoles(agencyID, "/agency/roles?location=uk&location=korea&limit=1").NextCursor.(string)
	for path, want := range map[string]string{
		"/agency/roles?location=uk&location=korea": "", "/agency/roles?location=korea&location=uk": "", "/agency/roles?location=uk&status=ACTIVE&location=korea&location=uk": "",
		"/agency/roles?location=uk": "filters-changed", "/agency/roles?location=uk&location=korea&" + onBen: "filters-changed",
		"/agency/roles/search?query=carpenter&sort=updated&location=uk&location=korea": "filters-changed",
	} {
		if got := b.get(agencyID, path+cursor); got.Status != 200 || got.Header.Get("X-Cursor-Warning") != want {
			t.Errorf("%s: got %d and the warning %q, want %q", path, got.Status, got.Header.Get("X-Cursor-Warning"), want)
		}
	}
}

// otherFilters are, by the parameter's name, a value that the first page was not asked for.
var otherFilters = map[string]string{
	"recruiterEmail": "Ben@Example.com", "status": "PAUSED", "location": "uk", "roleType": "backend_engineer", "workplace": "HYBRID",
	"query": "cabinet", "minSalary": "1", "maxSalary": "1000000", "industry": "ai",
}

// A cursor belongs to every filter that an agency list has.
func TestAgencyCursorKnowsEveryFilter(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	for _, id := range strings.Fields("a b c") {
		b.putRole(id, nil)
	}
	const path = "/agency/roles/search?limit=1&query="
	cursor := "&cursor=" + b.listRoles(agencyID, path+"carpenter").NextCursor.(string)
	for _, field := range reflect.VisibleFields(reflect.TypeFor[contract.SearchAgencyRolesRequest]()) {
		name := field.Tag.Get("query")
		if name == "" || name == "limit" || name == "cursor" || name == "sort" {
			continue
		}
		query := "carpenter&" + name + "=" + otherFilters[name]
		if name == "query" {
			query = otherFilters[name]
		}
		if got := b.get(agencyID, path+query+cursor); got.Status != 200 || got.Header.Get("X-Cursor-Warning") != "filters-changed" {
			t.Errorf("%s: got %d and the warning %q; want the cursor of other filters", query, got.Status, got.Header.Get("X-Cursor-Warning"))
		}
	}
}

// An owner who left the agency, or is not approved yet, still recruits but reads nothing
// of what is the agency's: its submissions, its announcements and its owners' sight of fees.
func TestOwnerWhoLeft(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putRole("r1", func(r *role.Role) { r.Fee.PercentOfSalary = new(20.0) })
	b.putApplication("r1", ben, "SUBMITTED", false)
	b.must(b.roles.PutAnnouncement(t.Context(), "n1", b.nextStamp(), &role.Announcement{
		RoleID: "r1", Message: "For the agency", CreatedAt: contract.At(b.at), Recipients: role.Readers{AgencyIDs: []string{agencyID}},
	}))
	accounts := b.accounts()
	for i, tt := range []struct {
		approved, deactivated, reads bool
	}{{true, false, true}, {true, true, false}, {false, false, false}} {
		b.must(accounts.ApplyMember(t.Context(), agencyID, olga, int64(9+i), &account.Member{
			ID: olga, Name: "Olga", Email: "olga@example.com", Owner: true, Approved: tt.approved, Deactivated: tt.deactivated,
		}))
		d := apitest.DecodeOK[contract.RoleDetail](t, b.get(olga, "/recruiter/roles/r1"))
		if got := []bool{len(d.Pipeline.MySubmissions) > 0, len(d.Pitch.Announcements) > 0, d.Summary.Fee.PercentOfSalary != nil}; !slices.Equal(got, []bool{tt.reads, tt.reads, tt.reads}) {
			t.Errorf("%+v: reads submissions, announcements, fees: %v", tt, got)
		}
		if got := apitest.DecodeOK[contract.RoleList](t, b.get(olga, "/recruiter/roles")).Roles[0].Fee.PercentOfSalary != nil; got != tt.reads {
			t.Errorf("%+v: the list has the fee: %v", tt, got)
		}
	}
}

// Newest update first, then id, in pages of any length, by both lists; the row's
// fields.
func TestAgencyOrderAndRow(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Example Works"}})
	for i, id := range strings.Fields("e d c b a") {
		b.putRole(id, func(r *role.Role) { r.UpdatedAt = contract.At(b.at.Add(time.Duration(i/2) * time.Hour)) })
	}
	for _, path := range []string{"/agency/roles?limit=", "/agency/roles/search?query=carpenter&sort=updated&limit="} {
		for _, limit := range []string{"1", "2", "3", "50"} {
			if got, _ := b.collectPages(agencyID, path+limit); strings.Join(got, " ") != "a b c d e" {
				t.Errorf("%s%s: got %q", path, limit, got)
			}
		}
	}
	posted := contract.At(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	b.putRole("full", func(r *role.Role) {
		r.Title = "Joiner"
		r.Locations = []string{"Leeds"}
		r.WorkplaceType = new("ON_SITE")
		r.RoleTypes = []string{"backend_engineer"}
		r.Salary = role.Salary{Min: new(int64(1)), Currency: new("GBP")}
		r.PostedAt = &posted
		r.UpdatedAt = posted
		r.ConfidentialSearch = true
		r.AnonymizedName = new("A workshop")
	})
	got := b.get(agencyID, "/agency/roles/search?query=joiner")
	want := `{"roles":[{"id":"full","title":"Joiner","company":{"id":"co","name":"Example Works","confidentialSearch":true,"anonymizedName":"A workshop"},` +
		`"status":"ACTIVE","locations":["Leeds"],"workplaceType":"ON_SITE","baseSalary":{"currency":"GBP","min":1,"max":null},"roleTypes":["backend_engineer"],` +
		`"postedAt":"2026-01-02T03:04:05.000Z","updatedAt":"2026-01-02T03:04:05.000Z"}],"nextCursor":null}`
	if diff := cmp.Diff(want, got.Body); diff != "" {
		t.Error(diff)
	}
}
