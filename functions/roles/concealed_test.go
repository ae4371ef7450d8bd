package roles_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// concealed are invented names of companies, each with forms that a stranger must neither read nor find.
var concealed = [][]string{
	{"Zorblatt Dynamics Inc.", "Zorblatt", "zorblattdb", "ZorblattCloud", "myzorblatt"},
	{"Qvex", "QvexPay", "Qvexer", "getqvex", "LifeAtQvex"},
	{"ZDX", "zdxhq", "MyZDX"},
	{"VelvetAnchor", "Velvet Anchor", "velvetanchorhq"},
	{"Qorvath & Plimsey", "Qorvath", "plimsey", "qorvathplimsey"},
	{"Grumbok S.A.", "Grumbok", "trygrumbok"},
	{"Yxorn.ai", "Yxorn", "YxornPay"},
	{"Glorp42", "Glorp 42", "glorp42s"},
	{"Ørnvåk AS", "Ornvak", "ørnvåks"},
	{"General Systems Group", "General Systems Group", "GeneralSystemsGroup"},
}

// putConcealedRole puts a stealth role that names its company, in a form, in every text of lists.
func (b *testService) putConcealedRole(id, name, form string) {
	company := "co-" + id
	b.putCompany(company, role.Company{CompanyFacts: role.CompanyFacts{
		Name: name, OneLiner: new(form + " digs"), Investors: []string{form}, WebsiteURL: new("https://" + id + "-domain.example.net"),
	}})
	b.putRole(id, func(r *role.Role) {
		r.Title = "Gizmologist at " + form
		r.CompanyID = company
		r.Visibility = contract.RoleVisibilityStealth
		r.RoleTypes = []string{gizmologistType}
		r.TechStack = []string{"Fortran", form, ownSkill(id)}
		r.Locations = []string{"Lisbon, " + form}
		r.OpeningsText = "Two at " + form
		r.Description = new("We at " + form + " (" + id + "-domain.example.net) dig.")
		r.VisaText = &form
		r.Questions = []role.Question{{ID: "q", Question: "Why " + form + "?"}}
		r.FAQs = []contract.QuestionAnswer{{Question: "Who is " + form + "?", Answer: form}}
		r.Guidance = role.Guidance{
			CandidateSellingPoints: &form, OutreachHighlights: []string{form}, SellingPoints: []contract.SellingPoint{{Title: form}},
			OutreachTemplates: []contract.OutreachTemplate{{Subject: &form, Body: "Hello from " + form}},
		}
	})
}

// A stranger reads the names of stealth companies nowhere, and finds their roles by them neither with a
// query nor with a filter.
func TestNamesAreConcealed(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	roles := map[string][]string{} // the secrets of each role
	for i, names := range concealed {
		for j, form := range names {
			id := fmt.Sprintf("r%d-%d", i, j)
			roles[id] = []string{form}
			b.putConcealedRole(id, names[0], form)
		}
	}
	b.checkConcealed(roles)
}

// The same with 300 drawn names.
func TestDrawnNamesAreConcealed(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	roles := map[string][]string{}
	for i, drawn := range apitest.DrawCompanies(cloudtest.Draws(300)) {
		id := fmt.Sprint("drawn-", i)
		roles[id] = []string{drawn.Form, drawn.Word}
		b.putConcealedRole(id, drawn.Name, drawn.Form)
	}
	b.checkConcealed(roles)
}

const asMember = "recruiterEmail=ben%40example.com"

// checkConcealed fails if an answer to a stranger has a secret of a role, or a request that names one finds the role.
func (b *testService) checkConcealed(roles map[string][]string) {
	b.t.Helper()
	var lists strings.Builder
	for _, path := range []string{"/recruiter/roles?limit=50&query=gizmologist", "/recruiter/roles?limit=50&techStack=fortran", "/agency/roles?limit=100&" + asMember,
		"/agency/roles/search?limit=50&query=gizmologist&" + asMember} {
		lists.WriteString(b.allPages(path))
	}
	if n := strings.Count(lists.String(), "Gizmologist"); n < 2*len(roles) {
		b.t.Fatalf("the lists show %d roles only", n)
	}
	shown := text.Fold(lists.String())
	for id, secrets := range roles {
		secrets = append(slices.Clone(secrets), id+"-domain.example.net")
		own := text.Fold(b.answer("/recruiter/roles/"+id) + b.answer("/agency/roles/"+id+"?"+asMember) + b.answerRecommended(id, secrets))
		for _, secret := range secrets {
			if folded := text.Fold(secret); strings.Contains(shown, folded) || strings.Contains(own, folded) {
				b.t.Errorf("a stranger reads %q", secret)
			}
			b.checkNotFoundBy(id, url.QueryEscape(secret))
		}
	}
}

