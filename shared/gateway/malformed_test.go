package gateway

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// goodBody is a valid submission; the cases below change one text in it.
const goodBody = `{
 "name": "Ada Example",
 "linkedinUrl": "https://www.linkedin.com/in/ada-example",
 "email": "ada@example.com",
 "preferences": {
  "locations": ["london"],
  "workplaceTypes": ["REMOTE"],
  "salaryMin": 150000,
  "salaryMax": null,
  "idealFundingRounds": ["SEED", "SERIES_A"],
  "visaAuthorization": "NO_VISA_AUTHORIZATION_NEEDED",
  "roleType": ["backend_engineer"]
 },
 "screeningCallLink": "https://calls.example.com/1",
 "recruiterEmail": "member@example.org",
 "resume": {"fileName": "cv.pdf", "contentBase64": "JVBERi0="}
}`

// good is goodBody with a location that exists.
var good = strings.Replace(goodBody, "london", "uk", 1)

const submitPath = "/talent-network/candidates/submit"

// malformed is one request that must be refused with 400.
type malformed struct {
	// old is replaced by new in the good body; an empty old makes new the body.
	name, old, new string
	code           contract.Code
	// fields are the keys of fieldErrors ("" for formErrors), says a part of a message.
	fields string
	says   string
	// headers come in pairs.
	headers []string
}

const (
	bad     = contract.ValidationFailed
	badJSON = contract.MalformedJSON
)

