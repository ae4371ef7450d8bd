package system_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

func recommendedPath(candidateID string) string {
	return "/recruiter/candidates/" + candidateID + "/recommended-roles"
}

// requestRecommended requests recommendations for a candidate of the demo's CRM, with a
// warm catalogue.
func (c *countedSystem) requestRecommended() testRequest {
	s := c.newRoleSystem()
	s.applyEvents(slices.Collect(market.CandidateEvents(demo.OwnerID, 0, 5, s.now()))...)
	return s.warmRequest(recommendedPath(market.CandidateID(3)), s.personal)
}

// Most of the newest candidates of the demo's CRM get some roles.
func TestDemoRecommended(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, nil)
	must(t, sys.LoadRoles(t.Context(), 240))
	c := client.New(sys.BaseURL, sys.newRecruiterKey(demo.OwnerID), withShortWaits)
	page, err := c.CRMCandidates(t.Context(), contract.ListCRMCandidatesRequest{Limit: 25})
	must(t, err)
	some := 0
	bands := map[string]int{}
	for _, row := range page.Candidates {
		out, err := c.RecommendedRoles(t.Context(), row.CandidateID)
		must(t, err)
		for _, r := range out.Roles {
			bands[string(r.Recommendation.Band)]++
		}
		some += min(1, len(out.Roles))
	}
	t.Logf("%d of %d candidates get roles: %v", some, len(page.Candidates), bands)
	if len(page.Candidates) != 25 || some < 18 || bands["ENDORSED"] == 0 || bands["SUGGESTED"] == 0 {
		t.Errorf("%d of %d candidates get roles, in the bands %v; want most, in both", some, len(page.Candidates), bands)
	}
}

// newCarpenterSystem returns a system for testing recommendations, without roles.
func newCarpenterSystem(t *testing.T) *roleSystem {
	t.Helper()
	s := newRoleSystem(t, 0)
	s.applyEvent("company.upserted", "co1", 1, object{"name": "Example Works", "industries": []string{"gaming"}, "fundingRound": "SEED"})
	s.putCandidate("c1", 1, nil, nil)
	return s
}

// putCandidate stores a candidate in the owner's CRM. The fields in what replace those of the
// candidate; the fields in wish replace those of the preferences.
func (s *roleSystem) putCandidate(id string, version int, what, wish object) {
	s.t.Helper()
	preferences := object{
		"source": "RECRUITER", "updatedAt": "2026-01-01T00:00:00Z", "roleTypes": []string{"backend_engineer"},
		"locations": []string{"europe"}, "workplace": []string{"REMOTE", "HYBRID"}, "salaryMin": 90_000,
	}
	for name, value := range wish {
		preferences[name] = value
	}
	c := object{
		"recruiterId": demo.OwnerID, "candidateId": id, "name": "Ada Example", "relationshipStatus": "ACTIVE",
		"addedAt": "2026-01-01T00:00:00Z", "skills": []string{"Rust", "PostgreSQL"}, "preferences": []object{preferences},
	}
	for name, value := range what {
		c[name] = value
	}
	s.applyEvent("crmCandidate.upserted", demo.OwnerID+"/"+id, version, c)
}

// putIdealRole is a role that suits; change makes it different.
func (s *roleSystem) putIdealRole(id string, version int, change object) {
	s.t.Helper()
	o := object{
		"roleTypes": []string{"backend_engineer"}, "locationKeys": []string{"europe"}, "workplaceType": "HYBRID",
		"techStack": []string{"rust", "Postgresql"}, "salary": object{"min": 80_000, "max": 120_000}, "yearsMin": 2,
	}
	for name, value := range change {
		o[name] = value
	}
	s.applyEvent("role.upserted", id, version, newRoleData("Engineer "+id, o))
}

// recommendedIDs are the ids of the roles recommended for c1.
func (s *roleSystem) recommendedIDs() (ids []string) {
	s.t.Helper()
	var out contract.RecommendedRolesResponse
	s.getJSON(recommendedPath("c1"), s.personal, &out)
	for _, r := range out.Roles {
		ids = append(ids, r.ID)
	}
	if out.CandidateID != "c1" || out.Roles == nil {
		s.t.Errorf("got %+v; want c1 and a list", out)
	}
	slices.Sort(ids)
	return ids
}

func (s *roleSystem) checkRecommended(when string, ids ...string) {
	s.t.Helper()
	if got := s.recommendedIDs(); !slices.Equal(got, ids) {
		s.t.Errorf("%s: got %q; want %q", when, got, ids)
	}
}

