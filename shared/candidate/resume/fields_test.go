package resume

import (
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
		{"other name, no address", func(f *Fields) {
			f.Emails = nil
			f.LinkedIn = nil
		}, Verdict{false, personname.Different, Missing, Missing}},
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