var malformedRequests = []malformed{
	// Types.
	{"name is a number", `"Ada Example"`, `7`, bad, "name", "name: must be a string, not a number.", nil},
	{"name is an array", `"Ada Example"`, `["Ada"]`, bad, "name", "not an array", nil},
	{"name is an object", `"Ada Example"`, `{"first": "Ada"}`, bad, "name", "not an object", nil},
	{"name is a boolean", `"Ada Example"`, `true`, bad, "name", "not a boolean", nil},
	{"preferences is a string", "PREFERENCES", `"none"`, bad, "preferences", "preferences: must be an object, not a string.", nil},
	{"preferences is an empty object", "PREFERENCES", `{}`, bad, "preferences", "preferences.locations: is required.", nil},
	{"preferences is an empty array", "PREFERENCES", `[]`, bad, "preferences", "must be an object, not an array", nil},
	{"locations is a string", `["uk"]`, `"uk"`, bad, "preferences", "preferences.locations: must be an array, not a string.", nil},
	{"locations holds a number", `["uk"]`, `["uk", 1]`, bad, "preferences", "preferences.locations[1]: must be a string", nil},
	{"locations holds null", `["uk"]`, `[null]`, bad, "preferences", "preferences.locations[0]: must be a string, not null.", nil},
	{"locations nests an array", `["uk"]`, `[["uk"]]`, bad, "preferences", "preferences.locations[0]: must be a string, not an array.", nil},
	{"salaryMin is a string", `150000`, `"150000"`, bad, "preferences", "preferences.salaryMin: must be an integer, not a string.", nil},
	{"salaryMin is a boolean", `150000`, `true`, bad, "preferences", "must be an integer, not a boolean", nil},
	{"resume is a string", `{"fileName": "cv.pdf", "contentBase64": "JVBERi0="}`, `"JVBERi0="`, bad, "resume", "resume: must be an object", nil},
	{"fileName is a number", `"cv.pdf"`, `1`, bad, "resume", "resume.fileName: must be a string", nil},
	{"contentBase64 is an array", `"JVBERi0="`, `[37, 80]`, bad, "resume", "resume.contentBase64: must be a string, not an array.", nil},
	// Missing and null.
	{"no name", `"name": "Ada Example",`, ``, bad, "name", "name: is required.", nil},
	{"name is null", `"Ada Example"`, `null`, bad, "name", "name: must be a string, not null.", nil},
	{"wrong case of name", `"name"`, `"Name"`, bad, "name", "name: is required.", nil},
	{"capitals in email", `"email"`, `"EMAIL"`, bad, "email", "email: is required.", nil},
	{"snake case", `"linkedinUrl"`, `"linkedin_url"`, bad, "linkedinUrl", "linkedinUrl: is required.", nil},
	{"wrong case inside", `"salaryMin"`, `"salarymin"`, bad, "preferences", "preferences.salaryMin: is required.", nil},
	{"no contentBase64", `, "contentBase64": "JVBERi0="`, ``, bad, "resume", "resume.contentBase64: is required.", nil},
	{"contentBase64 is null", `"JVBERi0="`, `null`, bad, "resume", "resume.contentBase64: must be a string, not null.", nil},
	{"fileName is null", `"cv.pdf"`, `null`, bad, "resume", "resume.fileName: must be a string, not null.", nil},
	{"preferences is null", "PREFERENCES", `null`, bad, "preferences", "must be an object, not null", nil},
	{"screeningCallLink is null", `"https://calls.example.com/1"`, `null`, bad, "screeningCallLink", "not null", nil},
	{"recruiterEmail is null", `"member@example.org"`, `null`, bad, "recruiterEmail", "not null", nil},
	{"salaryMin is null", `150000`, `null`, bad, "preferences", "preferences.salaryMin: must be an integer, not null.", nil},
	{"roleType is null", `["backend_engineer"]`, `null`, bad, "preferences", "preferences.roleType: must be an array, not null.", nil},
	{"an empty object", "", `{}`, bad, "email linkedinUrl name preferences resume", "is required", nil},
	// Enumerations.
	{"unknown location", `["uk"]`, `["London"]`, bad, "preferences", `preferences.locations[0]: "London" is not a location. Accepted: asia, australia,`, nil},
	{"display name of a role type", `"backend_engineer"`, `"Backend Engineer"`, bad, "preferences", `did you mean "backend_engineer"?`, nil},
	{"prefix of a role type", `["backend_engineer"]`, `["ai_engineer", "backend"]`, bad, "preferences", `preferences.roleType[1]: "backend" is not a roleType; did you mean "backend_engineer"? Accepted: account_executives_sales`, nil},
	{"typo in a role type", `"backend_engineer"`, `"bakcend_engineer"`, bad, "preferences", `did you mean "backend_engineer"?`, nil},
	{"lower-case workplace", `"REMOTE"`, `"remote"`, bad, "preferences", `preferences.workplaceTypes[0]: "remote" is not a workplaceType; did you mean "REMOTE"?`, nil},
	{"unknown visa answer", `"NO_VISA_AUTHORIZATION_NEEDED"`, `"NONE"`, bad, "preferences", "preferences.visaAuthorization", nil},
	{"empty visa answer", `"NO_VISA_AUTHORIZATION_NEEDED"`, `""`, bad, "preferences", `"" is not a visaAuthorization`, nil},
	{"funding round with space", `"SERIES_A"`, `"SERIES_A "`, bad, "preferences", `did you mean "SERIES_A"?`, nil},
	{"unknown industry", `"roleType": ["backend_engineer"]`, `"excludedIndustries": ["fintec"]`, bad, "preferences", `did you mean "fintech"?`, nil},
	{"company size without spaces", `"roleType": ["backend_engineer"]`, `"companySizePreferences": ["<10 employees"]`, bad, "preferences", `did you mean "< 10 employees"?`, nil},
	{"a value long and unprintable", `"uk"`, `"\u0000\u001b[31m` + strings.Repeat("x", 3000) + `"`, bad, "preferences", `"\x00\x1b[31mxxx`, nil},
	// Sizes.
	{"empty name", `"Ada Example"`, `""`, bad, "name", "name: must not be empty.", nil},
	{"name of white space", `Ada Example`, ` \t\u3000`, bad, "name", "name: must not be empty.", nil},
	{"long name", `Ada Example`, strings.Repeat("é", 301), bad, "name", "at most 300 characters, not 301", nil},
	{"empty locations", `["uk"]`, `[]`, bad, "preferences", "preferences.locations: must have at least 1 entry.", nil},
	{"too many entries", `["backend_engineer"]`, `[` + strings.Repeat(`"ai_engineer",`, 100) + `"ai_engineer"]`, bad, "preferences", "preferences.roleType: must have at most 100 entries, not 101.", nil},
	{"salaryMin is zero", `150000`, `0`, bad, "preferences", "preferences.salaryMin: must be at least 1.", nil},
	{"salaryMin is negative", `150000`, `-1`, bad, "preferences", "must be at least 1", nil},
	{"ote is zero", `"salaryMax": null`, `"ote": 0`, bad, "preferences", "preferences.ote: must be at least 1.", nil},
	{"long link", `https://calls.example.com/1`, `https://calls.example.com/` + strings.Repeat("a", 2048), bad, "screeningCallLink", "at most 2048 characters", nil},
	{"long e-mail", `ada@example.com`, strings.Repeat("a", 320) + `@example.com`, bad, "email", "at most 320", nil},
	{"long file name", `cv.pdf`, strings.Repeat("a", 256), bad, "resume", "resume.fileName: must have at most 255", nil},
	{"empty content", `"JVBERi0="`, `""`, bad, "resume", "resume.contentBase64: must not be empty.", nil},
	// Numbers.
	{"a fraction", `150000`, `150000.5`, bad, "preferences", "150000.5 is not a whole number", nil},
	{"a tiny number", `150000`, `1e-400`, bad, "preferences", "1e-400 is not a whole number", nil},
	{"1e400", `150000`, `1e400`, bad, "preferences", "preferences.salaryMin: must be at most 9007199254740991.", nil},
	{"1e1000000000", `150000`, `1e1000000000`, bad, "preferences", "at most 9007199254740991", nil},
	{"a larger exponent than any integer", `150000`, `1e99999999999999999999`, bad, "preferences", "at most 9007199254740991", nil},
	{"one over int64", `150000`, `9223372036854775808`, bad, "preferences", "at most 9007199254740991", nil},
	{"one over what a float holds", `150000`, `9007199254740992`, bad, "preferences", "at most 9007199254740991", nil},
	{"far below int64", `150000`, `-1e400`, bad, "preferences", "must be at least 1", nil},
	{"ten thousand digits", `150000`, strings.Repeat("9", 10000), bad, "preferences", "at most 9007199254740991", nil},
	{"leading zero", `150000`, `0150000`, badJSON, "", "'1'", nil},
	{"plus sign", `150000`, `+150000`, badJSON, "", "'+'", nil},
	{"hexadecimal", `150000`, `0x10`, badJSON, "", "'x'", nil},
	{"NaN", `150000`, `NaN`, badJSON, "", "'N'", nil},
	{"Infinity", `150000`, `-Infinity`, badJSON, "", "expecting digit", nil},
	{"no digit after the point", `150000`, `1.`, badJSON, "", "expecting digit", nil},
	{"no digit in the exponent", `150000`, `1e`, badJSON, "", "expecting digit", nil},
	// Formats.
	{"relative URI", `https://calls.example.com/1`, `/calls/1`, bad, "screeningCallLink", `"/calls/1" is not an absolute URL such as`, nil},
	{"URI without scheme", `https://calls.example.com/1`, `calls.example.com/1`, bad, "screeningCallLink", "not an absolute URL such as", nil},
	{"protocol-relative URI", `https://calls.example.com/1`, `//calls.example.com/1`, bad, "screeningCallLink", "not an absolute URL such as", nil},
	{"URI without host", `https://calls.example.com/1`, `https:///1`, bad, "screeningCallLink", "not an absolute URL such as", nil},
	{"script as link", `https://calls.example.com/1`, `javascript:alert(1)`, bad, "screeningCallLink", "not an absolute URL such as", nil},
	{"data as link", `https://calls.example.com/1`, `data:text/html,x`, bad, "screeningCallLink", "not an absolute URL such as", nil},
	{"opaque URI", `https://calls.example.com/1`, `urn:call:1`, bad, "screeningCallLink", "not an absolute URL such as", nil},
	{"URI with a space", `https://calls.example.com/1`, `https://calls.example.com/a b`, bad, "screeningCallLink", "not an absolute URL such as", nil},
	{"empty URI", `"https://calls.example.com/1"`, `""`, bad, "screeningCallLink", `"" is not an absolute URL such as`, nil},
	{"NUL in a name", `Ada Example`, `\u0000Ada`, bad, "name", `"\x00Ada" is not one line without control characters`, nil},
	{"escape sequence in a name", `Ada Example`, `\u001b[31mAda`, bad, "name", "control characters", nil},
	{"two lines in a name", `Ada Example`, `Ada\nExample`, bad, "name", "control characters", nil},
	{"a name that changes direction", `Ada Example`, `Ada\u202eExample`, bad, "name", "control characters", nil},
	{"e-mail with a name", `ada@example.com`, `Ada <ada@example.com>`, bad, "email", `"Ada <ada@example.com>" is not an e-mail address`, nil},
	{"e-mail without domain", `ada@example.com`, `ada@`, bad, "email", "not an e-mail", nil},
	{"e-mail without at", `ada@example.com`, `ada.example.com`, bad, "email", "not an e-mail", nil},
	{"two e-mails", `ada@example.com`, `ada@example.com,bob@example.com`, bad, "email", "not an e-mail", nil},
	{"e-mail with a line break", `ada@example.com`, `ada@example.com\n`, bad, "email", "not an e-mail", nil},
	{"empty e-mail", `"ada@example.com"`, `""`, bad, "email", "not an e-mail", nil},
	{"bad recruiterEmail", `member@example.org`, `member`, bad, "recruiterEmail", "not an e-mail", nil},
	{"company on LinkedIn", `linkedin.com/in/ada-example`, `linkedin.com/company/example`, bad, "linkedinUrl", "not a LinkedIn profile URL", nil},
	{"another site", `www.linkedin.com/in/ada`, `linkedin.com.example.com/in/ada`, bad, "linkedinUrl", "not a LinkedIn profile URL", nil},
	{"empty LinkedIn URL", `"https://www.linkedin.com/in/ada-example"`, `""`, bad, "linkedinUrl", "not a LinkedIn profile URL", nil},
	// JSON.
	{"no body", "", ``, badJSON, "", "the body is empty", nil},
	{"white space only", "", "  \n ", badJSON, "", "the body is empty", nil},
	{"an array", "", `[]`, badJSON, "", "must be a JSON object, not an array", nil},
	{"null", "", `null`, badJSON, "", "must be a JSON object, not null", nil},
	{"a string", "", `"x"`, badJSON, "", "must be a JSON object, not a string", nil},
	{"a number", "", `12`, badJSON, "", "must be a JSON object, not a number", nil},
	{"two byte order marks", "", "\ufeff\ufeff" + good, badJSON, "", "invalid character '\\ufeff' at start of value", nil},
	{"UTF-16", "", "{\x00}\x00", badJSON, "", "byte 1", nil},
	{"two objects", "", `{} {}`, badJSON, "", "data after the end", nil},
	{"trailing word", "", good + "x", badJSON, "", "line 17, column 2", nil},
	{"truncated", "", good[:len(good)-1], badJSON, "", "ends in the middle of a value", nil},
	{"ends in a string", "", good[:len(good)-8], badJSON, "", "ends in the middle of a value", nil},
	{"trailing comma", `"JVBERi0="}`, `"JVBERi0=",}`, badJSON, "", "at start of value", nil},
	{"trailing comma in an array", `["uk"]`, `["uk",]`, badJSON, "", "at start of value", nil},
	{"single quotes", `"Ada Example"`, `'Ada'`, badJSON, "", "line 2, column 10", nil},
	{"a comment", `"name"`, `/* x */ "name"`, badJSON, "", "'/'", nil},
	{"unquoted key", `"name"`, `name`, badJSON, "", "invalid character 'a'", nil},
	{"literal in capitals", `null`, `NULL`, badJSON, "", "'N'", nil},
	{"half a literal", `null`, `nul`, badJSON, "", "in literal null", nil},
	{"no colon", `"name":`, `"name"`, badJSON, "", "expecting ':'", nil},
	{"raw line break in a string", `Ada Example`, "Ada\nExample", badJSON, "", "control character", nil},
	{"unknown escape", `Ada Example`, `Ada\x41`, badJSON, "", "escape", nil},
	{"short unicode escape", `Ada Example`, `Ada\u00e`, badJSON, "", "invalid escape sequence", nil},
	{"lone high surrogate", `Ada Example`, `Ada\ud800`, badJSON, "", "surrogate", nil},
	{"lone low surrogate", `Ada Example`, `Ada\udc00`, badJSON, "", "surrogate", nil},
	{"surrogates swapped", `Ada Example`, `Ada\udc00\ud800`, badJSON, "", "surrogate", nil},
	{"surrogate and letter", `Ada Example`, `Ada\ud800\u0041`, badJSON, "", "surrogate", nil},
	{"surrogate in an unknown field", `"name"`, `"x": "\ud800", "name"`, badJSON, "", "surrogate", nil},
	{"broken UTF-8", `Ada Example`, "Ada \xff", badJSON, "", "invalid UTF-8", nil},
	{"overlong UTF-8", `Ada Example`, "Ada \xc0\xaf", badJSON, "", "invalid UTF-8", nil},
	{"UTF-8 of a surrogate", `Ada Example`, "Ada \xed\xa0\x80", badJSON, "", "invalid UTF-8", nil},
	{"broken UTF-8 in an unknown field", `"name"`, "\"\xff\": 1, \"name\"", badJSON, "", "invalid UTF-8", nil},
	{"duplicate key", `"name"`, `"name": "Eve", "name"`, badJSON, "", `duplicate key "name"`, nil},
	{"duplicate key, escaped", `"name"`, `"n\u0061me": "Eve", "name"`, badJSON, "", `duplicate key "name"`, nil},
	{"duplicate key inside", `"salaryMin"`, `"salaryMin": 1, "salaryMin"`, badJSON, "", `duplicate key "salaryMin"`, nil},
	{"duplicate key in an unknown field", `"name"`, `"x": [{"y": {"z": 1, "z": 1}}], "name"`, badJSON, "", `duplicate key "z"`, nil},
	{"duplicate among many keys", `"name"`, manyKeys(40) + `"k7": 1, "name"`, badJSON, "", `duplicate key "k7"`, nil},
	{"nesting of 65 in an unknown field", `"name"`, `"x": ` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `, "name"`, badJSON, "", "deeper than 64", nil},
	{"a million brackets", "", strings.Repeat("[", 1<<20), badJSON, "", "deeper than 64", nil},
	{"a million objects", "", strings.Repeat(`{"a":`, 1<<20), badJSON, "", "deeper than 64", nil},
	// Content types.
	{"form", "", `name=Ada`, contract.UnsupportedContentType, "", "application/json", []string{"Content-Type", "application/x-www-form-urlencoded"}},
	{"plain text", "", good, contract.UnsupportedContentType, "", "application/json", []string{"Content-Type", "text/plain"}},
	{"multipart", "", good, contract.UnsupportedContentType, "", "", []string{"Content-Type", "multipart/form-data; boundary=x"}},
	{"another JSON", "", good, contract.UnsupportedContentType, "", "", []string{"Content-Type", "application/problem+json"}},
	{"two types", "", good, contract.UnsupportedContentType, "", "", []string{"Content-Type", "application/json", "Content-Type", "text/plain"}},
	// Headers, and several kinds at once.
	{"Idempotency-Key not ASCII", "", good, bad, "Idempotency-Key", "not printable ASCII", []string{"Idempotency-Key", "schlüssel"}},
	{"Idempotency-Key with tab", "", good, bad, "Idempotency-Key", "not printable ASCII", []string{"Idempotency-Key", "a\tb"}},
	{"Idempotency-Key too long", "", good, bad, "Idempotency-Key", "at most 255", []string{"Idempotency-Key", strings.Repeat("k", 256)}},
	{"Idempotency-Key twice", "", good, bad, "Idempotency-Key", "must be sent once, not 2 times.", []string{"Idempotency-Key", "a", "Idempotency-Key", "a"}},
	{"bad header and bad JSON", "", `{`, bad, " Idempotency-Key", "", []string{"Idempotency-Key", "é"}},
	{"bad header and bad field", `"Ada Example"`, `1`, bad, "Idempotency-Key name", "", []string{"Idempotency-Key", "é"}},
	{"undecodable query", "?", "%zz", bad, "", "query string", nil},
}

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`"k` + string(rune('0'+i/10)) + string(rune('0'+i%10)) + `": 1, `)
	}
	return strings.ReplaceAll(b.String(), `"k0`, `"k`)
}

