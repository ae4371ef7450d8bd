package crm_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// newAda is a candidate with everything that a detail shows.
func newAda() crm.Candidate {
	at := func(day int) contract.Time { return contract.At(time.Date(2026, 2, day, 0, 0, 0, 0, time.UTC)) }
	return crm.Candidate{
		CandidateID: "cand_ada", Name: "Ada Example", AddedAt: at(1), RelationshipStatus: "SCREENED", OneLiner: new("Builds things"),
		Tags: []string{"go"}, Note: new("Call again"), ResumeOnFile: true, Email: new("ada@example.com"),
		Preferences: []crm.Preferences{
			{Source: "INFERRED", UpdatedAt: at(9), SalaryMin: new(int64(1))},
			{Source: "CANDIDATE", UpdatedAt: at(5), SalaryMin: new(int64(2)), Visa: []string{"EU"}},
			{Source: "RECRUITER", UpdatedAt: at(4), SalaryMin: new(int64(3))},
		},
		Experiences: []contract.CRMExperience{{Title: new("Engineer"), Company: new("Brightwater"), IsCurrent: true}},
		Education:   []contract.CRMEducation{{School: new("Example University")}},
	}
}

// The detail shows the newest typed preferences, and the applications newest first
// with what the caller may see of each role.
func TestCandidate(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCompany()
	b.putCandidate(olga, newAda())
	b.putRole("mine", nil, olga)
	b.putRole("open", nil)
	b.putRole("stealth", func(r *role.Role) { r.Visibility = contract.RoleVisibilityStealth; r.Title = "Engineer at Zqorn Labs" })
	day := func(n int) time.Time { return b.Now().AddDate(0, 0, -n) }
	b.putApplication("a1", "mine", olga, "cand_ada", "REJECTED", day(3))
	b.putApplication("a2", "open", olga, "cand_ada", "WITHDRAWN", day(1))
	b.putApplication("a3", "stealth", olga, "cand_ada", "OFFER", day(2))
	b.putApplication("a4", "gone", olga, "cand_ada", "IN_REVIEW", day(2))
	a := b.get(olga, "/recruiter/candidates/cand_ada")
	got := apitest.DecodeOK[contract.CRMCandidate](t, a)
	applied := func(roleID, name, company, browse string, recruit *string, status string, ago int) contract.CRMApplication {
		return contract.CRMApplication{
			RoleID: roleID, RoleName: name, CompanyName: company, URLs: contract.Links{Browse: browse, Recruit: recruit},
			Status: contract.ApplicationStatus(status), CurrentStage: new(contract.Stage("Offer")), SubmittedAt: contract.At(day(ago)),
		}
	}
	const app = "https://app.example.com/"
	want := contract.CRMCandidate{
		ID: "cand_ada", CandidateID: "cand_ada", Name: "Ada Example", AddedAt: newAda().AddedAt, RelationshipStatus: "SCREENED",
		OneLiner: new("Builds things"), Tags: []string{"go"}, Note: new("Call again"), Resume: contract.ResumeOnFile{OnFile: true},
		Preferences: &contract.CRMPreferences{
			Source: "CANDIDATE", UpdatedAt: newAda().Preferences[1].UpdatedAt, SalaryMin: new(int64(2)), Visa: []string{"EU"}, Locations: []string{},
			Workplace: []string{}, RoleTypes: []string{}, FundingRounds: []string{}, VisaAuthorization: []string{},
			ExcludedIndustries: []string{}, CompanySizes: []string{},
		},
		Experiences: []contract.CRMExperience{{Title: new("Engineer"), Company: new("Brightwater"), IsCurrent: true}},
		Education:   []contract.CRMEducation{{School: new("Example University")}},
		Applications: []contract.CRMApplication{
			applied("open", "Engineer open", "Zqorn Labs", app+"browse/open", nil, "WITHDRAWN", 1),
			applied("stealth", "Engineer at Confidential company", "Confidential company", app+"browse/stealth", nil, "OFFER", 2),
			applied("gone", "", "", "", nil, "IN_REVIEW", 2),
			applied("mine", "Engineer mine", "Zqorn Labs", app+"browse/mine", new(app+"desk/mine"), "REJECTED", 3),
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if strings.Contains(a.Body, "ada@example.com") {
		t.Errorf("the answer tells the e-mail address: %s", a.Body)
	}
}

// Only inferred preferences are shown where no person entered any; none are null.
func TestInferredPreferences(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	inferred := newAda()
	none := newAda()
	inferred.Preferences = inferred.Preferences[:1]
	none.CandidateID = "cand_bea"
	none.Preferences = nil
	b.putCandidate(olga, inferred)
	b.putCandidate(olga, none)
	if got := apitest.DecodeOK[contract.CRMCandidate](t, b.get(olga, "/recruiter/candidates/cand_ada")); got.Preferences == nil || got.Preferences.Source != "INFERRED" {
		t.Errorf("got %+v; want the inferred ones", got.Preferences)
	}
	if a := b.get(olga, "/recruiter/candidates/cand_ada"); !strings.Contains(a.Body, `"salaryMin":1,"salaryMax":null,"ote":null`) {
		t.Errorf("got %s; want null for amounts that are unknown", a.Body)
	}
	if a := b.get(olga, "/recruiter/candidates/cand_bea"); !strings.Contains(a.Body, `"preferences":null`) || !strings.Contains(a.Body, `"applications":[]`) {
		t.Errorf("got %s; want null and an empty list", a.Body)
	}
}

// A hidden or archived candidate, a deleted one and another's are answered like one that
// never existed.
func TestCandidateNotListed(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	hidden := newAda()
	archived := newAda()
	hidden.CandidateID = "hidden"
	hidden.Hidden = true
	archived.CandidateID = "archived"
	archived.Archived = true
	b.putCandidate(olga, hidden)
	b.putCandidate(olga, archived)
	b.putCandidate(ben, newAda())
	b.putApplication("a1", "mine", olga, "hidden", "OFFER", b.Now())
	gone := newAda()
	gone.CandidateID = "gone"
	b.putCandidate(olga, gone)
	b.must(b.crm.Put(t.Context(), olga, "gone", b.nextStamp(), nil))
	want := b.get(olga, "/recruiter/candidates/nobody")
	want.CheckError(t, http.StatusNotFound, "")
	for _, id := range []string{"hidden", "archived", "gone", "cand_ada", "hidden%23x", "a%2Fb", "%7C"} {
		got := b.get(olga, "/recruiter/candidates/"+id)
		if diff := cmp.Diff(parseBody(want), parseBody(got)); diff != "" {
			t.Errorf("%s is told from nobody (-want +got):\n%s", id, diff)
		}
	}
}

// parseBody is an answer without its request's id and place in the window.
func parseBody(a apitest.Response) []any {
	header := a.Header.Clone()
	body := strings.ReplaceAll(a.Body, header.Get("X-Request-Id"), "")
	for _, name := range []string{"X-Request-Id", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Ratelimit"} {
		header.Del(name)
	}
	return []any{a.Status, header, body}
}

// A key without submissions:read is refused, and told so.
func TestScopes(t *testing.T) {
	t.Parallel()
	b := newTestServiceWithoutBucket(t)
	b.putCandidate(olga, newAda())
	key := apitest.CreateKey(t, b.host, contract.PersonalKey, olga, olga, contract.CandidatesRead, contract.RolesRead)
	for _, path := range []string{"/recruiter/candidates/cand_ada", "/recruiter/recommendations", "/recruiter/auto-recommendations"} {
		a := b.getWith(key, path)
		if a.Status != http.StatusForbidden || !strings.Contains(a.Body, "submissions:read") {
			t.Errorf("%s: got %d %s; want 403 naming submissions:read", path, a.Status, a.Body)
		}
	}
	for _, path := range []string{"/recruiter/candidates", "/recruiter/notetaker-calls"} {
		if a := b.getWith(key, path); a.Status != http.StatusOK {
			t.Errorf("%s: got %d %s; want 200", path, a.Status, a.Body)
		}
	}
}
