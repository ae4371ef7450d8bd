package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/openapi"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestEnvelope holds the exact bytes of every kind of error in one file.
func TestEnvelope(t *testing.T) {
	t.Parallel()
	failures := []error{
		fault.Field(contract.ValidationFailed, "recruiterEmail", "recruiterEmail: is not an approved member of the agency."),
		fault.New(fault.Unauthenticated, contract.InvalidAPIKey, "The API key is invalid."),
		fault.New(fault.Forbidden, contract.TalentNetworkDisabled, "Talent Network management is off <& not \"on\">."),
		fault.Missing(),
		fault.New(fault.Conflict, contract.IdempotencyInProgress, "The first attempt is still running."),
		fault.New(fault.TooMany, contract.RateLimited, "Wait."),
		fault.New(fault.Internal, contract.NoCode, "secret").Because(errors.New("secret")),
		errors.New("secret"),
		fault.New(fault.NotFound, contract.InvalidAPIKey, "A code of another status."),
		fault.New(fault.Invalid, "made_up", "A code that is not published."),
		fault.New(nil, contract.NoCode, "secret"), // of no kind, which is a mistake of the service
	}
	var out bytes.Buffer
	for _, failure := range failures {
		g, _ := testGateway(t, contract.Submissions, failingHandlers(failure))
		w := sendRequest(g, "GET", "/talent-network/batches/"+testID, "")
		out.WriteString(http.StatusText(w.Code) + " " + w.Body.String() + "\n")
	}
	const file = "testdata/envelope.golden"
	if *update {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("envelopes (-want +got):\n%s", diff)
	}
	if strings.Contains(out.String(), "secret") || strings.Contains(out.String(), "made_up") {
		t.Error("something inner or unpublished was sent")
	}
}

// TestErrorsAreThoseOfTheDocument holds that the gateway answers every kind of error
// as the published document says.
func TestErrorsAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	for _, e := range openapi.Errors() {
		if e.Type == "" {
			continue // the answer of TestBodyLimit
		}
		g, _ := testGateway(t, contract.Submissions, failingHandlers(fault.New(e.Kind, contract.NoCode, "m")))
		w := sendRequest(g, "GET", "/talent-network/batches/"+testID, "")
		if got := decodeProblem(t, w).Type; w.Code != e.Status || got != e.Type {
			t.Errorf("got %d %s, want %d %s", w.Code, got, e.Status, e.Type)
		}
	}
}

func failingHandlers(err error) map[string]Handler {
	return map[string]Handler{"getBatch": Handle(func(context.Context, *Call, contract.BatchRequest) (contract.Batch, error) {
		return contract.Batch{}, err
	})}
}

func TestHeadersOfAnswers(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	for _, c := range []struct{ method, path, body string }{
		{"GET", "/talent-network/batches/" + testID, ""}, {"GET", "/nothing", ""}, {"POST", submitPath, "{"},
	} {
		w := sendRequest(g, c.method, c.path, c.body, "X-Request-Id", "mine")
		for name, want := range map[string]string{
			"X-Request-Id": testID, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Content-Type": "application/json",
		} {
			if got := w.Header().Values(name); len(got) != 1 || got[0] != want {
				t.Errorf("%s %s: %s is %q, want %q", c.method, c.path, name, got, want)
			}
		}
	}
}

// TestOutputsHaveNoNullArrays encodes the zero value of every output.
func TestOutputsHaveNoNullArrays(t *testing.T) {
	t.Parallel()
	for _, r := range contract.Routes {
		if r.Output == nil {
			continue
		}
		b, err := Encode(reflect.New(r.Output).Interface())
		if err != nil {
			t.Errorf("%s: %v", r.Operation, err)
			continue
		}
		var tree map[string]any
		if err := json.Unmarshal(b, &tree); err != nil {
			t.Errorf("%s: %v", r.Operation, err)
		}
		checkArrays(t, r.Operation, contract.SchemaOf(r.Output), tree)
	}
}

// checkArrays compares the arrays of a schema with what was encoded.
func checkArrays(t *testing.T, path string, s *contract.Schema, tree map[string]any) {
	for _, f := range s.Fields {
		v, present := tree[f.Name]
		if _, ok := v.([]any); f.Schema.Kind == contract.KindArray && present && !ok {
			t.Errorf("%s.%s is %v, want an array", path, f.Name, v)
		}
		if child, ok := v.(map[string]any); ok && f.Schema.Kind == contract.KindObject {
			checkArrays(t, path+"."+f.Name, f.Schema, child)
		}
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	type list struct {
		Items []string       `json:"items"`
		Map   map[string]int `json:"map"`
		None  string         `json:"none,omitempty"`
	}
	for want, v := range map[string]any{
		`{"items":[],"map":{}}`:                                                  list{},
		`{"items":["<&>"],"map":{"a":1,"b":2}}`:                                  list{Items: []string{"<&>"}, Map: map[string]int{"b": 2, "a": 1}},
		`{"items":["` + "\ufffd" + `"],"map":{}}`:                                list{Items: []string{"\xff"}},
		`{"accepted":false,"deduplicated":false,"batchId":"","submissionId":""}`: contract.SubmitResponse{},
		`"2026-03-04T05:06:07.000Z"`:                                             contract.At(testNow),
	} {
		if got, err := Encode(v); err != nil || string(got) != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
	}
}
