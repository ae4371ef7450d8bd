package roles_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// putFilteredRoles stores four roles of two companies that differ in everything that lists
// filter by; d accepts no recruiters.
func (b *testService) putFilteredRoles() {
	b.t.Helper()
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{
		Name: "Example Works", OneLiner: new("Furniture for offices"), Industries: []string{"ai"}, Size: new(50.0), Tier: new("S"),
		FundingRound: new("SERIES_A"), Investors: []string{"Northgate Ventures"},
	}})
	b.putCompany("other", role.Company{CompanyFacts: role.CompanyFacts{
		Name: "Other Labs", Industries: []string{"fintech"}, Size: new(500.0), Tier: new("S_PLUS"), FundingRound: new("SEED"),
		Investors: []string{"Zwendel Capital", "Gate Partners"},
	}})
	days := func(n int) *contract.Time { return new(contract.At(b.at.AddDate(0, 0, -n))) }
	b.putRole("a", func(r *role.Role) {
		r.LocationKeys = []string{"uk"}
		r.RoleTypes = []string{"backend_engineer"}
		r.WorkplaceType = new("REMOTE")
		r.Density = new("low")
		r.TechStack = []string{"Go", "PostgreSQL"}
		r.Salary = role.Salary{Min: new(int64(90_000)), Max: new(int64(120_000))}
		r.YearsMin = new(2.0)
		r.YearsMax = new(5.0)
		r.Fee = role.Fee{PercentOfSalary: new(10.0)}
		r.PostedAt = days(1)
		r.VisaSponsorship = new(true)
		r.BrowseRank = 9
	})
	b.putRole("b", func(r *role.Role) {
		r.CompanyID = "other"
		r.LocationKeys = []string{"new_york", "uk"}
		r.RoleTypes = []string{"product_management"}
		r.WorkplaceType = new("HYBRID")
		r.Density = new("high")
		r.TechStack = []string{"Rust"}
		r.Salary = role.Salary{Min: new(int64(150_400)), Max: new(int64(200_000))}
		r.YearsMin = new(6.0)
		r.Fee = role.Fee{PercentOfSalary: new(20.5)}
		r.PostedAt = days(10)
		r.VisaSponsorship = new(false)
		r.BrowseRank = 5
	})
	b.putRole("c", func(r *role.Role) {
		r.LocationKeys = []string{"europe"}
		r.RoleTypes = []string{"full_stack_engineer", "backend_engineer"}
		r.WorkplaceType = new("ON_SITE")
		r.Density = new("medium")
		r.TechStack = []string{"go"}
		r.Salary = role.Salary{Min: new(int64(99_600))}
	})
	b.putRole("d", func(r *role.Role) {
		r.CompanyID = "other"
		r.NotAcceptingRecruiters = true
	})
}

