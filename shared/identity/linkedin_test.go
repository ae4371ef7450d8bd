package identity

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLinkedIn(t *testing.T) {
	t.Parallel()
	const maya = "https://www.linkedin.com/in/maya-okafor"
	tests := []struct{ raw, want string }{ // want "" = refused
		{maya, maya},
		{"http://linkedin.com/in/maya-okafor", maya},
		{"HTTPS://WWW.LINKEDIN.COM/IN/Maya-Okafor/", maya},
		{"linkedin.com/in/maya-okafor", maya},
		{"https://uk.linkedin.com/in/maya-okafor?trk=x&a=b", maya},
		{"https://m.linkedin.com/in/maya-okafor#about", maya},
		{"https://www.linkedin.com/in/maya-okafor/en", maya},
		{"https://www.linkedin.com/in/maya-okafor/pt-BR/", maya},
		{"https://www.linkedin.com/in/maya-okafor/zh_Hant", maya},
		{"https://www.linkedin.com/in/maya-okafor/details/experience/", maya},
		{"https://www.linkedin.com/in/maya-okafor/details/experience/1635/multiple-media-viewer?x=1", maya},
		{"https://www.linkedin.com/in/maya-okafor/overlay/contact-info/", maya},
		{"https://www.linkedin.com/in/maya-okafor/recent-activity/all/", maya},
		{"https://www.linkedin.com/in/maya-okafor/Recent-Activity/all", maya},
		{"https://user:secret@www.linkedin.com:443/in/maya-okafor", maya},
		{"https://www.linkedin.com./in/maya-okafor", maya},
		{"https://www.linkedin.com//in//maya-okafor//", maya},
		{" \u200b" + maya + "\ufeff\n", maya},
		{"https://www.linkedin.com/in/maya%2Dokafor", maya},
		{"https://www.linkedin.com/in/j%C3%B6rg-m%C3%BCller", "https://www.linkedin.com/in/jörg-müller"},
		{"https://www.linkedin.com/in/jo\u0308rg", "https://www.linkedin.com/in/jörg"},
		{"https://www.linkedin.com/in/J%C3%96RG", "https://www.linkedin.com/in/jörg"},
		{"https://www.linkedin.com/in/王小明", "https://www.linkedin.com/in/王小明"},
		{"https://www.linkedin.com/pub/Maya-Okafor/1a/2b3/4c5", "https://www.linkedin.com/in/maya-okafor-4c52b31a"},
		{"https://de.linkedin.com/pub/maya/1/2/3/de", "https://www.linkedin.com/in/maya-321"},

		{"", ""},
		{"https://evillinkedin.com/in/maya", ""},
		{"https://linkedin.com.example.org/in/maya", ""},
		{"https://linkedin.com@example.org/in/maya", ""},
		{"https://example.org/linkedin.com/in/maya", ""},
		{"https://.linkedin.com/in/maya", "https://www.linkedin.com/in/maya"},
		{"https://lnkd.in/abc", ""},
		{"ftp://linkedin.com/in/maya", ""},
		{"linkedin.com://in/maya", ""},
		{"javascript://linkedin.com/in/maya", ""},
		{"https://www.linkedin.com/company/northwind", ""},
		{"https://www.linkedin.com/school/lakeside", ""},
		{"https://www.linkedin.com/feed/", ""},
		{"https://www.linkedin.com/sales/lead/abc", ""},
		{"https://www.linkedin.com/recruiter/profile/1", ""},
		{"https://www.linkedin.com/pub/dir/Maya/Okafor", ""},
		{"https://www.linkedin.com/pub/maya", ""},
		{"https://www.linkedin.com/in/", ""},
		{"https://www.linkedin.com/in/maya/photo", ""},
		{"https://www.linkedin.com/in/maya/en/details", ""},
		{"https://www.linkedin.com/in/details/", "https://www.linkedin.com/in/details"},
		{"https://www.linkedin.com/company/details/overlay", ""},
		{"https://www.linkedin.com/in/..", ""},
		{"https://www.linkedin.com/in/a%2Fb", ""},
		{"https://www.linkedin.com/in/a%252Fb", ""},
		{"https://www.linkedin.com/in/a%zz", ""},
		{"https://www.linkedin.com/in/a%00b", ""},
		{"https://www.linkedin.com/in/a\u202eb", ""},
		{"https://www.linkedin.com/in/a%E2%80%AEb", ""},
		{"https://www.linkedin.com/in/a\u2066b", ""},
		{"https://www.linkedin.com/in/a%FFb", ""},
		{"https://www.linkedin.com/in/a b", ""},
		{"https://www.linkedin.com:80x/in/maya", ""},
		{"https:\\\\www.linkedin.com\\in\\maya", ""},
		{"www.linkedin.com", ""},
		{"https://www.linkedin.com/in/" + strings.Repeat("a", 2048), ""},
	}
	for _, tt := range tests {
		got, ok := LinkedIn(tt.raw)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("LinkedIn(%q) = %q, %v; want %q", tt.raw, got, ok, tt.want)
		}
	}
}

