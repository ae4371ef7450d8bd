package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

// TestCurrent fails while what is served differs from the contract.
func TestCurrent(t *testing.T) {
	t.Parallel()
	for name, write := range files {
		got, err := os.ReadFile("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		want, err := write()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, got) {
			t.Errorf("%s is not what the contract says; run make generate", name)
		}
	}
}

// TestEveryRow holds that each row of the table stands in the page with all
// that is true of it.
func TestEveryRow(t *testing.T) {
	t.Parallel()
	rows := pageRows(t)
	for _, r := range contract.Routes {
		row, ok := rows[r.Method+" "+r.Path]
		if !ok {
			t.Errorf("%s %s is missing", r.Method, r.Path)
			continue
		}
		want := []string{r.Summary}
		for _, s := range r.Scopes {
			want = append(want, "<code>"+string(s)+"</code>")
		}
		switch {
		case r.Public():
			want = append(want, ">none<", "no per-key limit")
		case r.KeyType == contract.AnyKey:
			want = append(want, ">any<")
		default:
			want = append(want, ">"+string(r.KeyType)+"<")
		}
		if r.Tier.Limit > 0 {
			want = append(want, fmt.Sprintf(">%s, %d a minute<", r.Tier.Name, r.Tier.Limit))
		}
		for _, text := range want {
			if !strings.Contains(row, text) {
				t.Errorf("%s %s lacks %q:\n%s", r.Method, r.Path, text, row)
			}
		}
	}
	if len(rows) != len(contract.Routes) {
		t.Errorf("got %d rows, want %d", len(rows), len(contract.Routes))
	}
}

// pageRows finds the rows of the route tables by method and path.
func pageRows(t *testing.T) map[string]string {
	t.Helper()
	text := renderedPage(t)
	rows := map[string]string{}
	for _, table := range strings.Split(text, `<table class="routes">`)[1:] {
		table, _, _ = strings.Cut(table, "</table>")
		for _, row := range strings.Split(table, "<tr>")[2:] {
			_, method, _ := strings.Cut(row, `<span class="method `)
			_, path, _ := strings.Cut(row, "<code>")
			path, _, _ = strings.Cut(path, "</code>")
			method, _, _ = strings.Cut(method, `"`)
			rows[method+" "+path] = html.UnescapeString(row)
		}
	}
	return rows
}

