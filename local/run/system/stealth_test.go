package system_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/demo/market"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// stealthSecrets is what a stealth company must not be known by.
type stealthSecrets struct{ name, alias, investor, trade, tier, round string }

var (
	real     = stealthSecrets{"Velvet Anchor", "VelvetAnchor", "Northgate Ventures", "submarine cartography", "S", "SERIES_A"}
	replaced = stealthSecrets{"Qorvath Plimsey", "Qorv", "Zwendel Capital", "zxqv wubble", "C", "SEED"}
)

// publishStealthCompany publishes six roles of a stealth company with these secrets.
func (s *roleSystem) publishStealthCompany(x stealthSecrets, version int) {
	s.t.Helper()
	s.applyEvent("company.upserted", "stealthco", version, object{
		"name": x.name, "aliases": []string{x.alias}, "oneLiner": x.name + " does " + x.trade, "industries": []string{"ai"},
		"size": 10 * len(x.name), "tier": x.tier, "fundingRound": x.round, "investors": []string{x.investor},
		"description": x.trade + " by " + x.name, "teamAbout": "Backed by " + x.investor, "updatedAt": "2026-0" + fmt.Sprint(1+version%8) + "-01T00:00:00Z",
		"websiteUrl": "https://" + strings.ToLower(x.alias) + ".example.com", "benefits": []string{x.trade}, "locations": []string{x.trade},
		"fundingAmount": x.trade, "foundingYear": 1990 + len(x.alias), "pressUrls": []string{"https://" + strings.ToLower(x.alias) + ".example.com/press"},
	})
	for i := range 6 {
		s.applyEvent("role.upserted", fmt.Sprint("stealth", i), version, newRoleData(fmt.Sprintf("Harbour Engineer %d at %s, %s", i, x.name, strings.Fields(x.name)[1]), object{
			"companyId": "stealthco", "visibility": "STEALTH", "anonymizedName": "A company by the sea", "locationKeys": []string{"europe"},
			"locations": []string{"Lisbon, next to " + x.alias}, "roleTypes": []string{"backend_engineer"}, "browseRank": 100 * i,
			"techStack": []string{"Go", x.alias}, "description": "At " + x.name + " you draw maps. See https://" + strings.ToLower(x.alias) + ".example.com/jobs",
			"positionExplanation": "Follow #" + strings.ReplaceAll(x.name, " ", "") + "HQ and <b>" + strings.ReplaceAll(x.name, " ", "</b>&nbsp;<b>") + "</b>",
			"salary":              object{"min": 90000, "max": 120000, "currency": "EUR"}, "responsibilities": []string{"Help " + x.alias + " grow"},
			"guidance": object{"recruitingAdvice": "Say that " + x.name + " hires", "outreachTemplates": []object{{"body": "Hello from " + x.name}}},
			"faqs":     []object{{"question": "Is " + x.alias + " real?", "answer": "Yes"}},
		}))
	}
}

