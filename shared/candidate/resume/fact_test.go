package resume

import "testing"

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
		if f := newFact(text); f.title != want.title || f.company != want.company {
			t.Errorf("%s: title %t, company %t, want %t, %t", text, f.title, f.company, want.title, want.company)
		}
	}
}

func TestIsPlaces(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		use   slotUse
		apart bool
		want  bool
	}{
		"known places, and towns":                       {use: slotUse{known: 1, towns: 3}, want: true},
		"something else more often":                     {use: slotUse{known: 1, towns: 3, other: 2}},
		"apart, each with title and employer before":    {use: slotUse{towns: 2, employers: 2}, apart: true, want: true},
		"apart, most with title and employer before":    {use: slotUse{towns: 3, employers: 2}, apart: true, want: true},
		"behind an employer, in half of the lines":      {use: slotUse{towns: 4, employers: 2}, want: true},
		"behind what may be employers in one of three":  {use: slotUse{towns: 3, employers: 1}},
		"behind an employer, in the only line there is": {use: slotUse{towns: 1, employers: 1}},
	} {
		if got := test.use.isPlaces(placeSlot{apart: test.apart}); got != test.want {
			t.Errorf("%s: %t, want %t", name, got, test.want)
		}
	}
}