// gizmologistType is the type of the stealth roles.
const gizmologistType = "mechanical_engineer"

// ownSkill returns what only one role has in its stack.
func ownSkill(roleID string) string { return "gizmo " + roleID }

// answerRecommended returns what a stranger is recommended for a candidate who has the skill of one role, which must be recommended.
// It fails if the secrets of that role count as skills of another candidate.
func (b *testService) answerRecommended(id string, secrets []string) string {
	b.t.Helper()
	answer := b.answer(b.putGizmologist("of-"+id, ownSkill(id)))
	if !strings.Contains(answer, `"`+id+`"`) {
		b.t.Errorf("%s is not recommended to whom it suits: %s", id, answer)
	}
	byNames := b.answer(b.putGizmologist("by-"+id, secrets...))
	if strings.Contains(byNames, `"`+string(contract.ReasonSkills)+`"`) || !strings.Contains(byNames, "Gizmologist") {
		b.t.Errorf("recommended to a candidate with the skills %q: %s", secrets, byNames)
	}
	return answer
}

// putGizmologist stores a candidate of the stranger, and returns the path of the candidate's recommended roles.
func (b *testService) putGizmologist(id string, skills ...string) string {
	b.t.Helper()
	entities := entity.NewStore(cloudtest.TableOf(b.t, b.host, topology.Marketplace), dynamo.New(b.host.AWS).WriteTx)
	b.must(crm.NewStore(entities, func() time.Time { return b.at }).Put(b.t.Context(), zoe, id, b.nextStamp(), &crm.Candidate{
		RecruiterID: zoe, CandidateID: id, Name: "Ada Example", RelationshipStatus: "SOURCED", AddedAt: contract.At(b.at), Skills: skills,
		Preferences: []crm.Preferences{{UpdatedAt: contract.At(b.at), RoleTypes: []string{gizmologistType}}},
	}))
	return "/recruiter/candidates/" + id + "/recommended-roles"
}

// checkNotFoundBy fails if a stranger finds a role by what they seek, or is told of it by an error.
func (b *testService) checkNotFoundBy(id, sought string) {
	b.t.Helper()
	for _, path := range []string{"/recruiter/roles?query=" + sought, "/recruiter/roles?techStack=" + sought, "/recruiter/roles?investors=" + sought,
		"/agency/roles/search?query=" + sought + "&" + asMember, "/recruiter/roles/" + sought, "/agency/roles/" + sought + "?" + asMember} {
		if a := b.get(stranger(path), path); strings.Contains(a.Body, `"`+id+`"`) {
			b.t.Errorf("%s finds the role %s: %s", path, id, a.Body)
		}
	}
}

// allPages returns what a stranger reads on all pages of a list.
func (b *testService) allPages(path string) string {
	b.t.Helper()
	var all strings.Builder
	for cursor := ""; ; {
		body := b.answer(path + cursor)
		all.WriteString(body)
		var page struct {
			NextCursor json.RawMessage `json:"nextCursor"`
		}
		if err := json.Unmarshal([]byte(body), &page); err != nil {
			b.t.Fatal(err)
		}
		next := strings.Trim(string(page.NextCursor), `"`)
		if next == "" || next == "null" {
			return all.String()
		}
		cursor = "&cursor=" + url.QueryEscape(next)
	}
}

// stranger returns the caller of a path's surface who is no recruiter of the stealth roles.
func stranger(path string) string {
	if strings.HasPrefix(path, "/agency") {
		return agencyID
	}
	return zoe
}

// answer returns what a stranger is answered, without the names in the request.
func (b *testService) answer(path string) string {
	a := b.get(stranger(path), path)
	if a.Status != 200 {
		b.t.Fatalf("%s: %d %s", path, a.Status, a.Body)
	}
	return a.Body
}
