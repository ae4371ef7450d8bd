package facts

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A label says what a fact is, and is no part of it.
func TestLabels(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Fact{
		"Position: Engineer":    {Text: "Engineer", Title: true},
		"Job title: Zugbegleit": {Text: "Zugbegleit", Title: true},
		"职位：工程师":                {Text: "工程师", Title: true},
		"Company: X":            {Text: "X", Company: true, Legal: true},
		"EMPLOYER 2: Ravenspur": {Text: "Ravenspur", Company: true, Legal: true},
		"Arbeitgeber : Tern":    {Text: "Tern", Company: true, Legal: true},
	} {
		if got := New(text); got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"Position Engineer", "Company X"} {
		if got := New(text); got.Text != text {
			t.Errorf("%s: got %q", text, got.Text)
		}
	}
}

func TestJudgeByHead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ title, company bool }{
		"Hotel Manager":                {title: true},
		"Bank Clerk":                   {title: true},
		"School Nurse (part-time)":     {title: true},
		"Tern Growers Cooperative":     {company: true},
		"Wren Painters Co-operative":   {company: true},
		"Teachers College":             {company: true},
		"Directeur de banque":          {title: true, company: true}, // the first word is the head
		"Engineer, Tern Bank":          {title: true, company: true}, // two facts
		"Nurse at Wickling Hospital":   {title: true, company: true},
		"Hotel Manager and Bank Clerk": {title: true},
	} {
		if f := New(text); f.Title != want.title || f.Company != want.company {
			t.Errorf("%s: title %t, company %t, want %t, %t", text, f.Title, f.Company, want.title, want.company)
		}
	}
}

// The words of a text say what it is, and some judgements correct others.
func TestFactsAreJudged(t *testing.T) {
	t.Parallel()
	tests := []struct {
		because string
		want    Fact
	}{
		{"a title has a noun of titles", Fact{Text: "Deck Officer", Title: true}},
		{"a legal form ends names of employers", Fact{Text: "Butler Ltd", Legal: true, Company: true}},
		{"some name what they do as their employer", Fact{Text: "independent consultant", Company: true}},
		{"unless it is their title", Fact{Text: "Independent Consultant", Title: true}},
		{"a department of a government is an employer, and no part of one", Fact{Text: "Department of Public Works", Company: true}},
		{"also one without an organisation's word", Fact{Text: "Office for Rivers", Company: true}},
		{"an employer has an organisation's word", Fact{Text: "Growers Cooperative", Company: true}},
		{"a title's area is no employer", Fact{Text: "Northern Region", IsUnit: true}},
		{"also one without a word for a part", Fact{Text: "EMEA", IsUnit: true}},
		{"a part of an employer has a word for it", Fact{Text: "Sales Division", IsUnit: true}},
		{"and a lean by its ending", Fact{Text: "Sales Department", IsUnit: true, lean: 0.7}},
		{"an organisation's word alone names a part", Fact{Text: "Rail", Company: true, IsUnit: true}},
		{"work on one's own account alone is no part", Fact{Text: "Freelance", Title: true, Company: true}},
		{"a legal form makes a part an employer", Fact{Text: "Sales Department Ltd", Legal: true, Company: true}},
		{"of a title's and an organisation's word one describes the other", Fact{Text: "Hotel Manager", Title: true}},
		{"partners give a firm its name", Fact{Text: "Fitch, Barlow and Carpenter", Company: true}},
		{"endings of unknown words lean to a title", Fact{Text: "Sprocket Stuffer", lean: 0.7}},
		{"signs of unknown words lean to an employer", Fact{Text: "Sprocket 42", lean: -0.7}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, New(tt.want.Text), cmp.AllowUnexported(Fact{}), cmpopts.EquateApprox(0, 0.01)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.because, diff)
		}
	}
}