// Every filter of the list of roles, as a stranger to all of them uses it.
func TestListFilters(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putFilteredRoles()
	for filter, want := range map[string]string{
		"": "a b c", "query=carpentr": "a b c", "query=other": "b", "query=furniture+offices": "a c", "query=backend": "a c", "query=nothing": "",
		"location=uk": "a b", "location=uk&location=europe": "a b c", "location=korea": "",
		"roleType=backend_engineer": "a c", "roleType=product_management&roleType=full_stack_engineer": "b c",
		"workplace=REMOTE": "a", "workplace=REMOTE&workplace=ON_SITE": "a c", "talentDensity=high": "b", "talentDensity=low&talentDensity=medium": "a c",
		"companyTier=S": "a c", "companyTier=S_PLUS": "b", "companyTier=A": "", "industry=fintech": "b", "industry=ai&industry=fintech": "a b c",
		"fundingRound=SEED": "b", "fundingRound=SERIES_A": "a c", "techStack=GO": "a c", "techStack=rust&techStack=postgresql": "a b",
		"investors=gate": "a b c", "investors=ZWENDEL": "b", "investors=capital&investors=north": "a b c", "investors=nobody": "", "query=%21%3F": "", "query=%20": "", "postedWithinDays=99999999999999999999": "a b c", "minCompanySize=1e99": "", "maxCompanySize=1e99": "a b c", "minSalary=99999999999999999999": "", "maxSalary=1e30": "a b c",
		"recruiterAvailability=available": "a b c", "recruiterAvailability=not_available": "",
		"minSalary=120000": "a b", "minSalary=120499": "a b", "minSalary=120500": "b", "minSalary=200499": "b", "minSalary=200500": "",
		"maxSalary=90499": "a", "maxSalary=89499": "", "maxSalary=99499": "a", "maxSalary=99500": "a c", "maxSalary=150000": "a b c", "maxSalary=149499": "a c",
		"minSalary=100000&maxSalary=140000": "a c", "minSalary=0": "a b c", "minSalary=&maxSalary=": "a b c",
		"minYearsExperience=6": "b c", "maxYearsExperience=2": "a c", "maxYearsExperience=1.9": "c", "minYearsExperience=3&maxYearsExperience=4": "a c",
		"minFeePercent=10": "a b", "minFeePercent=10.01": "b", "minFeePercent=0": "a b", "minFeePercent=20.51": "",
		"minCompanySize=51": "b", "maxCompanySize=50": "a c", "minCompanySize=51&maxCompanySize=499": "",
		"postedWithinDays=2": "a", "postedWithinDays=30": "a b", "visaSponsorship=true": "a", "visaSponsorship=false": "b c",
		"location=uk&techStack=go": "a", "location=uk&industry=ai&minSalary=150000": "", "primaryOnly=true": "", "approvedOnly=true": "", "trialOnly=true": "",
		"primaryOnly=false&approvedOnly=false&trialOnly=false&matchMyPreferences=false": "a b c",
	} {
		if got := b.listRoles(zoe, "/recruiter/roles?"+filter).sortedIDs(); got != want {
			t.Errorf("%q: got %q, want %q", filter, got, want)
		}
	}
	if got := b.listRoles(zoe, "/recruiter/roles").joinedIDs(); got != "a b c" {
		t.Errorf("got %q, want Browse order", got)
	}
}

// A place is filtered by its key and searched by key and by what is shown; what is shown
// is no key, even if it reads like one.
func TestPlacesShownAreNoKeys(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putRole("a", func(r *role.Role) {
		r.LocationKeys = []string{"uk"}
		r.Locations = []string{"Leeds", "europe"}
	})
	for filter, want := range map[string]string{
		"location=uk": "a", "location=europe": "", "query=leeds": "a", "query=europe": "a", "query=united+kingdom": "a", "query=leeds+uk": "a",
	} {
		if got := b.listRoles(zoe, "/recruiter/roles?"+filter).sortedIDs(); got != want {
			t.Errorf("%q: got %q, want %q", filter, got, want)
		}
	}
}

// Of a long query the first ten words count, and forty bytes of each; it is never refused.
func TestLongQueriesAreCut(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putRole("a", func(r *role.Role) { r.Title = "Carpenter " + strings.Repeat("x", 40) })
	for query, want := range map[string]string{
		strings.Repeat("carpenter+", 100): "a", strings.Repeat("carpenter+", 10) + "plumber": "a", strings.Repeat("carpenter+", 9) + "plumber": "",
		strings.Repeat("x", 1500): "a", strings.Repeat("%F0%9F%A6%84+", 300) + "carpenter": "a",
	} {
		for who, path := range map[string]string{zoe: "/recruiter/roles?query=", agencyID: "/agency/roles/search?query="} {
			if got := b.listRoles(who, path+query).sortedIDs(); got != want {
				t.Errorf("%s%.30s…: got %q, want %q", path, query, got, want)
			}
		}
	}
}

