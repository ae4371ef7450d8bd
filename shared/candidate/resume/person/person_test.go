package person

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/document"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/heading"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume/jobs"
)

func read(text string) []heading.Block {
	return heading.Split([][]string{strings.Split(text, "\n")}, document.Markup{})
}

func readName(text string) string {
	blocks := read(text)
	name, _, _ := FindName(blocks, FindContacts(blocks, nil), jobs.Find(blocks, document.Markup{}), nil)
	return name
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
		if got := readName(tt.text); got != tt.want {
			t.Errorf("name of %q = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestContacts(t *testing.T) {
	t.Parallel()
	blocks := read(`E-mail:Maya.Okafor@Example.com, jörg@example.org.
邮箱maya2@example.com电话
Phone (202) 555-0143 or +44 20 7946 0123, fax 0046 70 174 06 05
See (https://www.linkedin.com/in/Maya-Okafor/), github.com/Maya-X/repo and www.example.org/me.
Experience
2015 - 2019 order 1234567890 shipped
References
Jo Doe jo@example.net +1 303-555-0118 linkedin.com/in/jo-doe`)
	got := FindContacts(blocks, []string{"mailto:jo@example.net", "mailto:maya3@example.com?subject=x", "javascript:alert(1)", "https://de.linkedin.com/in/maya-okafor"})
	want := Contacts{
		Emails:   []string{"maya.okafor@example.com", "jörg@example.org", "maya2@example.com", "maya3@example.com"},
		LinkedIn: []string{"https://www.linkedin.com/in/maya-okafor"},
		GitHub:   []string{"https://github.com/maya-x"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("contacts (-want +got):\n%s", diff)
	}
}

// The link to a referee's address may spell it in another case, and the text may tear it.
func TestLinksToReferees(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Jane.Doe@Example.com", "jane.doe@\nexample.com", "jane.\ndoe@example.com"} {
		blocks := read("Maya Okafor\nmaya@example.com\nReferences\nJane Doe\n" + text)
		got := FindContacts(blocks, []string{"mailto:jane.doe@example.com", "mailto:maya@example.com"})
		if !slices.Equal(got.Emails, []string{"maya@example.com"}) {
			t.Errorf("%q: got the addresses %q", text, got.Emails)
		}
	}
}

// A link that the end of a line cut off is not a second profile beside the complete one.
func TestCutLinks(t *testing.T) {
	t.Parallel()
	got := FindContacts(read("linkedin.com/in/maya\ngithub.com/maya"), []string{"https://linkedin.com/in/maya-okafor", "https://github.com/maya-okafor"})
	want := Contacts{LinkedIn: []string{"https://www.linkedin.com/in/maya-okafor"}, GitHub: []string{"https://github.com/maya-okafor"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("contacts (-want +got):\n%s", diff)
	}
}