// No role is recommended that the candidate cannot or may not be submitted to.
func TestRecommendedRoles(t *testing.T) {
	t.Parallel()
	s := newCarpenterSystem(t)
	s.checkRecommended("no roles")
	s.putIdealRole("good", 1, nil)
	s.putIdealRole("remote", 1, object{"workplaceType": "REMOTE"})
	for id, change := range map[string]object{
		"paused": {"status": "PAUSED"}, "closed": {"notAcceptingRecruiters": true}, "far": {"locationKeys": []string{"india"}},
		"office": {"workplaceType": "ON_SITE"}, "poor": {"salary": object{"min": 50_000, "max": 60_000}}, "other": {"roleTypes": []string{"people_talent"}},
	} {
		s.putIdealRole(id, 1, change)
	}
	s.checkRecommended("constraints", "good", "remote")

	s.applyEvent("roleAssignment.upserted", "closed/"+demo.OwnerID, 1, object{
		"roleId": "closed", "recruiterId": demo.OwnerID, "accessLevel": "FULL", "approvalStatus": "APPROVED",
	})
	s.checkRecommended("closed to others than the caller", "closed", "good", "remote")
	for i, step := range []struct {
		approval string
		want     []string
	}{{"APPROVED", []string{"closed", "remote"}}, {"WITHDRAWN", []string{"closed", "good", "remote"}}} {
		s.applyEvent("roleAssignment.upserted", "good/"+demo.OwnerID, i+1, object{
			"roleId": "good", "recruiterId": demo.OwnerID, "accessLevel": "SUBMISSION_REQUEST_ONLY", "approvalStatus": step.approval,
		})
		s.checkRecommended("for candidates asked for alone, "+step.approval, step.want...)
	}
	s.putIdealRole("good", 2, object{"visibility": "STEALTH"})
	var out contract.RecommendedRolesResponse
	s.getJSON(recommendedPath("c1"), s.personal, &out)
	for _, r := range out.Roles {
		if r.ID == "good" && (r.Company.Name == "Example Works" || r.Recommendation.Band != "ENDORSED") {
			t.Errorf("got %+v; want a stealth role's placeholder, endorsed", r)
		}
	}

	s.applyEvent("application.upserted", "a1", 1, object{
		"roleId": "remote", "recruiterId": demo.OwnerID, "candidateId": "c1", "candidateName": "Ada Example",
		"status": "WITHDRAWN", "submittedAt": "2026-01-01T00:00:00Z",
	})
	s.checkRecommended("submitted to", "closed", "good")
	s.applyEvent("match.upserted", "m1", 1, object{
		"recruiterId": demo.OwnerID, "roleId": "good", "status": "pending", "sentAt": contract.At(s.now()),
		"candidate": object{"candidateId": "c1", "name": "Ada Example"},
	})
	s.checkRecommended("being assessed", "closed")
	s.advanceClock(match.ExpiryPeriod - time.Minute)
	s.checkRecommended("being assessed to the last", "closed")
	s.advanceClock(time.Minute)
	s.checkRecommended("its match expired", "closed", "good")

	s.putCandidate("c1", 2, nil, object{"excludedIndustries": []string{"gaming"}})
	s.checkRecommended("an excluded industry")
	s.putCandidate("c1", 3, nil, object{"visaAuthorization": []string{"NEEDS_NEW_VISA_AUTHORIZATION"}})
	s.checkRecommended("no visa")
	s.putIdealRole("good", 3, object{"visaSponsorship": true})
	s.checkRecommended("a sponsored visa", "good")
}

// If recommendations are not enabled, the list is empty; a candidate of another
// recruiter is not found.
func TestRecommendedToNobody(t *testing.T) {
	t.Parallel()
	s := newCarpenterSystem(t)
	s.putIdealRole("good", 1, nil)
	s.checkRecommended("enabled", "good")
	s.putCandidate("hidden", 1, object{"hidden": true}, nil)
	s.putCandidate("archived", 1, object{"archived": true}, nil)
	for _, id := range []string{"hidden", "archived", "nobody"} {
		if r := s.sendRequest(http.MethodGet, recommendedPath(id), s.personal, nil); r.status != http.StatusNotFound {
			t.Errorf("%s: got %d %s; want 404", id, r.status, r.body)
		}
	}
	if r := s.sendRequest(http.MethodGet, recommendedPath("c1"), s.newRecruiterKey(demo.MemberID), nil); r.status != http.StatusNotFound {
		t.Errorf("another's: got %d %s; want 404", r.status, r.body)
	}
	owner, err := s.openAccounts().Recruiter(t.Context(), demo.OwnerID)
	must(t, err)
	owner.Recommendations = false
	must(t, s.openAccounts().ApplyRecruiter(t.Context(), owner.ID, 2, &owner))
	s.checkRecommended("not enabled")
}