// What the caller is to roles decides about some filters, and about what is closed.
func TestListOfOnesOwn(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putFilteredRoles()
	ends := contract.At(b.at.Add(72 * time.Hour))
	b.putAssignment("a", olga, "PENDING", "FULL", func(a *role.Assignment) { a.Fee = &role.Fee{PercentOfSalary: new(30.0)} })
	b.putAssignment("b", olga, "APPROVED", "FULL", func(a *role.Assignment) {
		a.Trial = &role.Trial{EndsAt: &ends, SubmissionGoal: 2}
		a.Fee = &role.Fee{}
	})
	b.putAssignment("c", olga, "APPROVED", "CROSS_SUBMIT", func(a *role.Assignment) { a.Fee = &role.Fee{PercentOfSalary: new(30.0)} })
	b.putAssignment("d", olga, "APPROVED", "SUBMISSION_REQUEST_ONLY", nil)
	for filter, want := range map[string]string{
		"": "a b c d", "primaryOnly=true": "b", "approvedOnly=true": "b c d", "trialOnly=true": "b", "primaryOnly=true&trialOnly=true": "b",
		"approvedOnly=true&workplace=ON_SITE": "c", "approvedOnly=true&query=other": "b d",
		"recruiterAvailability=not_available": "d", "recruiterAvailability=available": "a b c d", "recruiterAvailability=not_available&primaryOnly=true": "",
		"recruiterAvailability=not_available&approvedOnly=true": "d", "recruiterAvailability=not_available&query=plumber": "",
		"minFeePercent=25": "c", "minFeePercent=1": "a c", // the fee of an approval is what is offered; on b it is unknown
	} {
		if got := b.listRoles(olga, "/recruiter/roles?"+filter).sortedIDs(); got != want {
			t.Errorf("%q: got %q, want %q", filter, got, want)
		}
	}
	// A withdrawn approval takes all of it away.
	b.putAssignment("d", olga, "WITHDRAWN", "SUBMISSION_REQUEST_ONLY", nil)
	if got := b.listRoles(olga, "/recruiter/roles?approvedOnly=true").sortedIDs(); got != "b c" {
		t.Errorf("got %q after the withdrawal", got)
	}
	if got := b.listRoles(olga, "/recruiter/roles?recruiterAvailability=not_available").sortedIDs(); got != "" {
		t.Errorf("got %q of the roles closed to self-service after the withdrawal", got)
	}
	if got := b.listRoles(ben, "/recruiter/roles?minFeePercent=1").sortedIDs(); got != "" {
		t.Errorf("got %q where fees are hidden", got)
	}
}

// An assignment that is not approved shows in myRole, and opens nothing: neither the
// company of a stealth role nor a fee of its own.
func TestUnapprovedAssignmentsAreStrangers(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Example Works"}})
	b.putRole("a", func(r *role.Role) {
		r.Visibility = contract.RoleVisibilityStealth
		r.Fee.PercentOfSalary = new(10.0)
	})
	for _, status := range []contract.ApprovalStatus{"PENDING", "REJECTED", "WITHDRAWN", "NEW_STATUS"} {
		b.putAssignment("a", olga, status, "FULL", func(a *role.Assignment) { a.Fee = &role.Fee{PercentOfSalary: new(30.0)} })
		row := apitest.DecodeOK[contract.RoleList](t, b.get(olga, "/recruiter/roles")).Roles[0]
		detail := apitest.DecodeOK[contract.RoleDetail](t, b.get(olga, "/recruiter/roles/a")).Summary
		if diff := cmp.Diff(row, detail); diff != "" {
			t.Errorf("%s: list and detail differ:\n%s", status, diff)
		}
		if *row.MyRole.ApprovalStatus != contract.ApprovalStatus(status) || row.MyRole.IsApproved || row.Company.Name != role.DefaultAnonymizedName || *row.Fee.PercentOfSalary != 10 || row.URLs.Recruit != nil {
			t.Errorf("%s: got %+v", status, row)
		}
	}
}

