package dates

import (
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
		{"3. kwartał 2019 – 1. kwartał 2021", "2019-07 2021-03"},
		{"01/09/2019 - 28/02/2021", "2019-09 2021-02"},
		{"09/28/2019 - 02/01/2021", "2019-09 2021-02"},
		{"Jan 2019 – 12/31/2020", "2019-01 2020-12"},
		{"03/2019 – 05/28/2020", "2019-03 2020-05"},
		{"2019 – 12/31/2020", "2019 2020-12"},
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
		{"2019 | Engineer, Acme", ""},
		{"2019 · Acme", ""},
		{"Acme (2019 )", ""},
		{"2019 onwards | Acme", "2019 now"},
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
		if !IsDuration(text) {
			t.Errorf("%q is no duration", text)
		}
	}
	for _, text := range []string{"4Square Robotics", "7 Elephants", "Studio 54", "24 Media", "years", ""} {
		if IsDuration(text) {
			t.Errorf("%q is a duration", text)
		}
	}
}

func TestPeriods(t *testing.T) {
	t.Parallel()
	checkPeriods(t, []periodTest{
		{"Mar 2021 – Present", "2021-03 now"},
		{"06/2017-12/2019", "2017-06 2019-12"},
		{"2020-05 to 2021-07", "2020-05 2021-07"},
		{"Sept. 2018 until Current", "2018-09 now"},
		{"(January 2015 — Dec, 2016)", "2015-01 2016-12"},
		{"2015 - 2019", "2015 2019"},
		{"May '98 - Jun '01", "1998-05 2001-06"},
		{"since 03/2020", "2020-03 now"},
		{"Oct 2019 - Till date", "2019-10 now"},
		{"JULY 2019 – NOW", "2019-07 now"},
		{"2020", ""},
		{"1500 - 2000 units", ""},
		{"12019 - 20210", ""},
		{"2021 - 2015", ""},
		{"Order 2020 - 2015, Clerk, 2016 – 2018", "2016 2018"},
		{"2021 - 2015 – 2018", ""},
	})
}

// A range takes the brackets around it, and one that stays open without a mark the spaces, or the word, behind it.
func TestPeriodsEndBehindTheirSpaces(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"Since 2019 Cook":           "Since 2019 ",
		"(since 2019 )":             "(since 2019 )",
		"from March 2019 | Cook":    "from March 2019 ",
		"March 2019 onwards | Cook": "March 2019 onwards",
		"2019 – 2021 Cook":          "2019 – 2021",
		"Cook\tSince 2019":          "Since 2019",
	} {
		p, _ := FindPeriod(line)
		if got := line[p.First:p.Last]; got != want {
			t.Errorf("the range of %q is %q; want %q", line, got, want)
		}
	}
}

// periodTest is a text and the period in it, "2019-01 now"; "" for none.
type periodTest struct{ text, want string }

func checkPeriods(t *testing.T, tests []periodTest) {
	t.Helper()
	for _, tt := range tests {
		got := ""
		if p, ok := FindPeriod(tt.text); ok {
			end := p.End.String()
			if p.Current {
				end = "now"
			}
			got = p.Start.String() + " " + end
		}
		if got != tt.want {
			t.Errorf("period in %q = %q, want %q", tt.text, got, tt.want)
		}
	}
}
