package role

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/text"
)

// shapes are invented names of companies in the shapes that real ones have, each with other forms that
// a stranger must not read either.
var shapes = map[string][]string{
	"Zorblatt Dynamics Inc.": {"Zorblatt", "zorblattdb", "ZorblattCloud", "zorblatt-dynamics", "myzorblatt"},
	"Brexo":                  {"BREXO", "BrexoPay", "getbrexo", "#BrexoLife", "brexos"},
	"Qvex":                   {"QvexPay", "Qvexer", "getqvex", "#QvexLife", "@qvexhq", "LifeAtQvex", "qvexbot"},
	"ZDX":                    {"zdxhq", "ZDX-Cloud", "joinzdx", "MyZDX", "zdx42"},
	"Qz":                     {"QzPay", "getqz", "QZ", "qz"},
	"VelvetAnchor":           {"Velvet Anchor", "velvet-anchor", "VELVETANCHOR", "velvetanchorhq"},
	"Qorvath & Plimsey":      {"Qorvath and Plimsey", "qorvathplimsey", "Plimsey", "Qorvath"},
	"H&Q":                    {"H & Q", "H and Q", "h&amp;q", "HQ"},
	"Zwendel GmbH & Co. KG":  {"Zwendel", "zwendelkg", "ZwendelPro"},
	"Plimsol S.A.":           {"Plimsol SA", "Plimsols", "tryplimsol"},
	"Plorex S.p.A.":          {"Plorex", "PlorexSpA"},
	"Gwyth Pty. Ltd.":        {"Gwyth", "gwythians", "teamgwyth"},
	"Zqorn.ai":               {"Zqorn", "zqorn-ai", "ZqornAI", "zqorn.com"},
	"Q3.ai":                  {"Q3", "Q3Cloud", "joinq3"},
	"Glorp42":                {"Glorp 42", "glorp-42", "glorp42s"},
	"7Krell":                 {"7-krell", "7krellers"},
	"Ørnvåk AS":              {"Ornvak", "ORNVÅK", "ørnvåks"},
	"Éclairion Santé":        {"Eclairion", "sante", "EclairionHQ"},
	"Straußfeld AG":          {"Straussfeld", "STRAUSSFELD"},
	"株式会社ゾルブ":                {"ゾルブ"},
	"The Qibblet Company":    {"Qibblet", "The Qibblet", "qibblets"},
	"O'Zelly Media":          {"Zelly", "OZelly", "O’Zelly"},
	"Zimmer-Quist":           {"Zimmer", "Quist", "zimmerquist", "Zimmer Quist"},
	"General Systems Group":  {"general systems group", "GeneralSystemsGroup", "general-systems-group"},
	"Global Health AI":       {"Global Health AI", "globalhealthai"},
	"LUMENQ LABS":            {"Lumenq", "lumenqlabs", "LumenqLabs", "uselumenq"},
	"iZorb":                  {"i-Zorb", "izorb", "iZorbs"},
	"deZign Vrok BV":         {"dezign", "vrok", "vrokHQ"},
}

// told are texts around a form of a name.
func told(form string) string {
	return "Work at " + form + " with " + form + "'s team; see @" + form + ", (" + form + ")."
}

// conceals fails if a stranger reads a form of the name of a company in any text of its stealth role.
func conceals(t *rapid.T, name string, forms ...string) {
	s := secret{name, name + " Holdings", "Zqest Capital", "Zqprose", "zq.example.com"}
	forms = append(forms, name)
	var texts strings.Builder
	for _, form := range forms {
		texts.WriteString(told(form) + "\n")
	}
	for _, c := range []Caller{{Now: now}, {Now: now, LinksOmitted: true}} {
		shown := text.Fold(s.shown(texts.String(), c))
		for _, form := range forms {
			if strings.Contains(shown, text.Fold(form)) {
				t.Fatalf("of %q, a stranger reads %q in %s", name, form, shown)
			}
		}
	}
}

// TestShapesOfNamesAreConcealed shows strangers every form of names in all shapes.
func TestShapesOfNamesAreConcealed(t *testing.T) {
	t.Parallel()
	for name, forms := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newNameHider("…", []string{name})
			for _, form := range append(forms, name) {
				for _, in := range []string{form, told(form), "<b>" + form + "</b>", "a/" + form + "/b"} {
					if got := text.Fold(h.hideNames(in)); strings.Contains(got, text.Fold(form)) {
						t.Errorf("of %q in %q stays %q", form, in, got)
					}
				}
			}
		})
	}
}

// drawName draws a name of a company from invented parts, and its distinctive word.
func drawName(t *rapid.T) (name, distinctive string) {
	distinctive = rapid.StringMatching(`[Zz][qxv][aou](rn|lk|mb|x)?(eph|ung|ilt|ox)?`).Draw(t, "distinctive")
	form := rapid.SampledFrom([]string{
		"%s", "%s Inc.", "%s GmbH", "%s S.A.", "%s Labs", "%s.ai", "%s & Co", "%s Systems Group, LLC", "The %s Company", "Global %s", "%s 42", "%s Health AI Ltd.",
		"%s Technologies B.V.", "Studio %s", "%s & Sons", "%s-Data",
	}).Draw(t, "form")
	return fmt.Sprintf(form, distinctive), distinctive
}

