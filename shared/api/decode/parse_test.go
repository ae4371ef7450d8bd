package decode

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

var nothing = contract.SchemaOf(nil)

func TestParseTellsWhere(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"":                    "the body is empty; send a JSON object",
		"{\n \"a\": tru}":     "line 2, column 10 (byte 11): invalid character '}' in literal true (expecting 'e')",
		"{\"é\": 1 2}":        "line 1, column 9 (byte 9): invalid character '2' after object value (expecting ',' or '}')",
		"{\"a\":1,\n\"a\":2}": "line 2, column 1 (byte 8): duplicate key \"a\"",
		"{\"a\":\"\xff\"}":    "line 1, column 7 (byte 6): invalid UTF-8",
		"{\"a\":1}\n]":        "line 2, column 1 (byte 8): data after the end of the object",
		"\ufeff":              "the body is empty; send a JSON object",
		" \ufeff{}":           "line 1, column 2 (byte 1): invalid character '\\ufeff' at start of value",
		"\ufeff\ufeff{}":      "line 1, column 1 (byte 3): invalid character '\\ufeff' at start of value",
		"{\"a\":[":            "line 1, column 7 (byte 6): the body ends in the middle of a value",
		"{\"a\":\"\\":         "line 1, column 8 (byte 7): the body ends in the middle of a value",
		"{\"a\":\"\\u12":      "line 1, column 11 (byte 10): the body ends in the middle of a value",
		"{\"" + strings.Repeat("k", 99) + `":1,"` + strings.Repeat("k", 99) + `":1}`: `line 1, column 106 (byte 105): duplicate key "` + strings.Repeat("k", 40) + `…"`,
	} {
		_, err := parseBody(body, nothing)
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", body, err, want)
		}
	}
}

// Nesting has a bound that the contract states (contract, Limits).
func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	nested := func(depth int) string {
		return `{"a":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + "}"
	}
	if _, err := parseBody(nested(64), nothing); err != nil {
		t.Errorf("64 deep: %v", err)
	}
	if _, err := parseBody(nested(65), nothing); err == nil || !strings.Contains(err.Error(), "nesting is deeper than 64") {
		t.Errorf("65 deep: %v", err)
	}
}

var seeds = []string{
	`{}`, `{"a":1}`, `{"a":[1,2.5e-3,-0,"x\u00e9\ud83d\ude00",true,false,null,{"b":{}}]}`, ` { "a" : [ ] } `, `{"a":1,"a":2}`,
	`{"a":"\ud800"}`, `{"a":01}`, `{"a":1e}`, `{"a":"\x"}`, "{\"a\":\"\xff\"}", `{"a":tru}`, `[1]`, `{"a":1}x`, `{"\u0061":1,"a":2}`,
	`{"a":"\ufffd\uFFFD"}`, `{"a":"` + "\x7f\u2028" + `"}`, `{"a":-}`, `{"a":"` + "\t" + `"}`, "\ufeff{}", `{"":""}`, `{"a":,}`, `{,}`,
	strings.Repeat(`{"a":`, 64) + "1" + strings.Repeat("}", 64), strings.Repeat(`{"a":`, 63) + "[]" + strings.Repeat("}", 63),
}

// FuzzParse compares the parser with encoding/json, which accepts more: keys twice and text that is not UTF-8.
func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		n, err := parseBody(body, nothing)
		if err == nil && (n.kind != kindObject || !json.Valid([]byte(strings.TrimPrefix(body, "\ufeff")))) {
			t.Fatalf("%q is %s", body, n.kind)
		}
	})
}

// FuzzUnescape compares the text of strings with encoding/json.
func FuzzUnescape(f *testing.F) {
	type text struct {
		A string `json:"a"`
	}
	f.Add(`a\n\t\"\\\/\b\f\r`)
	f.Add(`\u00e9\ud83d\ude00é`)
	f.Fuzz(func(t *testing.T, inside string) {
		body := `{"a":"` + inside + `"}`
		n, err := parseBody(body, contract.SchemaOf(reflectOf[text]()))
		if err != nil {
			return
		}
		var want text
		if err := json.Unmarshal([]byte(body), &want); err != nil || n.children[0].stringValue() != want.A {
			t.Fatalf("%q: got %q, want %q, %v", body, n.children[0].stringValue(), want.A, err)
		}
	})
}

func TestIntegerIsExact(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]int64{
		"0": 0, "-0": 0, "0.000": 0, "0e999999999999999999999": 0, "150000.0": 150000, "1.5e5": 150000, "1.5E+5": 150000,
		"-1500000e-1": -150000, "9223372036854775807": 1<<63 - 1, "-9223372036854775808": -1 << 63, "922337203685477580.7e1": 1<<63 - 1,
		"9223372036854775808": 1<<63 - 1, "-9223372036854775809": -1 << 63, "1e19": 1<<63 - 1, "-1e99999999999999999999": -1 << 63,
		"1" + strings.Repeat("0", 1000) + "e-1000": 1, "0." + strings.Repeat("0", 1000) + "1e1001": 1,
	} {
		if got, err := parseInteger(raw); err != nil || got != want {
			t.Errorf("%.40s: got %d, %v; want %d", raw, got, err, want)
		}
	}
	for raw, want := range map[string]error{
		"0.5": errFraction, "1e-1": errFraction, "1e-99999999999999999999": errFraction, "1.5e0": errFraction,
	} {
		if got, err := parseInteger(raw); err != want {
			t.Errorf("%s: got %d, %v; want %v", raw, got, err, want)
		}
	}
}

// TestIntegerAgreesWithRationals compares with exact arithmetic.
func TestIntegerAgreesWithRationals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,6})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "raw")
		exact, ok := new(big.Rat).SetString(raw)
		if !ok {
			t.Fatalf("%q is no number", raw)
		}
		got, err := parseInteger(raw)
		switch {
		case !exact.IsInt():
			if err != errFraction {
				t.Fatalf("%s: %d, %v", raw, got, err)
			}
		case !exact.Num().IsInt64():
			if want := int64(math.MaxInt64); err != nil || got != want && exact.Sign() > 0 || got != -want-1 && exact.Sign() < 0 {
				t.Fatalf("%s: %d, %v", raw, got, err)
			}
		case err != nil || got != exact.Num().Int64():
			t.Fatalf("%s: %d, %v; want %v", raw, got, err, exact)
		}
	})
}

