package gateway

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// concretePath fills a row's path with values.
func concretePath(r contract.Route) string {
	return strings.NewReplacer("{batchId}", testID, "{candidateUserId}", "cu_1", "{roleId}", "r1", "{candidateId}", "c1", "{callId}", "x1").Replace(r.Path)
}

// bodyOf is the least body that a row accepts, made from its schema.
func bodyOf(t *testing.T, r contract.Route) string {
	t.Helper()
	schema := contract.SchemaOf(r.Input)
	if !schema.HasBody() {
		return ""
	}
	body, err := Encode(leastValue(schema))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// queryOf is the least query that a row accepts, made from its schema.
func queryOf(r contract.Route) string {
	query := url.Values{}
	for _, f := range contract.SchemaOf(r.Input).Fields {
		if f.In == contract.InQuery && f.Required {
			query.Set(f.Name, fmt.Sprint(leastValue(f.Schema)))
		}
	}
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}

// wellFormed is a string of each format.
var wellFormed = map[string]string{
	"": "x", "printable": "x", "line": "x", "text": "x", "uuid": testID, "uri": "https://example.com", "email": "a@example.com", "linkedin": "https://www.linkedin.com/in/a",
}

// leastValue is the least value that a schema accepts.
func leastValue(s *contract.Schema) any {
	switch {
	case s.Kind == contract.KindObject:
		fields := map[string]any{}
		for _, f := range s.Fields {
			if f.In == contract.InBody && f.Required {
				fields[f.Name] = leastValue(f.Schema)
			}
		}
		return fields
	case s.Kind == contract.KindArray:
		return []any{leastValue(s.Items)}
	case s.Kind == contract.KindBoolean:
		return s.Const == "true"
	case s.Kind != contract.KindString:
		return 1
	case s.Enum != nil:
		return s.Enum.Values[0]
	case s.Const != "":
		return s.Const
	}
	return wellFormed[s.Format]
}

// surfaceOf is a word of the key type that a row serves.
func surfaceOf(r contract.Route) string {
	if r.KeyType == contract.AnyKey {
		return "agency"
	}
	return string(r.KeyType)
}

// otherSurface is a key type that a row does not serve.
func otherSurface(r contract.Route) string {
	if r.KeyType == contract.PersonalKey {
		return "agency"
	}
	return "personal"
}

// TestSweep sends every row of the table the same questions.
func TestSweep(t *testing.T) {
	t.Parallel()
	for _, r := range contract.Routes {
		t.Run(r.Operation, func(t *testing.T) {
			t.Parallel()
			g, _ := testGateway(t, r.Function, nil)
			ask := func(authorization string) *httptest.ResponseRecorder {
				return sendRequest(g, r.Method, concretePath(r)+queryOf(r), bodyOf(t, r), "Authorization", "", "Authorization", authorization)
			}
			switch {
			case r.Public():
				sweepPublic(t, ask)
			default:
				sweepKeyed(t, r, ask)
			}
			sweepMethods(t, g, r)
		})
	}
}

func sweepPublic(t *testing.T, ask func(string) *httptest.ResponseRecorder) {
	for _, authorization := range []string{"", "Bearer nobody", "Bearer full", "Basic x"} {
		w := ask(authorization)
		if w.Code != 200 || w.Header().Get("X-RateLimit-Limit") != "" {
			t.Errorf("%q: status %d, headers %v", authorization, w.Code, w.Header())
		}
	}
}

func sweepKeyed(t *testing.T, r contract.Route, ask func(string) *httptest.ResponseRecorder) {
	cases := []struct {
		authorization string
		status        int
		code          contract.Code
	}{
		{"", 401, contract.MissingAPIKey},
		{"Basic x", 401, contract.MissingAPIKey},
		{"Bearer nobody", 401, contract.InvalidAPIKey},
		{"Bearer full", 429, contract.RateLimited},
		{"Bearer broken", 500, ""},
		{"Bearer " + surfaceOf(r) + "-noscope", 403, contract.MissingScope},
		{"Bearer " + surfaceOf(r), 200, ""},
	}
	if r.KeyType != contract.AnyKey {
		cases = append(cases, struct {
			authorization string
			status        int
			code          contract.Code
		}{"Bearer " + otherSurface(r), 403, contract.WrongKeyType})
	}
	for _, c := range cases {
		w := ask(c.authorization)
		if w.Code != c.status {
			t.Errorf("%q: status %d, want %d; body %s", c.authorization, w.Code, c.status, w.Body)
			continue
		}
		if got := w.Header().Get("WWW-Authenticate"); got != map[bool]string{true: "Bearer"}[c.status == 401] {
			t.Errorf("%q: WWW-Authenticate is %q", c.authorization, got)
		}
		counted := c.status != 401 && c.status != 500
		if got := w.Header().Get("X-RateLimit-Limit") != ""; got != counted {
			t.Errorf("%q: rate headers %v, want %v", c.authorization, got, counted)
		}
		if c.status == 200 {
			continue
		}
		e := decodeProblem(t, w)
		if e.Code != c.code {
			t.Errorf("%q: code %q, want %q", c.authorization, e.Code, c.code)
		}
		if c.code == contract.MissingScope && !strings.Contains(e.Message, string(r.Scopes[0])) {
			t.Errorf("message %q does not name the scope", e.Message)
		}
	}
}

// sweepMethods asks with every method that the path does not have.
func sweepMethods(t *testing.T, g *Gateway, r contract.Route) {
	var has []string
	for _, other := range contract.Routes {
		if _, ok := matchPath(strings.Split(other.Path, "/"), strings.Split(r.Path, "/")); ok {
			has = append(has, other.Method)
		}
	}
	for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get"} {
		if slices.Contains(has, method) {
			continue
		}
		if method == "HEAD" && r.Public() {
			get := sendRequest(g, "GET", concretePath(r), "")
			head := sendRequest(g, method, concretePath(r), "")
			if diff := cmp.Diff(get.Header(), head.Header()); head.Code != get.Code || diff != "" || head.Body.Len() > 0 {
				t.Errorf("HEAD: status %d with %d bytes, want %d with none; headers (-GET +HEAD):\n%s", head.Code, head.Body.Len(), get.Code, diff)
			}
			continue
		}
		if w := sendRequest(g, method, concretePath(r), ""); w.Code != 404 {
			t.Errorf("%s: status %d, want 404", method, w.Code)
		}
	}
	if w := sendRequest(g, r.Method, concretePath(r)+"/", good); w.Code != 404 {
		t.Errorf("trailing slash: status %d, want 404", w.Code)
	}
}

func TestRateHeaders(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	cases := []struct {
		key  string
		want map[string]string
	}{
		{"agency", map[string]string{
			"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "53",
			"RateLimit-Policy": `"write";q=60;w=60`, "RateLimit": `"write";r=59;t=53`, "Retry-After": "",
		}},
		{"full", map[string]string{
			"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "53",
			"RateLimit-Policy": `"write";q=60;w=60`, "RateLimit": `"write";r=0;t=53`, "Retry-After": "53",
		}},
	}
	for _, c := range cases {
		w := sendRequest(g, "POST", submitPath, good, "Authorization", "", "Authorization", "Bearer "+c.key)
		for name, want := range c.want {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", c.key, name, got, want)
			}
		}
	}
}
