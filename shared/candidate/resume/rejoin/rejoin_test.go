package rejoin

import (
	"strings"
	"testing"
)

func TestRejoinLines(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"develop\u0002\nment", "development"},
		{"Bello\u0002\nWhitfield", "Bello-Whitfield"},
		{"see linkedin.com/in/maya\u0002\nokafor now", "see linkedin.com/in/maya-okafor now"},
		{"linkedin.com/in/maya-\nokafor", "linkedin.com/in/maya-okafor"},
		{"linkedin.com/\nin/maya", "linkedin.com/in/maya"},
		{"maya.okafor@\nexample.com", "maya.okafor@example.com"},
		{"maya.okafor\n@example.com", "maya.okafor@example.com"},
		{"Engineer | Acme | 2013 –\n2018", "Engineer | Acme | 2013 – 2018"},
		{"Engineer | Acme |\nDubai | 2013 – 2018", "Engineer | Acme | Dubai | 2013 – 2018"},
		{"Engineer\t2018 –\nAcme Ltd", "Engineer\t2018 –|Acme Ltd"},
		{"Engineer (Mar 2013 –\nMay 2018)", "Engineer (Mar 2013 – May 2018)"},
		{"maya@example.com\n1", "maya@example.com|1"},
		{"maya@example.com\nsql", "maya@example.com|sql"},
		{"linkedin.com/in/maya\n2", "linkedin.com/in/maya|2"},
		{"linkedin.com/in/maya\nsql", "linkedin.com/in/maya|sql"},
		{"linkedin.com/in/maya\nSummary", "linkedin.com/in/maya|Summary"},
		{"Acme\n• item", "Acme|• item"},
		{"plain", "plain"},
	}
	for _, tt := range tests {
		if got := strings.Join(Lines(strings.Split(tt.in, "\n")), "|"); got != tt.want {
			t.Errorf("Lines(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// Dates that gaps part are ranges in pairs, and halves of a range are joined one after the other.
func TestDatesInARowAreJoined(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"2014\t2016\t2018\t2020":      "2014 – 2016\t2018 – 2020",
		"Acme\t2014\t2016\t2018":      "Acme\t2014 – 2016\t2018",
		"Acme\tLeeds\t2014":           "Acme\tLeeds\t2014",
		"2016\t\t2018":                "2016\t\t2018",
		"\t":                          "\t",
		strings.Repeat("2014\t", 200): strings.Repeat("2014\t", 200),
	} {
		if got := Dates([]string{line}); len(got) != 1 || got[0] != want {
			t.Errorf("Dates(%q) = %q, want %q", line, got, want)
		}
	}
	for line, want := range map[string]string{
		"Jul 2018\t– Jun 2021\tAcme": "Jul 2018 – Jun 2021\tAcme",
		"Jul 2018 –\tJun 2021":       "Jul 2018 – Jun 2021",
		"04/2022\t– Present\t":       "04/2022 – Present\t",
		"Acme\tLeeds":                "Acme\tLeeds",
		"2018":                       "2018",
	} {
		if got := PeriodHalves(line); got != want {
			t.Errorf("PeriodHalves(%q) = %q, want %q", line, got, want)
		}
	}
}