// request makes the path and body of a case.
func (m malformed) request(t *testing.T) (path, body string) {
	t.Helper()
	switch m.old {
	case "":
		return submitPath, m.new
	case "?":
		return submitPath + "?a=" + m.new, good
	case "PREFERENCES":
		start := strings.Index(good, `{
  "loc`)
		end := strings.Index(good, ` "screening`)
		return submitPath, good[:start] + m.new + ",\n" + good[end:]
	}
	if !strings.Contains(good, m.old) {
		t.Fatalf("the good body does not hold %s", m.old)
	}
	return submitPath, strings.Replace(good, m.old, m.new, 1)
}

func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	if len(malformedRequests) < 70 {
		t.Errorf("only %d cases", len(malformedRequests))
	}
	for _, m := range malformedRequests {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			path, body := m.request(t)
			w := sendRequest(g, "POST", path, body, m.headers...)
			if w.Code != 400 {
				t.Fatalf("status %d, want 400; body %s", w.Code, w.Body)
			}
			e := decodeProblem(t, w)
			if e.Code != m.code || e.Type != "invalid_request_error" {
				t.Errorf("code %q of %q, want %q", e.Code, e.Type, m.code)
			}
			if got := fieldsOf(e.Details); got != m.fields {
				t.Errorf("fields %q, want %q", got, m.fields)
			}
			messages := allMessages(e.Details)
			if !strings.Contains(strings.Join(messages, "\n"), m.says) {
				t.Errorf("messages %q do not say %q", messages, m.says)
			}
			for _, one := range messages {
				one, _, _ = strings.Cut(one, " Accepted: ")
				if len([]rune(one)) > 200 {
					t.Errorf("message of %d characters: %q", len([]rune(one)), one)
				}
			}
		})
	}
}

