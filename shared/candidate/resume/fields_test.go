package resume

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/resumetest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/collect"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/filetype"
	"github.com/recruiting-marketplace/external-api/shared/identity/personname"
)

func newDocument(text string) document.Document {
	out := collect.New(filetype.Text)
	out.AddText(text)
	return out.FinishDocument()
}

func TestNames(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"Maya Okafor\nEngineer", "Maya Okafor"},
		{"CURRICULUM VITAE\nMAYA O'KAFOR-LEE", "Maya O'Kafor-Lee"},
		{"Resume of Maya Okafor", "Maya Okafor"},
		{"Maya Okafor's CV\nmaya@example.com", "Maya Okafor"},
		{"Maya Okafor – Résumé", "Maya Okafor"},
		{"Lebenslauf Maya Okafor", "Maya Okafor"},
		{"Maya\t+44 20 7946 0958\nLisbon, Portugal\nOkafor\tmaya.okafor@example.com", "Maya Okafor"},
		{"Maya\tLeeds\nmaya@example.org\nOkafor\nmaya.okafor@example.com", "Maya Okafor"},
		{"Özgeçmiş\nMaya Okafor\nmaya@example.com", "Maya Okafor"},
		{"PARTICULARS\nMaya Okafor\nmaya@example.com", "Maya Okafor"},
		{"Ma ya O kafor\nmaya.okafor@example.com", "Maya Okafor"},
		{"Théo d'Estrées de la Tour\ntheodestreesdelatour@example.com", "Théo d'Estrées de la Tour"},
		{"Maya Okafor +44 20 7946 0958", "Maya Okafor"},
		{"Maya Okafor E-mail: maya@example.com", "Maya Okafor"},
		{"• About\n• Experience\nMaya Okafor\nmaya@example.com\nExperience", "Maya Okafor"},
		{"Maya Okafor\tSkills\nmaya@example.com", "Maya Okafor"},
		{"Maya\t+44 20 7946 0958\nEngineer\tmaya.okafor@example.com", ""},
		{"Name: Maya Okafor", "Maya Okafor"},
		{"Maya Okafor | Staff Engineer | Austin, TX", "Maya Okafor"},
		{"Maya Okafor, PhD\nAustin", "Maya Okafor"},
		{"Senior Software Engineer\nMaya Okafor", "Maya Okafor"},
		{"Ludwig van der Berg\n", "Ludwig van der Berg"},
		{"王小明\n软件工程师", "王小明"},
		{"Иван Петров", "Иван Петров"},
		{"Summary\nGreat Person Here\nContact\nMaya Okafor\nmaya.okafor@example.com", "Maya Okafor"},
		{"San Francisco, CA\nMaya Okafor\nmaya@example.com", "Maya Okafor"},
		{"Experience\nSoftware Engineer\nSkills", ""},
		{"maya.okafor@example.com\n+1 202 555 0143", ""},
		{"United Kingdom\n12 Lake Street", ""},
		{"", ""},
		{"Maya\t+1 202 555 0143\nAustin, TX\nOkafor\tmaya.okafor@example.com", "Maya Okafor"},
		{"Maya Jane\tAustin, TX\nOkafor\tmaya.okafor@example.com", "Maya Jane Okafor"},
		{"Resume\nCareer history\nMaya Okafor\nmaya.okafor@example.com\nExperience\nClerk, Northmoor Bank, 2015 – 2019", "Maya Okafor"},
		{"Experience\nNorthmoor Labs\nClerk\n2015 – 2019", ""},
		{"PARTICULARS\nMaya Okafor\nmaya.okafor@example.com", "Maya Okafor"},
		{"Maya Okafor\nMaya Okafor\nClerk\nmayaokafor34@example.com", "Maya Okafor"},
		{"MAYA\nOKAFOR\nmaya.okafor@example.com", "Maya Okafor"},
		{"Maaike 't Hart\nmaaike.hart@example.com", "Maaike 't Hart"},
		{"Maya Okafor (born 1990)\nLisbon", "Maya Okafor"},
		{"Maya Okafor (she / her)\nmaya@example.com", "Maya Okafor"},
		{"Maya \u201cMimi\u201d Okafor\nmaya@example.com", "Maya \u201cMimi\u201d Okafor"},
		{"Maya Okafor MSc\nmaya@example.com", "Maya Okafor"},
		{"Martin Keller Jr.\nmartin@example.com", "Martin Keller Jr."},
		{"~ Maya Okafor ~\nmaya@example.com", "Maya Okafor"},
		{"Maya Okafor.\nmaya@example.com", "Maya Okafor"},
		{"maya van der berg\nmaya.berg@example.com", "Maya van der Berg"},
		{"Hello, my name is Maya Okafor.\nmaya@example.com", "Maya Okafor"},
		{"I’m Maya Okafor\nmaya@example.com", "Maya Okafor"},
		{"M A Y A\tO K A F O R\nmaya@example.com", "Maya Okafor"},
		{"Confidential\nCandidate: Maya Okafor\nClerk", "Maya Okafor"},
		{"Datos personales\nNombre: Rita Sales", "Rita Sales"},
		{"Personal data\nFirst name / surname Maya Okafor", "Maya Okafor"},
		{"Faith Baker\nfbaker@example.com", "Faith Baker"},
		{"Faith Baker\nLisbon\nlinkedin.com/in/faith-baker-12a3", "Faith Baker"},
		{"Faith Baker\nClerk\nfaith96@example.com", "Faith Baker"},
		{"Faith (Fay) Baker\nClerk\nfaith.baker@example.com", "Faith (Fay) Baker"},
		{"[ Maya Okafor ]\nmaya@example.com", "Maya Okafor"},
		{"Q. Okafor\tBerlin • q.okafor@example.com • +44 20RESUME", "Q. Okafor"},
		{"Calm Harbour Partners\noffice@calmharbour.example\nMaya Okafor\nlinkedin.com/in/maya-okafor", "Maya Okafor"},
		{"Maya Okafor\nhello@okafor.example", "Maya Okafor"},
		{"MO Maya Okafor\nmaya@example.com", "Maya Okafor"},
		{"Maya Okafor Harbour Clerk\nmoon@example.com\nExperience\nHarbour Clerk, Northmoor Bank, 2015 – 2019", "Maya Okafor"},
		{"moon@example.com\nlinkedin.com/in/maya-okafor\nProfile\nMaya Okafor is a clerk in three towns.", "Maya Okafor"},
		{"moon@example.com\nProfile\nMaya Okafor is a clerk in three towns.", ""},
		{"Clerk\nmaya@example.com\nSkills\nSQL\n© 2026 Maya Okafor", "Maya Okafor"},
		{"Head Baker\nbaker@example.com", ""},
		{"Quvenzhane\nquvenzhane12@example.com", "Quvenzhane"},
		{"Amara Diallo-\tLisbon\nPrice\tamara.price@example.com", "Amara Diallo-Price"},
		{"خالد الشامي\nكاتب\nKhaled-Alshami\nkhaledalshami@example.com", "خالد الشامي"},
		{"Northmoor Traders\nMaya Okafor\nExperience\nClerk, Northmoor Traders, 2015 – 2019", "Maya Okafor"},
		{"Summary\nA calm clerk of eleven years in three towns and two harbours.\nExperience\nClerk, Northmoor Bank, 2015 – 2019\nMaya Okafor\nmoon@example.com", "Maya Okafor"},
		{"Dear team,\nExperience\nClerk, Northmoor Bank, 2015 – 2019\nKind regards, Maya Okafor\nmoon@example.com", "Maya Okafor"},
		{"Contact\nmaya@example.com\nSkills\nSQL\nLanguages\nEnglish\nMaya Okafor\nClerk", "Maya Okafor"},
	}
	for _, tt := range tests {
		if got := Extract(newDocument(tt.text), asOf).Name; got != tt.want {
			t.Errorf("name of %q = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// The first line of a document is no heading of a section, although "résumé" is also French for a
// summary.
func TestANameInAHeadingAboveTheDocument(t *testing.T) {
	t.Parallel()
	doc, err := Read(t.Context(), []byte("# Résumé of Maya Okafor\n\n- Phone: +44 20 7946 0958\n- **Location:** Lisbon, Portugal\n\n# Experience\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := Extract(doc, asOf); got.Name != "Maya Okafor" {
		t.Errorf("got %q", got.Name)
	}
}

func TestContacts(t *testing.T) {
	t.Parallel()
	got := Extract(document.Document{
		Blocks: [][]string{strings.Split(`E-mail:Maya.Okafor@Example.com, jörg@example.org.
邮箱maya2@example.com电话
Phone (202) 555-0143 or +44 20 7946 0123, fax 0046 70 174 06 05
See (https://www.linkedin.com/in/Maya-Okafor/), github.com/Maya-X/repo and www.example.org/me.
Experience
2015 - 2019 order 1234567890 shipped
References
Jo Doe jo@example.net +1 303-555-0118 linkedin.com/in/jo-doe`, "\n")},
		Links: []string{"mailto:jo@example.net", "mailto:maya3@example.com?subject=x", "javascript:alert(1)", "https://de.linkedin.com/in/maya-okafor"},
	}, asOf)
	want := Fields{
		Years: got.Years, Confidence: got.Confidence, Warnings: got.Warnings,
		Emails:      []string{"maya.okafor@example.com", "jörg@example.org", "maya2@example.com", "maya3@example.com"},
		LinkedIn:    []string{"https://www.linkedin.com/in/maya-okafor"},
		GitHub:      []string{"https://github.com/maya-x"},
		Experiences: got.Experiences,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
}

// The link to a referee's address may spell it in another case, and the text may tear it.
func TestLinksToReferees(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Jane.Doe@Example.com", "jane.doe@\nexample.com", "jane.\ndoe@example.com"} {
		doc := newDocument("Maya Okafor\nmaya@example.com\nReferences\nJane Doe\n" + text)
		doc.Links = []string{"mailto:jane.doe@example.com", "mailto:maya@example.com"}
		if got := Extract(doc, asOf).Emails; !slices.Equal(got, []string{"maya@example.com"}) {
			t.Errorf("%q: got the addresses %q", text, got)
		}
	}
}

func TestCurrentJob(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, title, company string }{
		{"one line", "Staff Engineer at Acme Robotics (Mar 2021 – Present)", "Staff Engineer", "Acme Robotics"},
		{"bars", "Acme Robotics | Staff Engineer | Berlin, Germany | 2021 - Present", "Staff Engineer", "Acme Robotics"},
		{"two lines above", "Acme, Inc.\nStaff Engineer\nMar 2021 – Present\n- did things", "Staff Engineer", "Acme, Inc."},
		{"title with the date, company below", "Staff Engineer\t2021 – Present\nAcme Robotics\n• did things", "Staff Engineer", "Acme Robotics"},
		{"date first", "2021 – Present\nStaff Engineer\nAcme Robotics\n• did things", "Staff Engineer", "Acme Robotics"},
		{"date first, one line", "2021 – Present\tStaff Engineer, Acme Robotics", "Staff Engineer", "Acme Robotics"},
		{"later of two", "Advisor at Beta Labs\n2015 - Present\n- x\nEngineer at Acme Robotics\n2021 - Present", "Engineer", "Acme Robotics"},
		{"past jobs only", "Engineer at Acme Robotics\n2015 - 2019", "", ""},
		{"no title", "Acme Robotics\n2015 - Present", "", ""},
		{"title only", "Staff Engineer\n2015 - Present\n- led a team of nine people at work.", "Staff Engineer", ""},
		{"dates in prose", "- Grew sales by half, 2015 - Present, at Acme", "", ""},
		{"legal form beats title word", "Engineer\nPartner Software GmbH\n2015 - Present", "Engineer", "Partner Software GmbH"},
	}
	for _, tt := range tests {
		f := Extract(newDocument("Maya Okafor\nExperience\n"+tt.text+"\nEducation\nTeacher at School\n2000 - Present"), asOf)
		if f.Title != tt.title || f.Company != tt.company {
			t.Errorf("%s: %q at %q, want %q at %q", tt.name, f.Title, f.Company, tt.title, tt.company)
		}
	}
}

func TestCheckIdentity(t *testing.T) {
	t.Parallel()
	const mail, profile = "maya@example.com", "https://linkedin.com/in/Maya-Okafor"
	his := Fields{Name: "Viktor Halvorsen", Emails: []string{"viktor@example.org"}, LinkedIn: []string{"https://www.linkedin.com/in/viktor"}}
	tests := []struct {
		name   string
		change func(f *Fields)
		want   Verdict
	}{
		{"another person", func(*Fields) {}, Verdict{true, personname.Different, Unequal, Unequal}},
		{"other name, no address", func(f *Fields) { f.Emails, f.LinkedIn = nil, nil }, Verdict{false, personname.Different, Missing, Missing}},
		{"other name, his e-mail only", func(f *Fields) { f.LinkedIn = nil }, Verdict{true, personname.Different, Unequal, Missing}},
		{"other name, her e-mail among others", func(f *Fields) { f.Emails = append(f.Emails, mail) }, Verdict{false, personname.Different, Equal, Unequal}},
		{"other name, her profile", func(f *Fields) { f.LinkedIn = []string{"https://www.linkedin.com/in/maya-okafor"} }, Verdict{false, personname.Different, Unequal, Equal}},
		{"her name, other addresses", func(f *Fields) { f.Name = "Okafor, Maya N." }, Verdict{false, personname.Same, Unequal, Unequal}},
		{"no name", func(f *Fields) { f.Name = "" }, Verdict{false, personname.Uncertain, Unequal, Unequal}},
		{"name alike", func(f *Fields) { f.Name = "Maya Okaofr" }, Verdict{false, personname.Uncertain, Unequal, Unequal}},
	}
	for _, tt := range tests {
		f := his
		tt.change(&f)
		if diff := cmp.Diff(tt.want, CheckIdentity(f, "Maya Okafor", "MAYA@example.com", profile)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// The mismatch sample contradicts another person's submission, and agrees with its own.
func TestSamplesMismatchOnlyOthers(t *testing.T) {
	t.Parallel()
	f := Extract(mustRead(t, readSample("viktor-halvorsen.libreoffice.pdf")), asOf)
	if v := CheckIdentity(f, "Maya Okafor", "maya.okafor@example.com", "https://www.linkedin.com/in/maya-okafor"); !v.Mismatch {
		t.Errorf("Viktor's resume for Maya: %+v, want a mismatch", v)
	}
	if got := CheckIdentity(f, "Maya Okafor", "maya.okafor@example.com", "").String(); got != "name different, email unequal, linkedin unequal" {
		t.Errorf("evidence %q", got)
	}
	if v := CheckIdentity(f, "Viktor Halvorsen", "viktor.halvorsen@example.org", "https://www.linkedin.com/in/viktor-halvorsen"); v.Mismatch {
		t.Errorf("Viktor's resume for Viktor: %+v, want none", v)
	}
}

// The bound is one second of parsing; a minute guards against a hang on a loaded machine.
func TestExtractIsBounded(t *testing.T) {
	t.Parallel()
	size := document.MaxText
	if resumetest.Race {
		size /= 64
	}
	for name, text := range map[string]string{
		"digits":    strings.Repeat("1 2 3 4 5 6 7 8 9 0 ", size/20),
		"dates":     strings.Repeat("Engineer, Acme 2019 - 2020\n", size/27),
		"addresses": strings.Repeat("a@", size/2),
		"urls":      strings.Repeat("www.a", size/5),
		"dots":      strings.Repeat(".", size),
		"names":     strings.Repeat("Maya Okafor, ", size/13),
	} {
		doc := newDocument("Maya\nExperience\n" + text)
		start := time.Now()
		Extract(doc, asOf)
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %s", name, took)
		} else {
			t.Logf("%s: %s", name, took)
		}
	}
}
