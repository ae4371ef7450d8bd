package roles_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

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
		r.Title, r.CompanyID, r.Visibility = "Gizmologist at "+form, company, role.Stealth
		r.Locations, r.TechStack, r.OpeningsText = []string{"Lisbon, " + form}, []string{"Fortran", form}, "Two at "+form
		r.Description, r.VisaText = new("We at "+form+" ("+id+"-domain.example.net) dig."), &form
		r.Questions = []role.Question{{ID: "q", Question: "Why " + form + "?"}}
		r.FAQs = []role.FAQ{{Question: "Who is " + form + "?", Answer: form}}
		r.Guidance = role.Guidance{
			CandidateSellingPoints: &form, OutreachHighlights: []string{form}, SellingPoints: []role.SellingPoint{{Title: form}},
			OutreachTemplates: []role.OutreachTemplate{{Subject: &form, Body: "Hello from " + form}},
		}
	})
}

// A stranger reads the names of stealth companies nowhere, and finds their roles by them neither with a
// query nor with a filter.
func TestNamesAreConcealed(t *testing.T) {
	t.Parallel()
	b := newTestService(t)
	forms := map[string]string{}
	for i, names := range concealed {
		for j, form := range names {
			id := fmt.Sprintf("r%d-%d", i, j)
			forms[id] = form
			b.putConcealedRole(id, names[0], form)
		}
	}
	member := "recruiterEmail=" + url.QueryEscape("ben@example.com")
	shared := []string{"/recruiter/roles?limit=50&query=gizmologist", "/recruiter/roles?limit=50&techStack=fortran", "/agency/roles?limit=100&" + member,
		"/agency/roles/search?limit=50&query=gizmologist&" + member}
	var lists strings.Builder
	for _, path := range shared {
		lists.WriteString(b.answer(path))
	}
	if n := strings.Count(lists.String(), "Gizmologist"); n < 2*len(forms) {
		t.Fatalf("the lists show %d roles only", n)
	}
	for id, form := range forms {
		shown := lists.String() + b.answer("/recruiter/roles/"+id) + b.answer("/agency/roles/"+id+"?"+member)
		for _, secret := range []string{form, id + "-domain.example.net"} {
			if strings.Contains(text.Fold(shown), text.Fold(secret)) {
				t.Errorf("a stranger reads %q", secret)
			}
			sought := url.QueryEscape(secret)
			for _, path := range []string{"/recruiter/roles?query=" + sought, "/recruiter/roles?techStack=" + sought, "/recruiter/roles?investors=" + sought, "/agency/roles/search?query=" + sought + "&" + member} {
				if strings.Contains(b.answer(path), id) {
					t.Errorf("%s finds the role of %q", path, form)
				}
			}
		}
	}
}

// answer returns what a stranger is answered, without the names in the request.
func (b *testService) answer(path string) string {
	who := zoe
	if strings.HasPrefix(path, "/agency") {
		who = agencyID
	}
	a := b.get(who, path)
	if a.Status != 200 {
		b.t.Fatalf("%s: %d %s", path, a.Status, a.Body)
	}
	return a.Body
}
