package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// publishedDocument is the document as a client reads it.
func publishedDocument(t *testing.T) object {
	t.Helper()
	raw, err := JSON()
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return v.(object)
}

func valueAt(t *testing.T, v any, path ...string) any {
	t.Helper()
	for _, name := range path {
		o, ok := v.(object)
		if !ok || o[name] == nil {
			t.Fatalf("the document has no %v", path)
		}
		v = o[name]
	}
	return v
}

// TestEveryRow holds that each row of the table is an operation with all that is
// true of it, and that there is no other.
func TestEveryRow(t *testing.T) {
	t.Parallel()
	document := publishedDocument(t)
	operations := 0
	for _, item := range valueAt(t, document, "paths").(object) {
		operations += len(item.(object))
	}
	if operations != len(contract.Routes) {
		t.Errorf("%d operations, %d rows", operations, len(contract.Routes))
	}
	for _, r := range contract.Routes {
		o := valueAt(t, document, "paths", r.Path, strings.ToLower(r.Method)).(object)
		var want []any
		for _, kind := range []contract.KeyType{contract.AgencyKey, contract.PersonalKey} {
			if !r.Public() && (r.KeyType == contract.AnyKey || r.KeyType == kind) {
				scopes := []any{}
				for _, s := range r.Scopes {
					scopes = append(scopes, string(s))
				}
				want = append(want, object{string(kind) + "Key": scopes})
			}
		}
		if got := o["security"].([]any); o["operationId"] != r.Operation || len(got) != len(want) || len(want) > 0 && cmp.Diff(want, got) != "" {
			t.Errorf("%s: got %v and security %v, want %v", r.Operation, o["operationId"], got, want)
		}
		if limit, _ := o["x-rate-limit"].(object); r.Tier.Limit > 0 && (limit["tier"] != r.Tier.Name || limit["requests"] != json.Number(itoa(r.Tier.Limit))) {
			t.Errorf("%s: got limit %v, want %v", r.Operation, limit, r.Tier)
		}
		checkInputs(t, r, o)
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

// checkInputs holds that every parameter and every field of the body is there.
func checkInputs(t *testing.T, r contract.Route, o object) {
	t.Helper()
	var got, want []string
	parameters, _ := o["parameters"].([]any)
	for _, p := range parameters {
		got = append(got, valueAt(t, p, "in").(string)+" "+valueAt(t, p, "name").(string))
	}
	for _, f := range contract.SchemaOf(r.Input).Fields {
		if f.In != contract.InBody && f.Name != "Accept" {
			want = append(want, string(f.In)+" "+f.Name)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: parameters (-want +got):\n%s", r.Operation, diff)
	}
	if _, has := o["requestBody"]; has != contract.SchemaOf(r.Input).HasBody() {
		t.Errorf("%s: body is described: %v", r.Operation, has)
	}
}

// TestStatuses shows which errors an operation can answer.
func TestStatuses(t *testing.T) {
	t.Parallel()
	document := publishedDocument(t)
	for _, tt := range []struct {
		path, method string
		want         []string
	}{
		{"/health", "get", []string{"200", "400", "429", "500", "default"}},
		{"/identity", "get", []string{"200", "400", "401", "403", "429", "500", "default"}},
		{"/talent-network/candidates/submit", "post", []string{"200", "400", "401", "403", "409", "429", "500", "default"}},
		{"/recruiter/roles/{roleId}", "get", []string{"200", "400", "401", "403", "404", "429", "500", "default"}},
	} {
		var got []string
		for status := range valueAt(t, document, "paths", tt.path, tt.method, "responses").(object) {
			got = append(got, status)
		}
		slices.Sort(got)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.path, diff)
		}
	}
}

// TestCodesArePublished holds the published error codes to the contract's. They may
// grow, and a client that was generated must live with it.
func TestCodesArePublished(t *testing.T) {
	t.Parallel()
	document := publishedDocument(t)
	all := map[contract.Code]bool{}
	for _, e := range Errors() {
		if failureNames[e.Status] == "" {
			continue
		}
		body := valueAt(t, document, "components", "schemas", failureNames[e.Status]+"ErrorBody", "properties").(object)
		if got := valueAt(t, body, "type", "const"); got != e.Type {
			t.Errorf("%d has the type %v, want %s", e.Status, got, e.Type)
		}
		var codes []any
		if code, ok := body["code"].(object); ok {
			codes = code["x-extensible-enum"].([]any)
			if code["enum"] != nil {
				t.Errorf("%d takes no other code than today's", e.Status)
			}
		}
		if len(codes) != len(e.Codes) {
			t.Errorf("%d lists %v", e.Status, codes)
		}
		for _, c := range e.Codes {
			if contract.Codes[c.Code] != e.Status || !slices.Contains(codes, any(string(c.Code))) || c.Advice == "" {
				t.Errorf("%d does not list and explain %s", e.Status, c.Code)
			}
			all[c.Code] = true
		}
	}
	if len(all) != len(contract.Codes) {
		t.Errorf("%d codes are published of %d", len(all), len(contract.Codes))
	}
}

// The matches' cursor has the bounds that the contract states for it.
func TestCursorOfMatches(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/recruiter/recommendations", "/recruiter/auto-recommendations"} {
		for _, p := range valueAt(t, publishedDocument(t), "paths", path, "get", "parameters").([]any) {
			if valueAt(t, p, "name") != "cursor" {
				continue
			}
			got := valueAt(t, p, "schema")
			want := object{"type": []any{"string", "null"}, "minLength": json.Number("1"), "maxLength": json.Number("2048")}
			if diff := cmp.Diff(any(want), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", path, diff)
			}
		}
	}
}

