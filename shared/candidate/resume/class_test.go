package resume

import (
	"strings"
	"testing"
)

// A job per way of writing its head, between two others of the same kind.
func TestHeadsOfJobs(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"comma in the title", "Director, Widget Science\nNorthmoor Labs\n2015 – 2019", "Director, Widget Science | Northmoor Labs"},
		{"comma in the title, company behind it", "Vice President, Sales, Northmoor Foods Ltd\t2015 – 2019", "Vice President, Sales | Northmoor Foods Ltd"},
		{"slash", "Clerk / Northmoor Labs\t2015 – 2019", "Clerk | Northmoor Labs"},
		{"slash in the title", "Trainer / Facilitator\t2015 – 2019\nNorthmoor Labs", "Trainer / Facilitator | Northmoor Labs"},
		{"company, colon, title", "Northmoor Labs: Senior Clerk\t2015 – 2019", "Senior Clerk | Northmoor Labs"},
		{"four lines", "Northmoor Labs\nLeeds, United Kingdom\n2015 – 2019\nSenior Clerk", "Senior Clerk | Northmoor Labs"},
		{"duration beside the dates", "Senior Clerk\nNorthmoor Labs\n2015 – 2019 · 4 years 1 month", "Senior Clerk | Northmoor Labs"},
		{"mark of a timeline", "2015 – 2019\t●\tSenior Clerk\nNorthmoor Labs", "Senior Clerk | Northmoor Labs"},
		{"place in brackets", "Northmoor Labs (Leeds)\nSenior Clerk, 2015 – 2019", "Senior Clerk | Northmoor Labs"},
		{"unknown title", "Widget Whisperer\nNorthmoor Labs\n2015 – 2019", "Widget Whisperer | Northmoor Labs"},
		{"domain as company", "Senior Clerk, northmoor.example\t2015 – 2019", "Senior Clerk | northmoor.example"},
		{"date beside a list item", "• 2015 – 2019 Senior Clerk, Northmoor Labs", "Senior Clerk | Northmoor Labs"},
		{"German", "Leiter Einkauf\nNordmoor Maschinenbau AG, Köln\n01.2015 – 12.2019", "Leiter Einkauf | Nordmoor Maschinenbau AG"},
		{"German, a legal form of two parts", "Leiter Einkauf\nNordmoor Hotel GmbH & Co. KG\n01.2015 – 12.2019", "Leiter Einkauf | Nordmoor Hotel GmbH & Co. KG"},
		{"Russian", "2015 – 2019\nГлавный бухгалтер\nООО «Северный луг», Казань", "Главный бухгалтер | ООО «Северный луг»"},
		{"Chinese", "2015年3月 – 2019年5月\n软件工程师\n北岭科技有限公司，上海市", "软件工程师 | 北岭科技有限公司"},
		{"Japanese", "2015年3月～2019年5月\t北嶺食品株式会社\n営業部長", "営業部長 | 北嶺食品株式会社"},
		{"Arabic, in a city named as a country", "مدير مالي\nمستشفى الوادي, عمّان\n2015 – 2019", "مدير مالي | مستشفى الوادي"},
		{"Arabic", "محاسب أول\nشركة الوادي للتجارة، دبي\n2015 – 2019", "محاسب أول | شركة الوادي للتجارة"},
	}
	for _, tt := range tests {
		text := "Maya Okafor\nExperience\n" + tt.text + "\n- did things\n" + strings.NewReplacer("2015", "2010", "2019", "2014").Replace(tt.text) + "\n- did more things\n"
		jobs := Extract(newDocument(text), asOf).Experiences
		got := ""
		if len(jobs) == 2 {
			got = jobs[0].Title + " | " + jobs[0].Company
		}
		if got != tt.want {
			t.Errorf("%s: %q of %d jobs, want %q", tt.name, got, len(jobs), tt.want)
		}
	}
}

func TestPromotionsInPlace(t *testing.T) {
	t.Parallel()
	jobs := Extract(newDocument("Maya Okafor\nExperience\nNorthmoor Labs\tLeeds\nSenior Clerk (Mar 2018 – Present)\n- led\nClerk (Jan 2015 – Dec 2017)\n- filed\nSouthmoor Bank\tYork\nTrainee (Jan 2012 – Nov 2014)\n- learned"), asOf).Experiences
	var got []string
	for _, j := range jobs {
		got = append(got, j.Title+" at "+j.Company)
	}
	if want := "Senior Clerk at Northmoor Labs; Clerk at Northmoor Labs; Trainee at Southmoor Bank"; strings.Join(got, "; ") != want {
		t.Errorf("jobs %q, want %q", strings.Join(got, "; "), want)
	}
}

func TestStudiesOfManyLanguages(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Diplom-Ingenieur Elektrotechnik\nHochschule Nordmoor":       "Diplom-Ingenieur Elektrotechnik | Hochschule Nordmoor",
		"Licence de droit\nUniversité de Valmont":                    "Licence de droit | Université de Valmont",
		"Бакалавр физики\nСевероморский государственный университет": "Бакалавр физики | Североморский государственный университет",
		"北岭大学\n计算机科学硕士":                                              "计算机科学硕士 | 北岭大学",
		"Kandidatexamen i fysik\nNorrmo högskola":                    "Kandidatexamen i fysik | Norrmo högskola",
		"Πτυχίο Φυσικής\nΠανεπιστήμιο Βορρά":                         "Πτυχίο Φυσικής | Πανεπιστήμιο Βορρά",
		"بكالوريوس فيزياء\nجامعة الوادي":                             "بكالوريوس فيزياء | جامعة الوادي",
	} {
		found := Extract(newDocument("Maya Okafor\nEducation\n"+text+"\n2010 – 2014"), asOf).Education
		if len(found) != 1 || found[0].Degree+" | "+found[0].School != want {
			t.Errorf("studies of %q: %+v, want %q", text, found, want)
		}
	}
}

// The name of the document is no person's name.
func TestTitlesOfDocumentsAreNoNames(t *testing.T) {
	t.Parallel()
	for _, title := range []string{"Curriculum Vitae", "Tabellarischer Lebenslauf", "Hoja de Vida", "Βιογραφικό Σημείωμα", "履歴書", "个人简历", "이력서", "السيرة الذاتية", "קורות חיים", "जीवन वृत्त", "Sơ yếu lý lịch"} {
		if got := Extract(newDocument(title+"\nMaya Okafor\nAustin"), asOf).Name; got != "Maya Okafor" {
			t.Errorf("name below %q: %q", title, got)
		}
	}
}

// An unknown heading is read as the name; it does not make the resume another person's.
func TestAnUnknownHeadingIsNoOtherPerson(t *testing.T) {
	t.Parallel()
	f := Extract(newDocument("Mijn Overzicht\nMaya Okafor\nanother@example.com"), asOf)
	if v := CheckIdentity(f, "Maya Okafor", "maya.okafor@example.com", ""); v.Mismatch {
		t.Errorf("read as %q: %s", f.Name, v)
	}
	if v := CheckIdentity(f, "Viktor Halvorsen", "viktor@example.com", ""); !v.Mismatch {
		t.Errorf("another person: %s", v)
	}
}