// Saved preferences are added within a field and bind across fields; the higher floor
// counts, and a maximum below it is dropped.
func TestMatchMyPreferences(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putFilteredRoles()
	b.must(b.roles.PutPreferences(t.Context(), zoe, b.nextStamp(), &role.SavedPreferences{
		RoleTypes: []contract.RoleType{"backend_engineer"}, Locations: []contract.Location{"uk"}, FundingRounds: []contract.FundingRound{"SERIES_A"},
		WorkplaceTypes: []contract.WorkplaceType{"HYBRID"}, MinSalary: new(int64(95_000)), Description: new("Wood."),
	}))
	for filter, want := range map[string]string{
		"": "a", "location=europe": "a c", "location=new_york": "a", "roleType=product_management": "a", "roleType=product_management&fundingRound=SEED": "a b",
		"minSalary=130000": "", "minSalary=1000": "a", "maxSalary=94000": "a", "maxSalary=95000": "a", "minSalary=130000&fundingRound=SEED&roleType=product_management&maxSalary=120000": "b",
		"industry=fintech": "", "workplace=ON_SITE&location=europe": "c",
	} {
		if got := b.listRoles(zoe, "/recruiter/roles?matchMyPreferences=true&"+filter).sortedIDs(); got != want {
			t.Errorf("%q: got %q, want %q", filter, got, want)
		}
	}
	// Without a saved floor the supplied one is the floor that a maximum must reach.
	for path, want := range map[string]string{"matchMyPreferences=true": "b", "matchMyPreferences=false": ""} {
		if got := b.listRoles(olga, "/recruiter/roles?minSalary=130000&maxSalary=100000&"+path).sortedIDs(); got != want {
			t.Errorf("%q without preferences: got %q, want %q", path, got, want)
		}
	}
	saved := b.get(zoe, "/recruiter/preferences")
	want := `{"roleTypes":["backend_engineer"],"locations":["uk"],"industries":[],"workplaceTypes":["HYBRID"],"fundingRounds":["SERIES_A"],"minSalary":95000,"description":"Wood."}`
	if saved.Body != want {
		t.Errorf("got %s, want %s", saved.Body, want)
	}
	none := b.get(olga, "/recruiter/preferences")
	if want := `{"roleTypes":[],"locations":[],"industries":[],"workplaceTypes":[],"fundingRounds":[],"minSalary":null,"description":null}`; none.Body != want {
		t.Errorf("got %s, want %s", none.Body, want)
	}
}

