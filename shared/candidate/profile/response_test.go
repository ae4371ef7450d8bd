package profile

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"
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
			`{"status":200,"likelihood":9,"data":{"full_name":"Ann Moor","linkedin_url":"x","linkedin_username":"Ann","job_title":"CTO","job_company_name":"Example  Quarry\u0000","location_name":"Leeds",
			"experience":[{"company":{"name":"Example Beacon"},"title":null,"start_date":"2015","end_date":"2020-04-30","is_primary":false,"location_names":[]},
			{"company":{"name":"Example Quarry"},"title":{"name":"CTO","levels":[]},"start_date":"2020-05","end_date":null,"is_primary":true,"location_names":["Leeds","York"],"summary":"Leads\na team"}]}}`,
			Profile{Title: "CTO", Company: "Example Quarry", Location: "Leeds"},
		},
		"title and company from the current job": {
			start + `[{"title":"Old","end_date":"2019"},{"title":"New\nest","company":"B","start_date":"2019"},{"title":"Other","is_primary":true}]}}`,
			Profile{Title: "New est", Company: "B"},
		},
		"a primary job without a start is current":    {start + `[{"title":"Old","end_date":"2019"},{"company":"B","is_primary":true}]}}`, Profile{Company: "B"}},
		"a primary job that has ended is not current": {start + `[{"title":"Old","end_date":"2019","is_primary":true},{"title":"New","start_date":"2019-04-30"}]}}`, Profile{Title: "New"}},
		"a title alone is not mixed with another job's company": {
			`{"data":{"linkedin_username":"ann","job_title":"CTO","experience":[{"title":"CEO","company":"B","is_primary":true}]}}`,
			Profile{Title: "CTO"},
		},
		"wrong types cost a detail only": {
			`{"data":{"linkedin_username":"ann","full_name":true,"job_title":7,"location_name":{"name":8},"job_company_name":["C"],
			"experience":["x",{"title":{"name":"CTO"},"company":[1],"start_date":2020,"end_date":true,"is_primary":"yes","location_names":"Leeds","summary":{}}]}}`,
			Profile{Company: "C"},
		},
		"wrong types are no evidence that it is current": {start + `["x",{"title":{"name":"CTO"},"company":[1],"start_date":2020,"is_primary":1e999}]}}`, Profile{}},
		"a value that is no date is an end":              {start + `[{"title":"CTO","start_date":"2020","end_date":true}]}}`, Profile{}},
		"an empty end is none":                           {start + `[{"title":"CTO","start_date":" 2020 ","end_date":""}]}}`, Profile{Title: "CTO"}},
		"impossible dates are unknown":                   {start + `[{"title":"CTO","start_date":"2020-13"}]}}`, Profile{}},
		"no evidence that it is current":                 {start + `[{"title":"CTO"}]}}`, Profile{}},
		"slug from the URL": {
			`{"data":{"linkedin_username":null,"linkedin_url":"https://www.linkedin.com/in/A%6Ein/?x","experience":[{"title":"CTO"}]}}`,
			Profile{},
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

// TestTextsOfAProfileAreCut fails unless the largest profile is small.
func TestTextsOfAProfileAreCut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<", 9000)
	jobs := slices.Repeat([]any{map[string]any{"title": long, "company": long}}, 40)
	body, err := json.Marshal(map[string]any{"data": map[string]any{"linkedin_username": "ann", "job_title": long, "job_company_name": long, "location_name": long, "experience": jobs}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodePeopleDataLabs(body, "ann")
	if err != nil {
		t.Fatal(err)
	}
	if size := len(got.Title) + len(got.Company) + len(got.Location); len(got.Title) != textLimit || size > 3*textLimit {
		t.Errorf("%d bytes with a title of %d", size, len(got.Title))
	}
}

func TestCleanKeepsWholeRunes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Repeat("x", textLimit-rapid.IntRange(0, 20).Draw(t, "left")) + rapid.String().Draw(t, "s")
		got := lenientText(s).clean()
		if !utf8.ValidString(got) || len(got) > textLimit || got != strings.TrimSpace(got) || strings.ContainsAny(got, "\n\x00") {
			t.Fatalf("clean(%q) = %q", s, got)
		}
	})
}

func TestDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"2021": true, "2021-03": true, "2024-02-29": true,
		"": false, "0000": false, "0000-01": false, "2023-02-29": false, "2021-3": false, "2021-00": false, "21": false, "2021-03-": false, "+021": false, "2021-03-04T00:00:00Z": false,
	} {
		var got lenientDate
		if err := json.Unmarshal([]byte(strconv.Quote(text)), &got); err != nil || got.known != want {
			t.Errorf("%q is a date: %v (%v)", text, got.known, err)
		}
	}
	for raw, want := range map[string]lenientDate{
		`{"day":null,"month":null,"year":2015}`: {known: true, given: true}, `{"day":5,"month":0,"year":2015}`: {known: true, given: true},
		`{"day":0,"month":3,"year":2015}`: {known: true, given: true}, `{"day":5,"month":-1,"year":2015}`: {given: true}, `{"day":100,"month":1,"year":2015}`: {given: true},
		`{"day":31,"month":1,"year":2019}`: {known: true, given: true}, `{"day":31,"month":2,"year":2019}`: {given: true},
		`{"day":1,"month":13,"year":2019}`: {given: true}, `{"year":-1}`: {given: true}, `{"year":null}`: {given: true}, `{"year":"2019"}`: {given: true},
		`"2019-05"`: {known: true, given: true}, `7`: {given: true}, `null`: {}, `""`: {},
	} {
		var got lenientDate
		if err := json.Unmarshal([]byte(raw), &got); err != nil || got != want {
			t.Errorf("%s is %+v, %v", raw, got, err)
		}
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
		if err != nil && got != (Profile{}) {
			t.Fatalf("an error beside %+v", got)
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
		item, err := dynamo.MarshalItem(got)
		if err != nil {
			t.Fatal(err)
		}
		var back Profile
		if err := dynamo.UnmarshalItem(item, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(got, back); diff != "" {
			t.Fatalf("the item differs (-want +got):\n%s", diff)
		}
	})
}