func renderedPage(t *testing.T) string {
	t.Helper()
	page, err := renderPage()
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// TestComplete holds that every code, enumerated value and built route's field is shown.
func TestComplete(t *testing.T) {
	t.Parallel()
	text := html.UnescapeString(renderedPage(t))
	shown := 0
	for _, e := range openapi.Errors() {
		for _, c := range e.Codes {
			shown++
			if !strings.Contains(text, "<dt><code>"+string(c.Code)+"</code></dt><dd>"+c.Advice+"</dd>") {
				t.Errorf("the code %s is not explained", c.Code)
			}
		}
	}
	if shown != len(contract.Codes) {
		t.Errorf("%d codes are shown of %d", shown, len(contract.Codes))
	}
	for _, c := range openapi.Changes {
		if !strings.Contains(text, ">"+c.Date+"</time> "+c.Version+"</dt><dd>"+c.What+"</dd>") {
			t.Errorf("the change %q is missing", c.What)
		}
	}
	for _, e := range []*contract.Enum{contract.Locations, contract.RoleTypes, contract.CompanySizes} {
		for _, v := range e.Values {
			if !strings.Contains(text, "<code>"+v+"</code>") {
				t.Errorf("the value %s of %s is missing", v, e.Name)
			}
		}
	}
	for _, name := range []string{"preferences.salaryMin", "Idempotency-Key", "items[].errorCode", "agency.talentNetworkAccess"} {
		if !strings.Contains(text, "<code>"+name+"</code>") {
			t.Errorf("the field %s is missing", name)
		}
	}
}

// TestSelfContained holds that the page asks for nothing and runs nothing, as
// its content security policy demands.
func TestSelfContained(t *testing.T) {
	t.Parallel()
	text := renderedPage(t)
	for _, outside := range []string{"<script", "<link", "<img", "src=", "@import", "url(", " style=", " onclick", "ZgotmplZ"} {
		if strings.Contains(text, outside) {
			t.Errorf("the page holds %q", outside)
		}
	}
}

// TestLinks holds that every link of the page leads to something on it, or to
// another public route.
func TestLinks(t *testing.T) {
	t.Parallel()
	text := renderedPage(t)
	for _, link := range strings.Split(text, `href="`)[1:] {
		target, _, _ := strings.Cut(link, `"`)
		if slices.ContainsFunc(contract.Routes, func(r contract.Route) bool { return r.Public() && contract.BasePath+r.Path == target }) {
			continue
		}
		name, inside := strings.CutPrefix(target, "#")
		if !inside || strings.Count(text, ` id="`+name+`"`) != 1 {
			t.Errorf("the link %q leads nowhere, or to two places", target)
		}
	}
}

func TestFields(t *testing.T) {
	t.Parallel()
	route := func(operation string) contract.Route {
		for _, r := range contract.Routes {
			if r.Operation == operation {
				return r
			}
		}
		t.Fatalf("no operation %s", operation)
		return contract.Route{}
	}
	find := func(all []field, path string) field {
		for _, f := range all {
			if f.Path == path {
				return f
			}
		}
		t.Errorf("no field %s", path)
		return field{}
	}
	submit := requestFields(route("submitCandidate"))
	batch := responseFields(route("getBatch"))
	identity := responseFields(route("identity"))
	cases := []struct{ got, want field }{
		{find(submit, "name"), field{In: "body", Type: "string", Required: true, Rules: []string{"1 to 300 characters"}, Doc: "The candidate's full name."}},
		{find(submit, "preferences.ote"), field{In: "body", Type: "integer or null", Rules: []string{"1 to 9007199254740991"}, Doc: "On-target earnings, whole units."}},
		{find(submit, "preferences.locations"), field{In: "body", Type: "string[]", Required: true, Rules: []string{"1 to 100 entries"}, Enum: "location", Doc: "Where the candidate wants to work."}},
		{find(submit, "resume.contentBase64"), field{In: "body", Type: "string", Required: true, Rules: []string{"not empty"}, Doc: "The file's bytes in base64."}},
		{find(batch, "items"), field{In: "body", Type: "object[]", Doc: "Ordered by index; items rejected at submit time are missing."}},
		{find(batch, "items[].updatedAt"), field{In: "body", Type: "string", Rules: []string{"RFC 3339, UTC"}, Doc: "The last transition."}},
		{find(batch, "items[].errorCode"), field{In: "body", Type: "string", Optional: true, Enum: "submissionError", Doc: "Set when failed; take an unknown one as final."}},
		{find(identity, "agency"), field{In: "body", Type: "object or null", Doc: "Set for agency keys."}},
		{find(identity, "key.expiresAt"), field{In: "body", Type: "string or null", Rules: []string{"RFC 3339, UTC"}, Doc: "Null: the key does not expire."}},
	}
	for _, tc := range cases {
		tc.got.Path = ""
		if len(tc.got.Rules) == 0 {
			tc.got.Rules = nil
		}
		if diff := cmp.Diff(tc.want, tc.got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	cases := []struct {
		schema contract.Schema
		want   []string
	}{
		{contract.Schema{Kind: contract.KindBoolean, Const: "true"}, []string{"always true"}},
		{contract.Schema{Kind: contract.KindInteger, Page: &contract.PageLimit{Default: 20, Max: 50}}, []string{"20 when not given, at most 50"}},
		{contract.Schema{Kind: contract.KindString, Max: new(int64(9))}, []string{"at most 9 characters"}},
		{contract.Schema{Kind: contract.KindArray, Min: new(int64(2)), Items: &contract.Schema{Kind: contract.KindString, Format: "email"}}, []string{"an e-mail address", "at least 2 entries"}},
		{contract.Schema{Kind: contract.KindObject}, nil},
	}
	for _, tc := range cases {
		if diff := cmp.Diff(tc.want, rulesOf(&tc.schema)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"health": "Health", "getBatch": "Get batch", "listCRMCandidates": "List CRM candidates", "getCRM": "Get CRM", "openapiJSON": "OpenAPI JSON",
	} {
		if got := operationTitle(in); got != want {
			t.Errorf("words(%q) = %q, want %q", in, got, want)
		}
	}
}
