package profile

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/identity"
)

func TestDecodePeopleDataLabs(t *testing.T) {
	t.Parallel()
	const start = `{"status":200,"data":{"linkedin_username":"ann","experience":`
	tests := map[string]struct {
		body string
		want Profile
	}{
		"a whole person": {
			`{"status":200,"likelihood":9,"data":{"full_name":"Ann  Moor\u0000","linkedin_url":"x","linkedin_username":"Ann","job_title":"CTO","job_company_name":"Example Quarry","location_name":"Leeds",
			"experience":[{"company":{"name":"Example Quarry"},"title":{"name":"CTO","levels":[]},"start_date":"2020-05","end_date":null,"is_primary":true,"location_names":["Leeds","York"],"summary":"Leads\na team"},
			{"company":{"name":"Example Beacon"},"title":null,"start_date":"2015","end_date":"2020-04-30","is_primary":false,"location_names":[]}]}}`,
			Profile{Name: "Ann Moor", Title: "CTO", Company: "Example Quarry", Location: "Leeds", Experiences: []Experience{
				{Title: "CTO", Company: "Example Quarry", Start: Date{2020, 5, 0}, Current: true, Location: "Leeds", Description: "Leads a team"},
				{Company: "Example Beacon", Start: Date{Year: 2015}, End: Date{2020, 4, 30}},
			}},
		},
		"title and company from the current job": {
			start + `[{"title":"Old","end_date":"2019"},{"title":"New","company":"B","start_date":"2019"}]}}`,
			Profile{Title: "New", Company: "B", Experiences: []Experience{
				{Title: "Old", End: Date{Year: 2019}}, {Title: "New", Company: "B", Start: Date{Year: 2019}, Current: true}}},
		},
		"a title alone is not mixed with another job's company": {
			`{"data":{"linkedin_username":"ann","job_title":"CTO","experience":[{"title":"CEO","company":"B","is_primary":true}]}}`,
			Profile{Title: "CTO", Experiences: []Experience{{Title: "CEO", Company: "B", Current: true}}},
		},
		"wrong types cost a detail only": {
			`{"data":{"linkedin_username":"ann","full_name":true,"job_title":7,"location_name":{"name":8},"job_company_name":["C"],
			"experience":["x",{"title":{"name":"CTO"},"company":[1],"start_date":2020,"end_date":true,"is_primary":"yes","location_names":"Leeds","summary":{}}]}}`,
			Profile{Company: "C", Experiences: []Experience{{Title: "CTO", Location: "Leeds"}}},
		},
		"impossible dates are unknown": {
			start + `[{"title":"CTO","start_date":"2020-13","end_date":"2021-02-30"}]}}`,
			Profile{Experiences: []Experience{{Title: "CTO"}}},
		},
		"no evidence that it is current": {
			start + `[{"title":"CTO"}]}}`,
			Profile{Experiences: []Experience{{Title: "CTO"}}},
		},
		"slug from the URL": {
			`{"data":{"linkedin_username":null,"linkedin_url":"https://www.linkedin.com/in/A%6Ein/?x","experience":[{"title":"CTO"}]}}`,
			Profile{Experiences: []Experience{{Title: "CTO"}}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slug := "ann"
			if name == "slug from the URL" {
				slug = "anin"
			}
			got, err := decodePeopleDataLabs([]byte(test.body), slug)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("profile (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSlugsOfOnePersonFold(t *testing.T) {
	t.Parallel()
	for _, answered := range []string{"josé", "JOSÉ", "jose\u0301", "jos%C3%A9", "jos%c3%a9"} {
		if got := responseSlug(answered, ""); got != identity.FoldCase("josé") {
			t.Errorf("%q reads as %q", answered, got)
		}
	}
	for _, other := range []string{"jose", "josé-1", "", "josé/x"} {
		if responseSlug(other, "linkedin.com/company/josé") == identity.FoldCase("josé") {
			t.Errorf("%q passes for josé", other)
		}
	}
}

// TestProfileFitsItsEntry holds the largest profile against the size that Store
// promises.
func TestProfileFitsItsEntry(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<", 9000)
	one := map[string]any{"title": long, "company": long, "location_names": []string{long}, "summary": long}
	jobs := make([]any, 40)
	for i := range jobs {
		jobs[i] = one
	}
	body, err := json.Marshal(map[string]any{"data": map[string]any{"linkedin_username": "ann", "full_name": long, "job_title": long, "job_company_name": long, "location_name": long, "experience": jobs}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodePeopleDataLabs(body, "ann")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(entry{Outcome: verified, Profile: &got})
	if err != nil || len(raw) >= 380_000 || len(got.Experiences) != experienceLimit {
		t.Errorf("%d bytes for %d jobs, %v", len(raw), len(got.Experiences), err)
	}
}

func TestCleanKeepsWholeRunes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, limit := rapid.String().Draw(t, "s"), rapid.IntRange(0, 20).Draw(t, "limit")
		got := cleanText(s, limit)
		if !utf8.ValidString(got) || len(got) > limit || got != strings.TrimSpace(got) || strings.ContainsAny(got, "\n\x00") {
			t.Fatalf("clean(%q, %d) = %q", s, limit, got)
		}
	})
}

func TestDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Date{
		"2021": {Year: 2021}, "2021-03": {2021, 3, 0}, "2024-02-29": {2024, 2, 29},
		"": {}, "0000": {}, "0000-01": {}, "2023-02-29": {}, "2021-3": {}, "2021-00": {}, "21": {}, "2021-03-": {}, "+021": {}, "2021-03-04T00:00:00Z": {},
	} {
		got, ok := ParseDate(text)
		if got != want || ok == got.IsZero() {
			t.Errorf("ParseDate(%q) = %v, %v, want %v", text, got, ok, want)
		}
		if ok && got.String() != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	var lost Date
	if err := lost.UnmarshalText([]byte("once")); err != nil || !lost.IsZero() {
		t.Errorf("got %v, %v", lost, err)
	}
}

// FuzzDecodeEnrichLayer: any body decodes to a valid profile or a declared error.
func FuzzDecodeEnrichLayer(f *testing.F) {
	f.Add([]byte(`{"public_identifier":"ann","full_name":"Ann","experiences":[{"company":"B","title":"C","starts_at":{"day":1,"month":1,"year":2020},"ends_at":null}]}`))
	f.Add([]byte(`{"public_identifier":"ann","city":["x"],"experiences":[{"title":{"name":"D"},"starts_at":{"year":-1}},[]]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := decodeEnrichLayer(body, "ann")
		var down *Unavailable
		if err != nil && err != ErrNotFound && err != ErrNoExperience && !errors.As(err, &down) {
			t.Fatalf("undeclared error %v", err)
		}
		if err == nil && len(got.Experiences) == 0 {
			t.Fatal("a profile without experience")
		}
		for _, one := range got.Experiences {
			if one.Title == "" && one.Company == "" || one.Current && !one.End.IsZero() {
				t.Fatalf("unsound experience %+v", one)
			}
		}
	})
}

// FuzzDecodePeopleDataLabs: any body decodes to a valid profile or one of the three errors, and
// a profile survives the cache.
func FuzzDecodePeopleDataLabs(f *testing.F) {
	f.Add([]byte(`{"status":200,"data":{"linkedin_username":"ann","full_name":"Ann","experience":[{"company":{"name":"B"},"title":"C","start_date":"2020-01-02","end_date":null,"is_primary":true}]}}`))
	f.Add([]byte(`{"status":200,"data":{"linkedin_url":"linkedin.com/in/ann?","job_title":["x"],"experience":[{"title":{"name":"\ud800"}},[]]}}`))
	f.Add([]byte(`{"status":404,"error":{"type":["not_found"]}}`))
	f.Add([]byte(`{"data":{"linkedin_username":"ann","experience":null}}`))
	f.Add([]byte(`[[[[`))
	f.Fuzz(func(t *testing.T, body []byte) {
		parseErrorType(body)
		got, err := decodePeopleDataLabs(body, "ann")
		if err != nil {
			var down *Unavailable
			if err != ErrNotFound && err != ErrNoExperience && !errors.As(err, &down) {
				t.Fatalf("undeclared error %v", err)
			}
			return
		}
		for _, one := range got.Experiences {
			if one.Title == "" && one.Company == "" || one.Current && !one.End.IsZero() {
				t.Fatalf("unsound experience %+v", one)
			}
		}
		raw, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var back Profile
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, back); diff != "" || len(got.Experiences) == 0 {
			t.Fatalf("%s became (-want +got):\n%s", raw, diff)
		}
	})
}