// TestExamplesFit holds every example to its own schema, formats included, and lets no
// text of one be empty.
func TestExamplesFit(t *testing.T) {
	t.Parallel()
	document := publishedDocument(t)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("openapi.json", document); err != nil {
		t.Fatal(err)
	}
	fitted := 0
	var walk func(v any, pointer string)
	walk = func(v any, pointer string) {
		switch v := v.(type) {
		case object:
			if example, ok := v["example"]; ok && v["schema"] != nil {
				fitted++
				s, err := c.Compile("openapi.json#" + pointer + "/schema")
				if err == nil {
					err = s.Validate(example)
				}
				if text, _ := json.Marshal(example); err != nil || strings.Contains(string(text), `:""`) {
					t.Errorf("%s: %v, or a text is empty in %s", pointer, err, text)
				}
			}
			for name, inner := range v {
				if name != "properties" && name != "example" {
					walk(inner, pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name))
				}
			}
		case []any:
			for i, inner := range v {
				walk(inner, pointer+"/"+itoa(i))
			}
		}
	}
	walk(document, "")
	want := len(failureNames) + 1 // the other errors are one
	for _, r := range contract.Routes {
		if r.Output != nil {
			want++
		}
		if contract.SchemaOf(r.Input).HasBody() {
			want++
		}
	}
	if fitted != want {
		t.Errorf("%d examples, want %d", fitted, want)
	}
}

// TestReferences holds that every reference leads somewhere.
func TestReferences(t *testing.T) {
	t.Parallel()
	document := publishedDocument(t)
	raw, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	for _, after := range strings.Split(string(raw), `"$ref":"#/`)[1:] {
		target, _, _ := strings.Cut(after, `"`)
		valueAt(t, document, strings.Split(target, "/")...)
	}
}

// No two types of a generated client have the same name: generators derive names from
// operations as well, and some compare them without case.
func TestNamesOfGeneratedTypesDiffer(t *testing.T) {
	t.Parallel()
	document := publishedDocument(t)
	seen := map[string]string{}
	claim := func(name, by string) {
		if other, taken := seen[strings.ToLower(name)]; taken {
			t.Errorf("%s and %s are both %s", other, by, name)
		}
		seen[strings.ToLower(name)] = by
	}
	for _, kind := range []string{"schemas", "responses"} {
		for name := range valueAt(t, document, "components", kind).(object) {
			claim(name, kind+"/"+name)
		}
	}
	for _, r := range contract.Routes {
		for _, suffix := range []string{"Response", "Params", "JSONRequestBody", "Operation"} {
			claim(r.Operation+suffix, r.Operation)
		}
	}
}

// TestBothDirections holds that a type which is sent and taken in is refused.
func TestBothDirections(t *testing.T) {
	t.Parallel()
	b := &builder{schemas: object{}, sentTypes: map[string]bool{}}
	s := &contract.Schema{Kind: contract.KindObject, Name: "Twice"}
	b.schemaWriter(true).Of(s)
	b.schemaWriter(true).Of(s)
	defer func() {
		if recover() == nil {
			t.Error("accepted")
		}
	}()
	b.schemaWriter(false).Of(s)
}

// TestYAML holds that both forms have the same data, and that the YAML one begins
// with what a reader looks for.
func TestYAML(t *testing.T) {
	t.Parallel()
	written, err := YAML()
	if err != nil {
		t.Fatal(err)
	}
	converted, err := yaml.YAMLToJSON(written)
	if err != nil {
		t.Fatal(err)
	}
	got, err := jsonschema.UnmarshalJSON(bytes.NewReader(converted))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(any(publishedDocument(t)), got); diff != "" {
		t.Errorf("YAML differs from JSON (-want +got):\n%s", diff)
	}
	if !bytes.HasPrefix(written, []byte("openapi: 3.1.0\ninfo:\n  title: ")) {
		t.Errorf("it begins with %.80s", written)
	}
}

func TestChangesAreDated(t *testing.T) {
	t.Parallel()
	all := Texts.Changes
	var dates []string
	for _, c := range all {
		dates = append(dates, c.Date)
	}
	isSorted := slices.IsSortedFunc(dates, func(a, b string) int { return strings.Compare(b, a) })
	if !isSorted || len(dates[0]) != len("2006-01-02") {
		t.Errorf("got %v, want newest first", dates)
	}
	var later [3]int
	for i, c := range all {
		var v [3]int
		if n, err := fmt.Sscanf(c.Version, "%d.%d.%d", &v[0], &v[1], &v[2]); n != 3 || err != nil {
			t.Errorf("%q is no semantic version: %v", c.Version, err)
		}
		if i > 0 && slices.Compare(v[:], later[:]) >= 0 {
			t.Errorf("the version %s is listed after %v", c.Version, later)
		}
		later = v
	}
}
