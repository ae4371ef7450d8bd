package resume

import (
	"strings"
	"testing"
)

// One form of dates an example, each in a line of its own.
func TestPeriodsInManyForms(t *testing.T) {
	t.Parallel()
	checkPeriods(t, []periodTest{
		{"03/18 – 06/20", "2018-03 2020-06"},
		{"2019 –", "2019 now"},
		{"(03/2019 – )", "2019-03 now"},
		{"03.2019 –: Teamleiter, Nordmoor AG", "2019-03 now"},
		{"2019–22", "2019 2022"},
		{"2019/20 – 2021/22", "2019 2020"},
		{"Q3 2019 – Q1 2021", "2019-07 2021-03"},
		{"3. Quartal 2019 bis heute", "2019-07 now"},
		{"01/09/2019 - 28/02/2021", "2019-09 2021-02"},
		{"09/28/2019 - 02/01/2021", "2019-09 2021-02"},
		{"01.09.2019 – 31.08.2020", "2019-09 2020-08"},
		{"Mar '19 → Jun '21", "2019-03 2021-06"},
		{"2019-03 -- 2021-06", "2019-03 2021-06"},
		{"Summer 2018 - Fall 2019", "2018 2019"},
		{"März 2019 – heute", "2019-03 now"},
		{"septembre 2017 à août 2019", "2017-09 2019-08"},
		{"enero de 2018 a la fecha", "2018-01 now"},
		{"março de 2018 – atualmente", "2018-03 now"},
		{"maggio 2016 – in corso", "2016-05 now"},
		{"juni 2015 tot op heden", "2015-06 now"},
		{"maj 2015 – pågående", "2015-05 now"},
		{"Siden januar 2020", "2020-01 now"},
		{"tammikuu 2018 – joulukuu 2019", "2018-01 2019-12"},
		{"październik 2014 – obecnie", "2014-10 now"},
		{"září 2017 – dosud", "2017-09 now"},
		{"2019. március – 2021. június", "2019-03 2021-06"},
		{"ianuarie 2018 – prezent", "2018-01 now"},
		{"март 2019 — по настоящее время", "2019-03 now"},
		{"с января 2017 по май 2019 г.", "2017-01 2019-05"},
		{"з березня 2020", "2020-03 now"},
		{"януари 2018 – досега", "2018-01 now"},
		{"Ιανουάριος 2018 – σήμερα", "2018-01 now"},
		{"ΜΑΡΤΙΟΣ 2018 – ΜΑΪΟΣ 2019", "2018-03 2019-05"},
		{"Ağustos 2016 – halen", "2016-08 now"},
		{"KASIM 2016 – EYLÜL 2018", "2016-11 2018-09"},
		{"Tháng 3/2018 – nay", "2018-03 now"},
		{"2019年3月至今", "2019-03 now"},
		{"2019年4月～2021年3月", "2019-04 2021-03"},
		{"平成29年4月 – 令和2年3月", "2017-04 2020-03"},
		{"2018.03 ~ 현재", "2018-03 now"},
		{"2018년 3월 - 2020년 5월", "2018-03 2020-05"},
		{"مارس 2018 – حتى الآن", "2018-03 now"},
		{"ינואר 2018 – היום", "2018-01 now"},
		{"मार्च 2018 – वर्तमान", "2018-03 now"},
		{"sausis 2018 – gruodis 2019", "2018-01 2019-12"},
		{"siječanj 2018 – danas", "2018-01 now"},
		{"Mac 2018 – kini", "2018-03 now"},
		{"1/2 – 3/4 of the work", ""},
		{"v2.03.2019 order 12/18", ""},
		{"2019 – Engineer at Acme", ""},
		{"2019 to 22", "2019 2022"},
		{"2019 -- 22", "2019 2022"},
		{"2019 to 22 people", ""},
		{"septembre 2024 - aujourd'hui", "2024-09 now"},
		{"09/2023 — ad oggi", "2023-09 now"},
		{"2024 to · 1 year 11 months", "2024 now"},
		{"Acme | 2024 to", "2024 now"},
		{"2024-07-01 to, Leeds", "2024-07 now"},
		{"October 2021 to (4 years)", "2021-10 now"},
		{"08.2024- – Cooper", "2024-08 now"},
		{"مايو 2024 — ●", "2024-05 now"},
		{"مدير مدرسة\t–Q3 2025", "2025-07 now"},
		{"03/2024-Today Cooper, Acme", "2024-03 now"},
		{"Open 2024-Today Show", ""},
		{"03/2020 – à présent", "2020-03 now"},
		{"03.2020 - bis heute", "2020-03 now"},
		{"marzo de 2020 – a la actualidad", "2020-03 now"},
		{"03/2020 – até hoje", "2020-03 now"},
		{"da marzo 2020", "2020-03 now"},
		{"март 2020 — по н.в.", "2020-03 now"},
		{"март 2020 - по сей день", "2020-03 now"},
		{"2020'den beri", "2020 now"},
		{"2020-03 ~ 재직중", "2020-03 now"},
		{"March 2020 onwards", "2020-03 now"},
		{"Mar 2020 – Onwards", "2020-03 now"},
		{"Mar 2020 - to present", "2020-03 now"},
		{"from March 2020", "2020-03 now"},
		{"2020以来", "2020 now"},
		{"2019부터 2021까지", "2019 2021"},
		{"moved from 2020", ""},
	})
}

func TestDurations(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"2 years 4 months", "1 yr", "3 Jahre und 2 Monate", "1 an 3 mois", "2 года 5 месяцев", "3年2か月", "2 yıl 1 ay", "4 أشهر", "1.5 years", "10 mos"} {
		if !isDuration(text) {
			t.Errorf("%q is no duration", text)
		}
	}
	for _, text := range []string{"4Square Robotics", "7 Elephants", "Studio 54", "24 Media", "years", ""} {
		if isDuration(text) {
			t.Errorf("%q is a duration", text)
		}
	}
}

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

func TestHeadingsOfManyLanguages(t *testing.T) {
	t.Parallel()
	for want, lines := range map[section]string{
		experience: "Berufspraxis|Parcours professionnel|Trayectoria profesional|Percurso profissional|Esperienze lavorative|Loopbaan|Yrkeserfarenhet|Arbejdserfaring|Työkokemus|Przebieg kariery|Pracovní zkušenosti|Pracovné skúsenosti|Szakmai tapasztalat|Experiență profesională|Професионален опит|Επαγγελματική εμπειρία|İŞ DENEYİMİ|Трудовий досвід|Трудовая деятельность|Radno iskustvo|Töökogemus|Darbo patirtis|工作经历|職務経歴|경력사항|Kinh nghiệm làm việc|ประสบการณ์ทำงาน|الخبرة العملية|ניסיון תעסוקתי|कार्य अनुभव|कार्यअनुभव|Pengalaman kerja|WHERE I’VE WORKED|職 歴|Career Roles",
		education:  "Bildungsweg|Études|Estudios|Formação acadêmica|Istruzione e formazione|Opleidingen|Utbildning|Uddannelse|Koulutus|Wykształcenie|Vzdělání|Tanulmányok|Studii|Образование|Σπουδές|Eğitim|Освіта|学历|学歴|학력|Học vấn|التعليم|השכלה|शिक्षा|Onderwijs en cursussen|University Studies|Academic Schooling|学 歴",
	} {
		for line := range strings.SplitSeq(lines, "|") {
			if got, ok := parseHeading(line); !ok || got != want {
				t.Errorf("%q heads %q, want %s", line, got, want)
			}
		}
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
