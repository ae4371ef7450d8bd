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

// recommended asks for a candidate of the demo's book on a catalogue that is in use.
func (c *counted) recommended() call {
	s := c.shop(40)
	s.apply(slices.Collect(market.Book(demo.OwnerID, s.now()))[:5]...)
	return s.warm(recommendedPath(market.CandidateID(3)), s.personal)
}

// Most of the newest candidates of the demo's book get some roles.
func TestDemoRecommended(t *testing.T) {
	t.Parallel()
	b := start(t, nil)
	must(t, b.LoadRoles(t.Context(), 240))
	c := client.New(b.BaseURL, b.recruiterKey(demo.OwnerID), hurried)
	page, err := c.CRMCandidates(t.Context(), contract.ListCRMCandidatesRequest{Limit: 25})
	must(t, err)
	some, bands := 0, map[string]int{}
	for _, row := range page.Candidates {
		out, err := c.RecommendedRoles(t.Context(), row.CandidateID)
		must(t, err)
		for _, r := range out.Roles {
			bands[r.Recommendation.Band]++
		}
		some += min(1, len(out.Roles))
	}
	t.Logf("%d of %d candidates get roles: %v", some, len(page.Candidates), bands)
	if len(page.Candidates) != 25 || some < 18 || bands["ENDORSED"] == 0 || bands["SUGGESTED"] == 0 {
		t.Errorf("%d of %d candidates get roles, in the bands %v; want most, in both", some, len(page.Candidates), bands)
	}
}

// counter is a shop for carpenters, who are called backend engineers here.
func newCounter(t *testing.T) *shop {
	t.Helper()
	s := newShop(t, 0)
	s.tell("company.upserted", "co1", 1, object{"name": "Example Works", "industries": []string{"gaming"}, "fundingRound": "SEED"})
	s.candidate("c1", 1, nil, nil)
	return s
}

// candidate is one of the owner's book; what and wish make it different.
func (s *shop) candidate(id string, version int, what, wish object) {
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
	s.tell("crmCandidate.upserted", demo.OwnerID+"/"+id, version, c)
}

// ideal is a role that suits; change makes it different.
func (s *shop) ideal(id string, version int, change object) {
	s.t.Helper()
	o := object{
		"roleTypes": []string{"backend_engineer"}, "locationKeys": []string{"europe"}, "workplaceType": "HYBRID",
		"techStack": []string{"rust", "Postgresql"}, "salary": object{"min": 80_000, "max": 120_000}, "yearsMin": 2,
	}
	for name, value := range change {
		o[name] = value
	}
	s.tell("role.upserted", id, version, aRole("Engineer "+id, o))
}

// suits are the ids of the roles recommended for c1.
func (s *shop) suits() (ids []string) {
	s.t.Helper()
	var out contract.RecommendedRolesResponse
	s.ask(recommendedPath("c1"), s.personal, &out)
	for _, r := range out.Roles {
		ids = append(ids, r.ID)
	}
	if out.CandidateID != "c1" || out.Roles == nil {
		s.t.Errorf("got %+v; want c1 and a list", out)
	}
	slices.Sort(ids)
	return ids
}

func (s *shop) wants(when string, ids ...string) {
	s.t.Helper()
	if got := s.suits(); !slices.Equal(got, ids) {
		s.t.Errorf("%s: got %q; want %q", when, got, ids)
	}
}

// Nothing is recommended that the candidate cannot take or that is taken already.
func TestRecommendedRoles(t *testing.T) {
	t.Parallel()
	s := newCounter(t)
	s.wants("no roles")
	s.ideal("good", 1, nil)
	s.ideal("remote", 1, object{"workplaceType": "REMOTE"})
	for id, change := range map[string]object{
		"paused": {"status": "PAUSED"}, "closed": {"notAcceptingRecruiters": true}, "far": {"locationKeys": []string{"india"}},
		"office": {"workplaceType": "ON_SITE"}, "poor": {"salary": object{"min": 50_000, "max": 60_000}}, "other": {"roleTypes": []string{"people_talent"}},
	} {
		s.ideal(id, 1, change)
	}
	s.wants("constraints", "good", "remote")

	s.tell("roleAssignment.upserted", "closed/"+demo.OwnerID, 1, object{
		"roleId": "closed", "recruiterId": demo.OwnerID, "accessLevel": "FULL", "approvalStatus": "APPROVED",
	})
	s.wants("closed to others than the caller", "closed", "good", "remote")
	s.ideal("good", 2, object{"visibility": "STEALTH"})
	var out contract.RecommendedRolesResponse
	s.ask(recommendedPath("c1"), s.personal, &out)
	for _, r := range out.Roles {
		if r.ID == "good" && (r.Company.Name == "Example Works" || r.Recommendation.Band != "ENDORSED") {
			t.Errorf("got %+v; want a stealth role's placeholder, endorsed", r)
		}
	}

	s.tell("application.upserted", "a1", 1, object{
		"roleId": "remote", "recruiterId": demo.OwnerID, "candidateId": "c1", "candidateName": "Ada Example",
		"status": "WITHDRAWN", "submittedAt": "2026-01-01T00:00:00Z",
	})
	s.wants("submitted to", "closed", "good")
	s.tell("match.upserted", "m1", 1, object{
		"recruiterId": demo.OwnerID, "roleId": "good", "status": "pending", "sentAt": contract.At(s.now()),
		"candidate": object{"candidateId": "c1", "name": "Ada Example"},
	})
	s.wants("being assessed", "closed")
	s.move(match.Window - time.Minute)
	s.wants("being assessed to the last", "closed")
	s.move(time.Minute)
	s.wants("its match expired", "closed", "good")

	s.candidate("c1", 2, nil, object{"excludedIndustries": []string{"gaming"}})
	s.wants("an excluded industry")
	s.candidate("c1", 3, nil, object{"visaAuthorization": []string{"NEEDS_NEW_VISA_AUTHORIZATION"}})
	s.wants("no visa")
	s.ideal("good", 3, object{"visaSponsorship": true})
	s.wants("a sponsored visa", "good")
}

// Recommendations that are not enabled are an empty list, and a candidate whom the
// caller does not have is found by nobody.
func TestRecommendedToNobody(t *testing.T) {
	t.Parallel()
	s := newCounter(t)
	s.ideal("good", 1, nil)
	s.wants("enabled", "good")
	s.candidate("hidden", 1, object{"hidden": true}, nil)
	s.candidate("archived", 1, object{"archived": true}, nil)
	for _, id := range []string{"hidden", "archived", "nobody"} {
		if r := s.send(http.MethodGet, recommendedPath(id), s.personal, nil); r.status != http.StatusNotFound {
			t.Errorf("%s: got %d %s; want 404", id, r.status, r.body)
		}
	}
	if r := s.send(http.MethodGet, recommendedPath("c1"), s.recruiterKey(demo.MemberID), nil); r.status != http.StatusNotFound {
		t.Errorf("another's: got %d %s; want 404", r.status, r.body)
	}
	owner, err := s.accounts().Recruiter(t.Context(), demo.OwnerID)
	must(t, err)
	owner.Recommendations, owner.Version = false, owner.Version+1
	must(t, s.accounts().PutRecruiter(t.Context(), owner))
	s.wants("not enabled")
}