func TestTreeIsBoundedBySchema(t *testing.T) {
	t.Parallel()
	s := contract.SchemaOf(reflectOf[struct {
		Tags []string `json:"tags" check:"max=3"`
	}]())
	n, err := parseBody(`{"tags":["a"`+strings.Repeat(`,"b"`, 5000)+`],"other":[`+strings.Repeat("[],", 5000)+`1]}`, s)
	if err != nil || len(n.children) != 1 || len(n.children[0].children) != 3 || n.children[0].count != 5001 {
		t.Errorf("error %v, tree of %d fields, %d of %d entries", err, len(n.children), len(n.children[0].children), n.children[0].count)
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	want := map[string]string{
		"backend": "backend_engineer", "Backend Engineer": "backend_engineer", "bakend_engineer": "backend_engineer",
		"product-designer": "", "x": "", "": "", "zzzzzzzz": "", "QA Test Engineering": "qa_test_engineering", "legal": "legal_admin",
		strings.Repeat("backend", 20): "",
	}
	for sent := range want {
		got[sent] = suggestValue(sent, contract.RoleTypes.Values)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("suggestions (-want +got):\n%s", diff)
	}
}

func TestEcho(t *testing.T) {
	t.Parallel()
	for v, want := range map[string]string{
		"":                         `""`,
		"a\"b\n":                   `"a\"b\n"`,
		"O'Brien \\":               `"O'Brien \\"`,
		"\u202e\x00":               `"\u202e\x00"`,
		strings.Repeat("é", 40):    `"` + strings.Repeat("é", 20) + `…"`,
		strings.Repeat("a", 40):    `"` + strings.Repeat("a", 40) + `"`,
		strings.Repeat("a", 41):    `"` + strings.Repeat("a", 40) + `…"`,
		strings.Repeat("\x00", 41): `"` + strings.Repeat(`\x00`, 10) + `…"`,
	} {
		if got := quoteShort(v); got != want {
			t.Errorf("%q: got %s, want %s", v, got, want)
		}
	}
}

func TestCutTo(t *testing.T) {
	t.Parallel()
	for v, want := range map[string]string{"": "", "ééé": "ééé", "éééé": "éé…", "abcdefgh": "ab…"} {
		if got := truncateTo(v, 3); got != want {
			t.Errorf("%s: got %s, want %s", v, got, want)
		}
	}
}
