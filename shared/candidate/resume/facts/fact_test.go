package facts

import (
	"testing"
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