// fieldsOf lists the fields with problems, sorted; a form problem is "".
func fieldsOf(d *contract.ErrorDetails) string {
	if d == nil {
		return "no details"
	}
	fields := slices.Sorted(maps.Keys(d.FieldErrors))
	if len(d.FormErrors) > 0 {
		fields = append([]string{""}, fields...)
	}
	return strings.Join(fields, " ")
}

func allMessages(d *contract.ErrorDetails) []string {
	all := slices.Clone(d.FormErrors)
	for _, field := range slices.Sorted(maps.Keys(d.FieldErrors)) {
		all = append(all, d.FieldErrors[field]...)
	}
	return all
}

func TestMalformedBatchRequests(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	for _, id := range []string{"1", "x", "0195f3a000007000800000000000000f", "%7B" + testID + "%7D", "urn:uuid:" + testID, testID + "0", testID + "%00", "%20" + testID, "a%2Fb"} {
		w := sendRequest(g, "GET", "/talent-network/batches/"+id, "")
		e := decodeProblem(t, w)
		if w.Code != 400 || e.Code != contract.ValidationFailed || fieldsOf(e.Details) != "batchId" {
			t.Errorf("%s: status %d, %+v", id, w.Code, e)
		}
	}
	for _, id := range []string{"", testID + "/", "/" + testID, "%ff"} {
		if w := sendRequest(g, "GET", "/talent-network/batches/"+id, ""); w.Code != 404 {
			t.Errorf("%s: status %d, want 404", id, w.Code)
		}
	}
}