// A field that must be a URI takes no text that only a reader can make one of.
func TestLinkedInURI(t *testing.T) {
	t.Parallel()
	const maya = "https://www.linkedin.com/in/maya-okafor"
	for raw, want := range map[string]string{
		maya: maya, "http://de.linkedin.com/in/Maya-Okafor/?x=1": maya, "HTTPS://LinkedIn.com/in/maya-okafor": maya,
		"linkedin.com/in/maya-okafor": "", "//linkedin.com/in/maya-okafor": "", " " + maya: "", maya + " ": "", maya + "\u200b": "",
		maya + "?x=\n": "", "https://www.linkedin.com/company/maya": "", "": "",
	} {
		if got, ok := LinkedInURI(raw); got != want || ok != (want != "") {
			t.Errorf("LinkedInURI(%q) = %q, %v; want %q", raw, got, ok, want)
		}
	}
}

func TestSlug(t *testing.T) {
	t.Parallel()
	if got := Slug("https://www.linkedin.com/in/jörg"); got != "jörg" {
		t.Errorf("Slug = %q, want jörg", got)
	}
	if got := Slug("https://example.org/in/x"); got != "" {
		t.Errorf("Slug of another host = %q, want none", got)
	}
}

func TestLinkedInOfEverySpellingIsOneURL(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		slug := rapid.StringMatching(`[a-z0-9][a-z0-9-]{2,30}[a-z0-9]`).Draw(t, "slug")
		raw := rapid.SampledFrom([]string{"", "http://", "https://", "HTTPS://"}).Draw(t, "scheme") +
			rapid.SampledFrom([]string{"linkedin.com", "www.linkedin.com", "m.linkedin.com", "de.LinkedIn.com"}).Draw(t, "host") + "/in/" +
			rapid.SampledFrom([]string{slug, strings.ToUpper(slug), strings.ReplaceAll(slug, "a", "%61")}).Draw(t, "spelling") +
			rapid.SampledFrom([]string{"", "/", "/en", "/de-DE/", "?trk=1", "#top", "/?a=/in/other"}).Draw(t, "rest")
		if got, ok := LinkedIn(raw); !ok || Slug(got) != slug {
			t.Fatalf("LinkedIn(%q) = %q, %v; want the slug %q", raw, got, ok, slug)
		}
	})
}

func FuzzLinkedIn(f *testing.F) {
	f.Add("https://www.linkedin.com/in/j%C3%B6rg/en?x#y")
	f.Add("linkedin.com/pub/a/1/2/3")
	f.Add("https://a@b.linkedin.com:1/in/İ%CC%87")
	f.Fuzz(func(t *testing.T, raw string) {
		got, ok := LinkedIn(raw)
		if !ok {
			return
		}
		if again, ok := LinkedIn(got); !ok || again != got {
			t.Errorf("LinkedIn(%q) = %q, whose canonical form is %q, %v", raw, got, again, ok)
		}
		if strings.ContainsAny(Slug(got), "/?#% ") {
			t.Errorf("LinkedIn(%q) = %q: the slug is not plain", raw, got)
		}
	})
}