// publishMentions names the company in every text that may name it and that reaches an
// unrelated recruiter with a candidate on one of the roles, a match on another, and a
// call about a third.
func (s *roleSystem) publishMentions(x stealthSecrets, version int) {
	s.t.Helper()
	word := strings.Fields(x.name)[0]
	says := "Never say " + x.name + ", " + word + ", " + word + "Pay, get" + strings.ToLower(word) + ", " + x.alias + " or @" + x.alias + "."
	all := object{"all": true}
	s.applyEvent("announcement.upserted", "stealthnews", version, object{"roleId": "stealth3", "message": says, "createdAt": "2026-02-03T00:00:00Z", "recipients": all})
	s.applyEvent("intakeTranscript.upserted", "stealthtalk", version, object{"roleId": "stealth3", "text": says, "title": says, "summary": says, "updatedAt": "2026-02-02T00:00:00Z", "readers": all})
	s.applyEvent("rolePipeline.upserted", "stealth3", version, object{"rejectionPatterns": []object{{"category": says, "reason": says}}, "stageCounts": []object{{"stage": says, "count": 1}}})
	s.applyEvent("application.upserted", "stealthapp", version, object{
		"roleId": "stealth3", "recruiterId": demo.MemberID, "candidateId": "c1", "candidateName": "Ada Example", "status": "IN_REVIEW", "autoMatch": true,
		"rejectionReason": says, "statusUpdateMessage": says, "submittedAt": "2026-02-02T00:00:00Z",
	})
	s.applyEvent("match.upserted", "stealthmatch", version, object{
		"recruiterId": demo.MemberID, "roleId": "stealth4", "status": "dismissed", "sentAt": "2026-02-02T00:00:00Z", "hiringManagerName": "Mona Example",
		"hiringManagerNote": says, "candidate": object{"candidateId": "c1", "name": "Ada Example"},
	})
	s.applyEvent("call.upserted", "stealthcall", version, object{
		"recruiterId": demo.MemberID, "title": "Screening", "scheduledAt": "2026-02-02T00:00:00Z", "url": "https://app.example.com/calls/1", "updatedAt": "2026-02-02T00:00:00Z",
		"roleId": "stealth5", "participants": []object{{"email": "ada@example.com"}}, "transcript": object{"segments": []object{{"text": "Hello"}}},
	})
}

// otherRolePaths are the other paths whose responses mention roles.
var otherRolePaths = []string{
	"/recruiter/active-roles?autoMatchOnly=true", "/recruiter/recommendations?status=all", "/recruiter/notetaker-calls", "/recruiter/notetaker-calls/stealthcall",
	"/recruiter/candidates/c1", "/recruiter/candidates/c1/recommended-roles", "/recruiter/candidates?query=ada", "/recruiter/roles?query=never+say", "/recruiter/roles?nonsense=velvet&limit=5",
}

// An unrelated recruiter gets the same responses whatever the secrets of a stealth company are.
func TestStealth(t *testing.T) {
	t.Parallel()
	s := newRoleSystem(t, 0)
	for line := range market.RoleEvents(30, s.now()) {
		s.applyEvents(line)
	}
	stranger := s.newRecruiterKey(demo.MemberID)
	s.applyEvent("roleAssignment.upserted", "stealth1/"+demo.OwnerID, 1, object{"roleId": "stealth1", "recruiterId": demo.OwnerID, "approvalStatus": "APPROVED", "accessLevel": "FULL"})
	s.applyEvent("roleAssignment.upserted", "stealth2/"+demo.MemberID, 1, object{"roleId": "stealth2", "recruiterId": demo.MemberID, "approvalStatus": "PENDING", "accessLevel": "FULL"})
	s.applyEvent("recruiter.upserted", demo.MemberID, 9, object{
		"name": "Amadou Keita", "email": demo.MemberEmail, "agencyId": demo.AgencyID, "canRecruit": true, "personalKeys": true, "recommendations": true,
	})
	s.applyEvent("crmCandidate.upserted", demo.MemberID+"/c1", 1, object{
		"recruiterId": demo.MemberID, "candidateId": "c1", "name": "Ada Example", "relationshipStatus": "ACTIVE", "addedAt": "2026-01-01T00:00:00Z",
		"preferences": []object{{"source": "RECRUITER", "updatedAt": "2026-01-01T00:00:00Z", "roleTypes": []string{"backend_engineer"}, "locations": []string{"europe"}, "fundingRounds": []string{"SERIES_A"}}},
	})
	paths := append(randomRolePaths(), otherRolePaths...)
	ask := func() (answers []string) {
		keys := map[bool]string{true: stranger, false: s.key}
		for i, path := range paths {
			if i%50 == 0 {
				s.advanceClock(time.Minute) // into the next window
			}
			r := s.sendRequest("GET", path, keys[strings.HasPrefix(path, "/recruiter")], nil)
			answers = append(answers, fmt.Sprint(r.status, " ", strings.ReplaceAll(r.body, r.header.Get("X-Request-Id"), "")))
		}
		return answers
	}
	s.publishStealthCompany(real, 1)
	s.publishMentions(real, 1)
	first := ask()
	must(t, s.Publish(t.Context()))
	s.publishStealthCompany(replaced, 2)
	s.publishMentions(replaced, 2)
	second := ask()
	found := 0
	for i := range paths {
		if diff := cmp.Diff(first[i], second[i]); diff != "" {
			t.Fatalf("%s tells the secrets (-real +replaced):\n%s", paths[i], diff)
		}
		found += strings.Count(first[i], "A company by the sea")
		for _, word := range []string{"Velvet", "velvet", "Northgate", "cartography"} {
			if strings.Contains(first[i], word) {
				t.Fatalf("%s shows %q: %s", paths[i], word, first[i])
			}
		}
	}
	for _, path := range otherRolePaths[:6] {
		if at := slices.Index(paths, path); !strings.Contains(first[at], "stealth") {
			t.Errorf("%s shows no stealth role: %s", path, first[at])
		}
	}
	if found < 100 {
		t.Errorf("the stealth roles were found %d times only: nothing is shown by this", found)
	}

	for _, query := range []string{"query=qorvath", "query=zxqv", "investors=zwendel", "companyTier=C&query=harbour"} {
		got := s.listRoles(query)
		if len(got.Roles) != 1 || got.Roles[0].ID != "stealth1" || got.Roles[0].Company.Name != replaced.name {
			t.Errorf("%s by the approved caller: got %+v; want stealth1 by its name", query, got.Roles)
		}
	}
	for _, query := range []string{"query=qorvath", "investors=zwendel"} {
		var got contract.RoleList
		if s.getJSON("/recruiter/roles?"+query, stranger, &got); len(got.Roles) != 0 {
			t.Errorf("%s by a stranger: got %+v", query, got.Roles)
		}
	}
}

