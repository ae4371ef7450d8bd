package decode

import (
	"errors"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	gojson "github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

func reflectOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// decodeInto decodes a request into a T.
func decodeInto[T any](r Request) (T, []string, *fault.Error) {
	var v T
	ignored, err := Into(r, contract.SchemaOf(reflectOf[T]()), reflect.ValueOf(&v))
	var e *fault.Error
	errors.As(err, &e)
	return v, ignored, e
}

// search has a parameter of every sort.
type search struct {
	ID     string   `path:"id" check:"required,min=1,max=5"`
	Query  string   `query:"query" check:"min=1"`
	Where  []string `query:"location" check:"enum=location"`
	Tags   []string `query:"tags"`
	Mode   string   `query:"mode" check:"enum=workplaceType"`
	Limit  int      `query:"limit" check:"limit=20/50"`
	Cursor int64    `query:"cursor" check:"nullable,min=0,max=9007199254740991"`
	Floor  *int64   `query:"minSalary" check:"nullable,min=0"`
	Fee    *float64 `query:"minFee" check:"nullable,min=0,max=100"`
	Mine   *bool    `query:"mine"`
	After  *string  `query:"after" check:"nullable,min=1,max=9"`
	Named  []string `query:"named" check:"nonblank"`
	Key    string   `header:"Idempotency-Key" check:"max=5"`
}

func TestParameters(t *testing.T) {
	t.Parallel()
	base := search{ID: "r1", Limit: 20}
	with := func(change func(*search)) search {
		s := base
		change(&s)
		return s
	}
	for query, want := range map[string]search{
		"":                                      base,
		"query=a+b%26":                          with(func(s *search) { s.Query = "a b&" }),
		"location=uk&location=asia&location=uk": with(func(s *search) { s.Where = []string{"uk", "asia"} }),
		"tags=":                                 with(func(s *search) { s.Tags = []string{""} }),
		"limit=1":                               with(func(s *search) { s.Limit = 1 }),
		"limit=50":                              with(func(s *search) { s.Limit = 50 }),
		"cursor=&minSalary=":                    base,
		"cursor=null&minSalary=null":            base,
		"limit=1.0":                             with(func(s *search) { s.Limit = 1 }),
		"limit=1e1":                             with(func(s *search) { s.Limit = 10 }),
		"limit=250E-1":                          with(func(s *search) { s.Limit = 25 }),
		"limit=010":                             with(func(s *search) { s.Limit = 10 }),
		"cursor=1e3&minFee=1e1": with(func(s *search) {
			s.Cursor = 1000
			s.Fee = new(10.0)
		}),
		"minSalary=99999999999999999999": with(func(s *search) { s.Floor = new(int64(1<<63 - 1)) }),
		"after=&named=ada":               with(func(s *search) { s.Named = []string{"ada"} }),
		"after=null":                     base,
		"cursor=9007199254740991":        with(func(s *search) { s.Cursor = 1<<53 - 1 }),
		"minSalary=0":                    with(func(s *search) { s.Floor = new(int64(0)) }),
		"minFee=12.5":                    with(func(s *search) { s.Fee = new(12.5) }),
		"mine=false&mode=REMOTE": with(func(s *search) {
			s.Mine = new(false)
			s.Mode = "REMOTE"
		}),
	} {
		got, ignored, err := decodeInto[search](Request{Path: map[string]string{"id": "r1"}, Query: query})
		if err != nil || len(ignored) > 0 {
			t.Errorf("%s: %v, ignored %v", query, err, ignored)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestMalformedParameters(t *testing.T) {
	t.Parallel()
	const invalid, filter, limit = contract.ValidationFailed, contract.UnknownFilterValue, contract.LimitTooLarge
	for _, c := range []struct {
		query string
		code  contract.Code
		want  map[string]string // field → start of its one message
	}{
		{"query=", invalid, map[string]string{"query": "query: must not be empty."}},
		{"query=a&query=b", invalid, map[string]string{"query": "query: must be sent once, not 2 times."}},
		{"query=%ff", invalid, map[string]string{"query": "query: is not valid UTF-8."}},
		{"location=London", filter, map[string]string{"location": `location[0]: "London" is not a location.`}},
		{"location=uk&location=UK", filter, map[string]string{"location": `location[1]: "UK" is not a location; did you mean "uk"? Accepted: asia,`}},
		{"location=", filter, map[string]string{"location": `location[0]: "" is not a location.`}},
		{"mode=remote", filter, map[string]string{"mode": `mode: "remote" is not a workplaceType; did you mean "REMOTE"?`}},
		{"mode=remote&location=x", filter, map[string]string{"mode": "mode: ", "location": "location[0]: "}},
		{"mode=remote&limit=0", invalid, map[string]string{"mode": "mode: ", "limit": "limit: must be at least 1."}},
		{"limit=51", limit, map[string]string{"limit": "limit: must be at most 50."}},
		{"limit=51&mode=x", invalid, map[string]string{"limit": "limit: ", "mode": "mode: "}},
		{"limit=", invalid, map[string]string{"limit": `limit: "" is not an integer.`}},
		{"limit=ten", invalid, map[string]string{"limit": `limit: "ten" is not an integer.`}},
		{"limit=1.5", invalid, map[string]string{"limit": `limit: 1.5 is not a whole number.`}},
		{"limit=1.", invalid, map[string]string{"limit": `limit: "1." is not an integer.`}},
		{"limit=1e", invalid, map[string]string{"limit": `limit: "1e" is not an integer.`}},
		{"limit=0x1", invalid, map[string]string{"limit": `limit: "0x1" is not an integer.`}},
		{"cursor=Null", invalid, map[string]string{"cursor": `cursor: "Null" is not an integer.`}},
		{"limit=null", invalid, map[string]string{"limit": `limit: "null" is not an integer.`}},
		{"after=0123456789", invalid, map[string]string{"after": "after: must have at most 9 characters"}},
		{"named=", invalid, map[string]string{"named": "named[0]: must not be empty."}},
		{"named=a&named=%20%E2%80%83", invalid, map[string]string{"named": "named[1]: must not be empty."}},
		{"limit=-1", invalid, map[string]string{"limit": "limit: must be at least 1."}},
		{"limit=99999999999999999999", limit, map[string]string{"limit": "limit: must be at most 50."}},
		{"limit=-99999999999999999999", invalid, map[string]string{"limit": "limit: must be at least 1."}},
		{"cursor=null&cursor=null", invalid, map[string]string{"cursor": "cursor: must be sent once, not 2 times."}},
		{"after=&after=a", invalid, map[string]string{"after": "after: must be sent once, not 2 times."}},
		{"limit=10&limit=10", invalid, map[string]string{"limit": "limit: must be sent once, not 2 times."}},
		{"cursor=-1", invalid, map[string]string{"cursor": "cursor: must be at least 0."}},
		{"cursor=9007199254740992", invalid, map[string]string{"cursor": "cursor: must be at most 9007199254740991."}},
		{"minFee=1e999", invalid, map[string]string{"minFee": "minFee: must be at most 100."}},
		{"minFee=" + strings.Repeat("9", 400), invalid, map[string]string{"minFee": "minFee: must be at most 100."}},
		{"minFee=101", invalid, map[string]string{"minFee": "minFee: must be at most 100."}},
		{"mine=1", invalid, map[string]string{"mine": `mine: "1" is not true or false.`}},
		{"mine=True", invalid, map[string]string{"mine": `mine: "True" is not true or false.`}},
		{"mine=", invalid, map[string]string{"mine": `mine: "" is not true or false.`}},
		{strings.Repeat("tags=a&", 101), invalid, map[string]string{"tags": "tags: must have at most 100 entries, not 101."}},
		{"a;b", invalid, map[string]string{"": "The query string cannot be decoded"}},
	} {
		_, _, err := decodeInto[search](Request{Path: map[string]string{"id": "r1"}, Query: c.query})
		checkFault(t, c.query, err, c.code, c.want)
	}
	_, _, err := decodeInto[search](Request{Path: map[string]string{"id": "longer"}})
	checkFault(t, "path", err, invalid, map[string]string{"id": "id: must have at most 5 characters, not 6."})
	_, _, err = decodeInto[search](Request{Path: map[string]string{"id": "r1"}, Header: http.Header{"Idempotency-Key": {"", ""}}})
	checkFault(t, "header", err, invalid, map[string]string{"Idempotency-Key": "Idempotency-Key: must be sent once, not 2 times."})
}

// An id in a path may have any length, and one that is too long to be an id names nothing:
// that is found out after everything else is checked.
func TestLongIDsNameNothing(t *testing.T) {
	t.Parallel()
	type byID struct {
		ID    string `path:"id" check:"required,min=1"`
		Limit int    `query:"limit" check:"limit=20/50"`
	}
	r := Request{Path: map[string]string{"id": strings.Repeat("a", 129)}}
	if _, _, err := decodeInto[byID](r); err == nil || err.Kind != fault.NotFound {
		t.Errorf("got %v", err)
	}
	r.Query = "limit=0"
	_, _, err := decodeInto[byID](r)
	checkFault(t, "with another problem", err, contract.ValidationFailed, map[string]string{"limit": "limit: must be at least 1."})
	r = Request{Path: map[string]string{"id": strings.Repeat("a", 128)}}
	if got, _, err := decodeInto[byID](r); err != nil || len(got.ID) != 128 {
		t.Errorf("got %q, %v", got.ID, err)
	}
}

// A body may have either of two forms. Only the fields of the one that was sent are read.
func TestOnlyTheSentFormOfABodyIsRead(t *testing.T) {
	t.Parallel()
	type inner struct {
		A int    `json:"a" check:"required,min=1"`
		B string `json:"b" check:"max=3"`
	}
	type either struct {
		ID string `path:"id" check:"required"`
		inner
		Sent  *string `json:"id"`
		Whole *inner  `json:"whole" check:"instead"`
	}
	r := Request{Path: map[string]string{"id": "r1"}}
	for body, want := range map[string]either{
		`{"a":1,"b":"x"}`:                                {ID: "r1", inner: inner{A: 1, B: "x"}},
		`{"a":1,"id":7,"whole":null}`:                    {ID: "r1", inner: inner{A: 1}},
		`{"id":"r2","whole":{"a":2}}`:                    {ID: "r1", Sent: new("r2"), Whole: &inner{A: 2}},
		`{"whole":{"a":2,"b":"y"},"a":"x","b":["long"]}`: {ID: "r1", Whole: &inner{A: 2, B: "y"}},
	} {
		r.Body = body
		got, _, err := decodeInto[either](r)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(either{})); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", body, err, diff)
		}
	}
	for body, want := range map[string]map[string]string{
		`{}`: {"a": "a: is required."}, `{"id":"r1"}`: {"a": "a: is required."}, `{"whole":null}`: {"a": "a: is required."},
		`{"whole":{}}`: {"whole": "whole.a: is required."}, `{"whole":[],"a":1}`: {"whole": "whole: must be an object, not an array."},
		`{"whole":{"a":1,"b":"long"},"id":null}`: {"whole": "whole.b: must have at most 3 characters", "id": "id: must be a string, not null."},
	} {
		r.Body = body
		_, _, err := decodeInto[either](r)
		checkFault(t, body, err, contract.ValidationFailed, want)
	}
}

// checkFault compares an error with its code and the start of each field's message.
func checkFault(t *testing.T, name string, e *fault.Error, code contract.Code, want map[string]string) {
	t.Helper()
	if e == nil {
		t.Errorf("%.60s: accepted", name)
		return
	}
	got := maps.Clone(e.Fields)
	if len(e.Form) > 0 {
		got[""] = e.Form
	}
	if e.Code != code || !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("%.60s: code %s, problems %v; want %s, %v", name, e.Code, got, code, want)
	}
	for field, start := range want {
		if len(got[field]) != 1 || !strings.HasPrefix(got[field][0], start) {
			t.Errorf("%.60s: %s says %q, want %q", name, field, got[field], start)
		}
	}
}

func TestLimitIsLoweredWhereAsked(t *testing.T) {
	t.Parallel()
	r := Request{Path: map[string]string{"id": "r1"}, LowerLimit: true}
	for _, sent := range []string{"9000000000000000000", "99999999999999999999", "1e99999999999"} {
		r.Query = "limit=" + sent
		if got, _, err := decodeInto[search](r); err != nil || got.Limit != 50 {
			t.Errorf("limit %s: %d, %v; want 50", sent, got.Limit, err)
		}
	}
	r.Query = "limit=0"
	if _, _, err := decodeInto[search](r); err == nil {
		t.Error("limit 0 was accepted")
	}
}

func TestIgnoredParametersAreNamedSorted(t *testing.T) {
	t.Parallel()
	_, ignored, err := decodeInto[search](Request{Path: map[string]string{"id": "r1"}, Query: "z=1&Limit=3&a=1&z=2"})
	if diff := cmp.Diff([]string{"Limit", "a", "z"}, ignored); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// nested has what no built input has yet.
type nested struct {
	Confirmed bool   `json:"confirmed" check:"required,const=true"`
	Word      string `json:"word" check:"const=yes"`
	People    []struct {
		ID   string  `json:"id" check:"required,format=uuid"`
		Note *string `json:"note" check:"nullable,min=2"`
	} `json:"people" check:"required,min=1,max=2"`
	Rate *float64 `json:"rate" check:"min=0"`
}

func TestNestedProblems(t *testing.T) {
	t.Parallel()
	const id = `"0195F3A0-0000-7000-8000-00000000000A"`
	for body, want := range map[string]map[string]string{
		`{"confirmed":false,"people":[{"id":` + id + `}]}`:              {"confirmed": "confirmed: must be true."},
		`{"confirmed":"true","people":[{"id":` + id + `}]}`:             {"confirmed": "confirmed: must be true or false, not a string."},
		`{"confirmed":true,"word":"no","people":[{"id":` + id + `}]}`:   {"word": "word: must be yes."},
		`{"confirmed":true,"people":[{"id":` + id + `},{"note":null}]}`: {"people": "people[1].id: is required."},
		`{"confirmed":true,"people":[{"id":` + id + `,"note":"é"}]}`:    {"people": "people[0].note: must have at least 2 characters."},
		`{"confirmed":true,"people":[7]}`:                               {"people": "people[0]: must be an object, not a number."},
		`{"confirmed":true,"people":[1,2,3]}`:                           {"people": "people: must have at most 2 entries, not 3."},
		`{"confirmed":true,"people":[{"id":` + id + `}],"rate":-1e999}`: {"rate": "rate: must be at least 0."},
		`{"confirmed":true,"people":[{"id":` + id + `}],"rate":-0.5}`:   {"rate": "rate: must be at least 0."},
	} {
		_, _, err := decodeInto[nested](Request{Body: body})
		checkFault(t, body, err, contract.ValidationFailed, want)
	}
	got, _, err := decodeInto[nested](Request{Body: `{"confirmed":true,"word":"yes","rate":2.5e-1,"people":[{"id":` + id + `,"note":null},{"id":` + id + `,"note":"ab"}]}`})
	if err != nil || !got.Confirmed || *got.Rate != 0.25 || len(got.People) != 2 || got.People[0].Note != nil || *got.People[1].Note != "ab" {
		t.Errorf("%+v, %v", got, err)
	}
	if want := strings.ToLower(strings.Trim(id, `"`)); got.People[0].ID != want {
		t.Errorf("id %s, want %s", got.People[0].ID, want)
	}
}

func TestEveryFormatHasACheck(t *testing.T) {
	t.Parallel()
	if got, want := slices.Sorted(maps.Keys(formats)), slices.Sorted(slices.Values(contract.Formats)); !slices.Equal(got, want) {
		t.Errorf("checks for %v, want %v", got, want)
	}
}

func TestFormats(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ good, bad []string }{
		"uuid": {[]string{"0195f3a0-0000-7000-8000-000000000001", "0195F3A0-0000-7000-8000-00000000000A"}, []string{"", "0195f3a0", "{0195f3a0-0000-7000-8000-000000000001}", "0195f3a000007000800000000000000f1234"}},
		"uri": {[]string{"https://example.com", "http://[::1]:8080/a?b=c#d", "urn:a:b", "mailto:a@example.com", "ftp://example.com/x"},
			[]string{"", "/a", "a", "//example.com", "https://", "https://:80", "http:a", "https://exa mple.com", "https://example.com/\n", "https://example.com/é", "https://example.com/<a>", "http://[::1", "://x", "1a:b"}},
		"link": {[]string{"https://example.com", "HTTP://example.com/a?b=c#d", "mailto:a@example.com", "ftp://example.com/x", "ftps://example.com/x", "tel:+4930123456", "sip:ada@example.com",
			"zoommtg://zoom.example.com/join?confno=1", "msteams:/l/meetup-join/1", "MsTeams:/l/1"},
			[]string{"", "example.com", "https:", "https://", "mailto:", "tel:", "ftp:/x", "urn:a:b", "httpsx://example.com", "file:///etc/hosts", "vbscript:x", "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "https://exa mple.com"}},
		"email": {[]string{"ada@example.com", "a.b+c@sub.example.org"}, []string{"", "ada", "Ada <ada@example.com>", " ada@example.com", "ada@example", "a@b@example.com"}},
		"linkedin": {[]string{"https://www.linkedin.com/in/ada", "http://de.linkedin.com/in/ada/?x=1", "https://linkedin.com/in/josé"},
			[]string{"", "linkedin.com/in/ada", "https://www.linkedin.com/company/ada", "https://example.com/in/ada", "https://www.linkedin.com/in/ada\n", "ftp://linkedin.com/in/ada"}},
		"printable": {[]string{"", "a b~!"}, []string{"é", "\x7f", "\n", "\x00"}},
		"line":      {[]string{"", "Ada Example", "Zoë"}, []string{"a\nb", "a\tb", "\x00x", "\x1b[31mred", "a\u0085b", "a\u202eb", "\u2066a\u2069"}},
		"text":      {[]string{"", "Ada", "a\r\nb\tc", "a\u202eb"}, []string{"\x00", "a\x1bb", "a\x0cb", "a\u0085b"}},
		"id":        {[]string{"r1", "0195f3a0-0000-7000-8000-000000000001", "agy_1:x.y"}, []string{"", "a b", "a/b", "a#b", "a|b", "é", "\n", strings.Repeat("a", 129)}},
		"date-time": {[]string{"2026-03-09T08:30:00Z", "2026-03-09T08:30:00.123456+05:30"}, []string{"", "2026-03-09", "2026-03-09 08:30:00Z", "2026-02-30T08:30:00Z", "0001-01-01T00:00:00+10:00"}},
	}
	for name, c := range cases {
		for _, v := range c.good {
			if !formats[name].valid(v) {
				t.Errorf("%s: %q was refused", name, v)
			}
		}
		for _, v := range c.bad {
			if formats[name].valid(v) {
				t.Errorf("%s: %q was accepted", name, v)
			}
		}
	}
}

// TestTimes shows that a timestamp is bound in the wire's precision, and that a bad one is a problem of its field.
func TestTimes(t *testing.T) {
	t.Parallel()
	type timed struct {
		At    contract.Time  `json:"at" check:"required"`
		Until *contract.Time `json:"until" check:"nullable"`
	}
	at := func(s string) contract.Time { v, _ := time.Parse(time.RFC3339, s); return contract.At(v) }
	until := at("2026-03-09T07:30:00.123Z")
	got, _, err := decodeInto[timed](Request{Body: `{"at":"2026-03-09T08:30:00Z","until":"2026-03-09T08:30:00.1239+01:00"}`})
	if diff := cmp.Diff(timed{at("2026-03-09T08:30:00Z"), &until}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, _, err := decodeInto[timed](Request{Body: `{"at":"yesterday","until":null}`}); err == nil || len(err.Fields["at"]) != 1 {
		t.Errorf("got %v", err)
	}
}

// members are the fields of a valid submission.
var members = []string{
	`"name":"Ada \u00c9xample"`, `"linkedinUrl":"https://www.linkedin.com/in/ada"`, `"email":"ada@example.com"`,
	`"preferences":{"locations":["uk","uk","asia"],"workplaceTypes":["REMOTE"],"salaryMin":1.5e5,"idealFundingRounds":["SEED"],"visaAuthorization":"HAS_VISA_AUTHORIZATION"}`,
	`"screeningCallLink":"https://calls.example.com/1"`, `"resume":{"contentBase64":"JVBERi0="}`,
}

// TestOrderAndUnknownFieldsDoNotMatter decodes the same fields in any order
// among any others.
func TestOrderAndUnknownFieldsDoNotMatter(t *testing.T) {
	t.Parallel()
	want, _, err := decodeInto[contract.SubmitRequest](Request{Body: "{" + strings.Join(members, ",") + "}"})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		fields := slices.Clone(members)
		for i, v := range rapid.SliceOfN(rapid.SampledFrom([]string{`1e999`, `null`, `"\ud83d\ude00"`, `[[{"name":1}],{}]`, `{"email":null}`}), 0, 30).Draw(t, "extra") {
			fields = append(fields, `"Name`+strings.Repeat("_", i)+`":`+v)
		}
		space := rapid.SampledFrom([]string{"", " ", "\n\t", "\r\n"}).Draw(t, "space")
		body := "{" + space + strings.Join(rapid.Permutation(fields).Draw(t, "order"), space+","+space) + space + "}"
		got, _, err := decodeInto[contract.SubmitRequest](Request{Body: body})
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", body, diff)
		}
	})
}

// FuzzInto checks that decoding never panics, and that what is accepted is
// accepted again, and means the same, after it was written by another encoder.
func FuzzInto(f *testing.F) {
	f.Add("{"+strings.Join(members, ",")+"}", "application/json", "k", "a=1")
	for _, s := range seeds {
		f.Add(s, "", "", "")
	}
	f.Fuzz(func(t *testing.T, body, contentType, key, query string) {
		h := http.Header{"Idempotency-Key": {key}}
		if contentType != "" {
			h.Set("Content-Type", contentType)
		}
		got, _, err := decodeInto[contract.SubmitRequest](Request{Body: body, Header: h, Query: query})
		if err != nil {
			checkMessages(t, err)
			return
		}
		again, encodeErr := gojson.Marshal(got, gojson.OmitZeroStructFields(true))
		if encodeErr != nil {
			t.Fatal(encodeErr)
		}
		second, _, err := decodeInto[contract.SubmitRequest](Request{Body: string(again), Header: h})
		if err != nil {
			t.Fatalf("%s: %v", again, err.Fields)
		}
		if diff := cmp.Diff(got, second, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func checkMessages(t *testing.T, e *fault.Error) {
	t.Helper()
	all := slices.Concat(append(slices.Collect(maps.Values(e.Fields)), e.Form)...)
	if len(all) == 0 || len(all) > maxMessages {
		t.Fatalf("%d messages", len(all))
	}
	for _, m := range all {
		m, _, _ = strings.Cut(m, " Accepted: ")
		if len([]rune(m)) > maxMessage {
			t.Fatalf("message of %d characters", len([]rune(m)))
		}
	}
	if contract.Codes[e.Code] != http.StatusBadRequest {
		t.Fatalf("code %q", e.Code)
	}
}

func BenchmarkSubmit(b *testing.B) {
	body := "{" + strings.Join(members, ",") + "}"
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := decodeInto[contract.SubmitRequest](Request{Body: body}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSubmitBulk(b *testing.B) {
	resume := `"resume":{"resumeFileId":"01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11"},"onMarketConfirmed":true`
	item := "{" + strings.Join(members[:len(members)-1], ",") + "," + resume + "}"
	body := `{"items":[` + strings.Repeat(item+",", 99) + item + `]}`
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := decodeInto[contract.BulkRequest](Request{Body: body}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLargeResume decodes 8 MiB of base64; its bytes per operation tell
// that they are not copied.
func BenchmarkLargeResume(b *testing.B) {
	body := strings.Replace("{"+strings.Join(members, ",")+"}", "JVBERi0=", strings.Repeat("QUJD", 2<<20), 1)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := decodeInto[contract.SubmitRequest](Request{Body: body}); err != nil {
			b.Fatal(err)
		}
	}
}