// Limits: lowered for recruiters, refused for agencies; and what is no limit is
// refused by both. A numeric cursor is any position.
func TestLimitsAndCursors(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	for i := range 55 {
		b.putRole(fmt.Sprintf("r%02d", i), func(r *role.Role) { r.BrowseRank = int64(i) })
	}
	for path, want := range map[string]int{
		"/recruiter/roles": 20, "/recruiter/roles?limit=3": 3, "/recruiter/roles?limit=21": 20, "/recruiter/roles?limit=9999999": 20, "/recruiter/roles?cursor=": 20,
		"/recruiter/roles?cursor=0": 20, "/recruiter/roles?cursor=null": 20, "/recruiter/roles?limit=1.0": 1, "/recruiter/roles?limit=1e1": 10, "/recruiter/roles?limit=1e99": 20, "/agency/roles?cursor=": 50, "/agency/roles?cursor=null": 50, "/recruiter/roles?cursor=9007199254740991": 0,
		"/agency/roles": 50, "/agency/roles?limit=100": 55, "/agency/roles/search?query=carpenter": 20, "/agency/roles/search?query=carpenter&limit=50": 50,
	} {
		who := zoe
		if path[1] == 'a' {
			who = agencyID
		}
		got := b.listRoles(who, path)
		if more := got.NextCursor != nil; len(got.Roles) != want || more != (want > 0 && want < 55) {
			t.Errorf("%s: %d roles and cursor %v, want %d", path, len(got.Roles), got.NextCursor, want)
		}
	}
	for _, path := range []string{"/recruiter/roles", "/recruiter/active-roles", "/agency/roles", "/agency/roles/search?query=a"} {
		who := zoe
		join := "?"
		if path[1] == 'a' {
			who = agencyID
		}
		if path == "/agency/roles/search?query=a" {
			join = "&"
		}
		for _, limit := range []string{"0", "-1", "2.5", "all", "", "1&limit=2"} {
			b.get(who, path+join+"limit="+limit).CheckError(t, 400, contract.ValidationFailed, "limit")
		}
	}
	b.get(zoe, "/recruiter/roles?investors=").CheckError(t, 400, contract.ValidationFailed, "investors")
	b.get(zoe, "/recruiter/roles?investors=gate&investors=+").CheckError(t, 400, contract.ValidationFailed, "investors")
	for path, status := range map[string]int{"/recruiter/roles/": 404, "/agency/roles/": 400} {
		who := zoe
		query := ""
		if status == 400 {
			who = agencyID
			query = "?" + onOlga
		}
		if got := b.get(who, path+strings.Repeat("r", 3000)+query); got.Status != status {
			t.Errorf("%s of a long id: got %d, want %d", path, got.Status, status)
		}
	}
	for _, path := range []string{"/recruiter/active-roles?", "/agency/roles?", "/agency/roles/search?query=a&"} {
		who := zoe
		if path[1] == 'a' {
			who = agencyID
		}
		b.get(who, path+"cursor="+strings.Repeat("A", 2049)).CheckError(t, 400, contract.InvalidCursor, "cursor")
	}
	b.get(agencyID, "/agency/roles?limit=101").CheckError(t, 400, contract.LimitTooLarge, "limit")
	b.get(agencyID, "/agency/roles/search?query=a&limit=51").CheckError(t, 400, contract.LimitTooLarge, "limit")
	for _, cursor := range []string{"-1", "9007199254740992", "1.5", "abc"} {
		b.get(zoe, "/recruiter/roles?cursor="+cursor).CheckError(t, 400, contract.ValidationFailed, "cursor")
	}
	if got := b.get(zoe, "/recruiter/roles?locations=uk&limit=1"); got.Header.Get("X-Ignored-Params") != "locations" {
		t.Errorf("ignored %q", got.Header.Get("X-Ignored-Params"))
	}
}

// A list reads the change log at most once a second, and looks for what others have read twice. Until
// then, rows still show what is stored, and closed roles are left out, as their details are.
func TestListWithinASecond(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	b.putCompany("co", role.Company{CompanyFacts: role.CompanyFacts{Name: "Velvet Anchor"}})
	for _, id := range []string{"closed", "gone", "renamed", "same", "stopped"} {
		b.putRole(id, nil)
	}
	b.listRoles(zoe, "/recruiter/roles")
	again := func(d time.Duration) []string {
		t.Helper()
		b.at = b.at.Add(d - time.Minute) // the time that every request takes
		page := apitest.DecodeOK[contract.RoleList](t, b.get(zoe, "/recruiter/roles"))
		var rows []string
		for _, row := range page.Roles {
			rows = append(rows, row.ID+" "+row.Name)
			if a := b.get(zoe, "/recruiter/roles/"+row.ID); a.Status != http.StatusOK {
				t.Errorf("%s is listed, and its detail is %d", row.ID, a.Status)
			}
			b.at = b.at.Add(-time.Minute)
		}
		slices.Sort(rows)
		return rows
	}
	b.putRole("closed", func(r *role.Role) { r.NotAcceptingRecruiters = true })
	b.putRole("renamed", func(r *role.Role) { r.Title = "Joiner" })
	b.putRole("new", nil)
	b.must(b.roles.PutMetrics(t.Context(), "stopped", b.nextStamp(), &role.Metrics{StoppedReviewing: true}))
	b.must(b.roles.Delete(t.Context(), "gone", b.nextStamp()))
	if diff := cmp.Diff([]string{"renamed Joiner", "same Carpenter"}, again(999*time.Millisecond)); diff != "" {
		t.Errorf("within a second (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"new Carpenter", "renamed Joiner", "same Carpenter"}, again(500*time.Millisecond)); diff != "" {
		t.Errorf("after a second and a half (-want +got):\n%s", diff)
	}
}
