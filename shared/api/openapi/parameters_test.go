package openapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A parameter is published with the default and the null that the contract gives it.
func TestParametersHaveDefaultsAndNull(t *testing.T) {
	t.Parallel()
	document := publishedDocument(t)
	for _, tt := range []struct {
		path, name string
		kind       any
		byDefault  any
	}{
		{"/recruiter/roles", "cursor", []any{"integer", "null"}, json.Number("0")},
		{"/recruiter/roles", "minSalary", []any{"integer", "null"}, nil},
		{"/recruiter/roles", "minFeePercent", []any{"number", "null"}, nil},
		{"/recruiter/roles", "visaSponsorship", "boolean", nil},
		{"/recruiter/roles", "trialOnly", "boolean", false},
		{"/recruiter/candidates", "cursor", []any{"integer", "null"}, json.Number("0")},
		{"/recruiter/notetaker-calls", "cursor", []any{"integer", "null"}, json.Number("0")},
		{"/recruiter/active-roles", "autoMatchOnly", "boolean", false},
		{"/recruiter/active-roles", "limit", "integer", json.Number("50")},
		{"/agency/roles/{roleId}", "includeIntakeTranscripts", "boolean", false},
	} {
		p := parameterOf(t, document, tt.path, tt.name)
		schema := valueAt(t, p, "schema").(object)
		if diff := cmp.Diff([]any{tt.kind, tt.byDefault}, []any{schema["type"], schema["default"]}); diff != "" {
			t.Errorf("%s %s: type and default (-want +got):\n%s", tt.path, tt.name, diff)
		}
	}
	status := valueAt(t, parameterOf(t, document, "/recruiter/recommendations", "status"), "schema").(object)
	if status["default"] != "pending" {
		t.Errorf("the status of matches is %v", status)
	}
}

func parameterOf(t *testing.T, document object, path, name string) object {
	t.Helper()
	for _, p := range valueAt(t, document, "paths", path, "get", "parameters").([]any) {
		if valueAt(t, p, "name") == name {
			return p.(object)
		}
	}
	t.Fatalf("%s has no %s", path, name)
	return nil
}

// The warning of a cursor is published where a cursor knows its filters, and sent nowhere else.
func TestCursorWarningIsThatOfTextCursors(t *testing.T) {
	t.Parallel()
	document := publishedDocument(t)
	texts := 0
	for _, r := range contract.Routes {
		headers, _ := valueAt(t, document, "paths", r.Path, strings.ToLower(r.Method), "responses", "200", "headers").(object)
		isText := false
		for _, f := range contract.SchemaOf(r.Input).Fields {
			isText = isText || f.Name == "cursor" && f.Schema.Kind == contract.KindString
		}
		if _, published := headers["X-Cursor-Warning"]; published != isText {
			t.Errorf("%s: the warning is published: %v", r.Operation, published)
		}
		if isText {
			texts++
		}
	}
	if texts < 5 {
		t.Errorf("%d operations have text cursors", texts)
	}
}

// Every operation has one more error, with the envelope, for what the edge refuses.
func TestOtherErrorsHaveTheEnvelope(t *testing.T) {
	t.Parallel()
	document := publishedDocument(t)
	want := any(object{"$ref": "#/components/responses/Other"})
	for _, r := range contract.Routes {
		responses := valueAt(t, document, "paths", r.Path, strings.ToLower(r.Method), "responses").(object)
		if diff := cmp.Diff(want, responses["default"]); diff != "" || responses["413"] != nil || responses["431"] != nil {
			t.Errorf("%s: 413 %v, 431 %v, default (-want +got):\n%s", r.Operation, responses["413"], responses["431"], diff)
		}
	}
	text := valueAt(t, document, "components", "responses", "Other", "description").(string)
	if !strings.Contains(text, "413: ") || !strings.Contains(text, "431: ") {
		t.Errorf("the other errors are described as %q", text)
	}
}

// TestPutHasTheTypeThatGetReturns holds that the body of PUT preferences names the type of the preferences that GET
// returns, as one that no value fits: types of clients have it, and what is valid stays what the request forms say.
func TestPutHasTheTypeThatGetReturns(t *testing.T) {
	t.Parallel()
	schemas := valueAt(t, publishedDocument(t), "components", "schemas").(object)
	returned := valueAt(t, schemas, "CandidatePreferences", "properties", "preferences", "anyOf").([]any)[0]
	forms := valueAt(t, schemas, "PutPreferencesRequest", "oneOf").([]any)
	if len(forms) != 3 {
		t.Fatalf("PUT preferences has the forms %v; want two of the request and the type of the response", forms)
	}
	last := forms[2].(object)
	want := object{"allOf": []any{returned}, "not": object{}, "description": last["description"]}
	if diff := cmp.Diff(want, last); diff != "" {
		t.Errorf("the type of the response (-want +got):\n%s", diff)
	}
}

// No example of a role has a name for candidates without being confidential.
func TestExamplesArePossible(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(publishedDocument(t))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), `"anonymizedName":"`) {
		t.Error("a company that is not confidential has a name for candidates")
	}
}