// randomRolePaths are 280 random searches and filter sets, details and briefs.
func randomRolePaths() (paths []string) {
	r := rand.New(rand.NewPCG(5, 7))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	words := []string{"harbour", "engineer", "enginer", "velvet", "velvt", "anchor", "velvetanchor", "vel", "northgate", "cartography", "submarine", "maps",
		"qorvath", "plimsey", "zwendel", "zxqv", "lisbon", "sea", "company", "confidential", "go", "europe", "senior", "backed", "grow", "does", "by", "ai"}
	for len(paths) < 230 {
		q := url.Values{}
		for range r.IntN(3) {
			q.Set("query", strings.TrimSpace(q.Get("query")+" "+pick(words...)))
		}
		for range r.IntN(3) {
			switch r.IntN(8) {
			case 0:
				q.Set("fundingRound", pick("SEED", "SERIES_A", "SERIES_B"))
			case 1:
				q.Set("companyTier", pick("S", "C", "A"))
			case 2:
				q.Set("investors", pick("northgate", "zwendel", "capital", "ventures"))
			case 3:
				q.Set("minCompanySize", pick("1", "100", "140", "200"))
			case 4:
				q.Set("techStack", pick("Go", "velvetanchor", "Qorv", "Kubernetes"))
			case 5:
				q.Set("location", pick("europe", "uk"))
			case 6:
				q.Set("industry", pick("ai", "fintech"))
			case 7:
				q.Set("minSalary", pick("80000", "110000"))
			}
		}
		if q.Has("query") {
			q.Set("sort", pick("browse", "relevance"))
		}
		q.Set("limit", pick("2", "5", "20"))
		paths = append(paths, "/recruiter/roles?"+q.Encode())
	}
	on := "recruiterEmail=" + url.QueryEscape(demo.MemberEmail)
	for i := range 40 {
		paths = append(paths, "/agency/roles/search?"+on+"&limit="+pick("2", "20")+"&query="+pick(words...))
		if i < 6 {
			paths = append(paths, fmt.Sprintf("/agency/roles/stealth%d?%s&includeIntakeTranscripts=true", i, on), fmt.Sprintf("/recruiter/roles/stealth%d", i))
		}
	}
	return append(paths, "/agency/roles?"+on+"&limit=3", "/agency/roles?"+on+"&limit=100", "/recruiter/active-roles")
}