func TestAtMostFiftyMessages(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	body := strings.Replace(good, `["backend_engineer"]`, `[`+strings.Repeat(`"x",`, 99)+`"x"]`, 1)
	e := decodeProblem(t, sendRequest(g, "POST", submitPath, body))
	if got := len(allMessages(e.Details)); got != 50 {
		t.Errorf("%d messages, want 50", got)
	}
	if got, want := e.Details.FormErrors, "There are 51 more problems."; len(got) != 1 || got[0] != want {
		t.Errorf("form errors %q, want %q", got, want)
	}
}

func TestGoodRequests(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	for name, m := range map[string]malformed{
		"as it is":              {},
		"without content type":  {headers: []string{"Content-Type", ""}},
		"with parameters":       {headers: []string{"Content-Type", "Application/JSON; charset=utf-8; x"}},
		"150000.0":              {old: `150000`, new: `150000.0`},
		"1.5e5":                 {old: `150000`, new: `1.5e5`},
		"1500000e-1":            {old: `150000`, new: `1500000E-1`},
		"largest integer":       {old: `150000`, new: `9007199254740991`},
		"byte order mark":       {old: `{`, new: "\ufeff{"},
		"unknown fields":        {old: `"name"`, new: `"x": [{"name": [1e999]}], "Name": null, "name"`},
		"nesting of 64":         {old: `"name"`, new: `"x": ` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `, "name"`},
		"many unknown fields":   {old: `"name"`, new: manyKeys(40) + `"name"`},
		"name of 300 letters":   {old: `Ada Example`, new: strings.Repeat("é", 300)},
		"escaped slash":         {old: `"JVBERi0="`, new: `"JVB\/ERi0\u003d"`},
		"surrogate pair":        {old: `Ada Example`, new: `Ada \ud83d\ude00`},
		"link in capitals":      {old: `https://calls.example.com/1`, new: `HTTPS://calls.example.com/1`},
		"empty optional list":   {old: `["backend_engineer"]`, new: `[]`},
		"100 entries":           {old: `["backend_engineer"]`, new: `[` + strings.Repeat(`"ai_engineer",`, 99) + `"ai_engineer"]`},
		"Idempotency-Key":       {headers: []string{"Idempotency-Key", strings.Repeat("~", 255)}},
		"salaries out of order": {old: `"salaryMax": null`, new: `"salaryMax": 1`},
	} {
		body := strings.Replace(good, m.old, m.new, 1)
		if w := sendRequest(g, "POST", submitPath, body, m.headers...); w.Code != 200 {
			t.Errorf("%s: status %d, body %s", name, w.Code, w.Body)
		} else if !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: body %s", name, w.Body)
		}
	}
}
