package facts

import (
	"testing"
)

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