// TestDrawnNamesAreConcealed greps everything that strangers read for 300 drawn names.
func TestDrawnNamesAreConcealed(t *testing.T) {
	t.Parallel()
	for n := range 3 { // 100 draws each
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				name, w := drawName(t)
				title := strings.ToUpper(w[:1]) + w[1:]
				conceals(t, name, title, title+"Pay", "get"+strings.ToLower(w), "#"+title+"Life", "MyNew"+title, title+"er", w+"db")
			})
		})
	}
}

// TestOrdinaryWordsStay keeps the words of prose that only look like parts of names.
func TestOrdinaryWordsStay(t *testing.T) {
	t.Parallel()
	for name, stays := range map[string]string{
		"Arc":                   "Our architecture and its architects arch over research and search at startups",
		"Star Labs Inc.":        "We started a startup: start in the labs, starting salary, restart",
		"Inter Systems":         "An interview with international printers and winter interns",
		"Ramp":                  "rampant growth, and cramped offices",
		"General Systems Group": "A general group of systems engineers; systems in general, group lead",
		"Global Health AI":      "Global teams in health use AI; the health of AI",
		"Open Data Co":          "Data that is open, an open role, company data",
		"Red Quist":             "Redis, Redshift and Redux; reduce and redo",
		"Acme Robotics, Inc.":   "Robotics engineers, robots, incorporated, academe",
		"S.A. Works":            "It works as a workshop of SaaS",
		"Go":                    "Golang, gopher and going; good governance, category",
		"The Qibblet Company":   "The company, a company, our companies",
		"Plaid Health":          "Healthy and healthcare, plait",
	} {
		if got := newNameHider("XX", []string{name}).hideNames(stays); got != stays {
			t.Errorf("%s: got %q, want %q", name, got, stays)
		}
	}
}

// TestDomainsAreConcealed hides the host of the website, and the domain that was registered.
func TestDomainsAreConcealed(t *testing.T) {
	t.Parallel()
	facts := CompanyFacts{Name: "Zorblatt", WebsiteURL: new("https://www.careers.zb-tech.co.uk:8080/jobs?x=1")}
	hide := facts.hideIn("XX")
	for in, want := range map[string]string{
		"careers.zb-tech.co.uk, zb-tech.co.uk and ada@zb-tech.co.uk": "XX, XX and ada@XX",
		"ZB-Tech.co.uk or jobs.zb-tech.co.uk":                        "XX or jobs.XX",
		"tech in the UK, co-workers":                                 "tech in the UK, co-workers",
	} {
		if got := hide(in); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestCopyForCandidatesIsAnonymous takes the company out of the texts for candidates of a confidential
// role, and out of no other.
func TestCopyForCandidatesIsAnonymous(t *testing.T) {
	t.Parallel()
	s := secret{"Zqorn Labs", "Zqorn", "Zqest Capital", "Zqprose", "zqorn.example.com"}
	const said = "Join {N} ({L})"
	for label, want := range map[string]string{"": "Join the company", "A rival of Zqorn": "Join A rival of the company"} {
		r := s.role(said)
		r.Visibility = contract.RoleVisibilityPublic
		r.ConfidentialSearch = true
		if label != "" {
			r.AnonymizedName = &label
		}
		c := s.company()
		view := Redact(rawRole("role-1", r, &c, nil, nil), Caller{Now: now, LinksOmitted: false})
		detail := view.Detail(nil, nil, Reader{})
		brief := view.Brief(nil, Reader{}, nil)
		if diff := cmp.Diff(detail.Pitch.Guidance, brief.RecruitingGuidance); diff != "" {
			t.Errorf("(-detail +brief):\n%s", diff)
		}
		g := detail.Pitch.Guidance
		open := s.tell(said)
		got := []string{
			g.SellingPoints[0].Title, g.SellingPoints[0].Description, g.OutreachHighlights[0], *g.CandidateSellingPoints,
			*g.OutreachTemplates[0].Name, *g.OutreachTemplates[0].Subject, g.OutreachTemplates[0].Body,
		}
		for i, one := range got {
			if one != want {
				t.Errorf("text %d: got %q, want %q", i, one, want)
			}
		}
		for _, one := range []string{*g.RecruitingAdvice, *g.RecruiterSellingPoints, *g.OutreachGuidelines, *detail.About.Description, detail.Summary.Name} {
			if one != open {
				t.Errorf("got %q, want %q", one, open)
			}
		}
		if *r.Guidance.CandidateSellingPoints != open {
			t.Error("the role itself was changed")
		}
	}
}
