package gateway

import (
	"net/url"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// everyRoute is a gateway that serves the whole table, for matching only.
func everyRoute() *Gateway {
	g := &Gateway{}
	for _, r := range contract.Routes {
		g.routes = append(g.routes, mounted{Route: r, segments: strings.Split(contract.BasePath+r.Path, "/"), handler: HandleNoInput(noInput[Page])})
	}
	return g
}

func TestMatch(t *testing.T) {
	t.Parallel()
	g := everyRoute()
	for _, c := range []struct{ method, path, operation, value string }{
		{"GET", "/health", "health", ""},
		{"GET", "/agency/roles/search", "searchAgencyRoles", ""},
		{"GET", "/agency/roles/searches", "getAgencyRole", "searches"},
		{"GET", "/agency/roles/%73earch", "getAgencyRole", "search"},
		{"POST", "/talent-network/candidates/submit", "submitCandidate", ""},
		{"POST", "/talent-network/candidates/preferences/lookup", "lookupPreferences", ""},
		{"GET", "/talent-network/candidates/preferences/preferences", "getPreferences", "preferences"},
		{"GET", "/talent-network/candidates/a%2Fb/preferences", "getPreferences", "a/b"},
		{"GET", "/talent-network/candidates/%C3%A9%20%25/preferences", "getPreferences", "é %"},
		{"GET", "/talent-network/candidates/a+b/preferences", "getPreferences", "a+b"},
		{"GET", "/talent-network/candidates/../preferences", "getPreferences", ".."},
		{"PUT", "/talent-network/candidates/cu_1/preferences", "putPreferences", "cu_1"},
		{"GET", "/talent-network/candidates//preferences", "", ""},
		{"GET", "/talent-network/candidates/%ff/preferences", "", ""},
		{"GET", "/talent-network/candidates/%zz/preferences", "", ""},
		{"GET", "/talent-network/candidates/%2/preferences", "", ""},
		{"GET", "/Health", "", ""},
		{"GET", "/health/", "", ""},
		{"GET", "//health", "", ""},
		{"GET", "/./health", "", ""},
		{"GET", "/health%20", "", ""},
		{"GET", "", "", ""},
		{"GET", "/", "", ""},
		{"HEAD", "/health", "health", ""},
		{"HEAD", "/docs/openapi.yaml", "openapiYAML", ""},
		{"HEAD", "/llms.txt", "llms", ""},
		{"GET", "/docs.md", "docsMarkdown", ""},
		{"GET", "/docs/changes.atom", "changeFeed", ""},
		{"GET", "/docs/changes", "docsPage", "changes"},
		{"HEAD", "/docs/network", "docsPage", "network"},
		{"GET", "/docs/network/roles", "", ""},
		{"HEAD", "/agency/roles", "", ""},
		{"OPTIONS", "/health", "", ""},
		{"get", "/health", "", ""},
		{"POST", "/talent-network/candidates/{candidateUserId}/preferences", "", ""},
		{"GET", "/agency/roles/{roleId}", "getAgencyRole", "{roleId}"},
	} {
		r, values := g.matchRoute(c.method, contract.BasePath+c.path)
		operation := ""
		value := ""
		if r != nil {
			operation = r.Operation
		}
		for _, v := range values {
			value = v
		}
		if operation != c.operation || value != c.value {
			t.Errorf("%s %s: %q with %q, want %q with %q", c.method, c.path, operation, value, c.operation, c.value)
		}
	}
	for _, path := range []string{"", "/", "/health", "/api/external/v2/health", "/API/external/v1/health"} {
		if r, _ := g.matchRoute("GET", path); r != nil {
			t.Errorf("%q is %s", path, r.Operation)
		}
	}
}

// TestPendingLiteralIsNotAParameter keeps a row that is still to be built from
// being served by the row beside it.
func TestPendingLiteralIsNotAParameter(t *testing.T) {
	t.Parallel()
	g := everyRoute()
	for i := range g.routes {
		if g.routes[i].Operation == "searchAgencyRoles" {
			g.routes[i].handler = Handler{}
		}
	}
	if r, _ := g.matchRoute("GET", contract.BasePath+"/agency/roles/search"); r != nil {
		t.Errorf("search is served by %s", r.Operation)
	}
}

// FuzzMatch checks that a path that matches is that route's own: filling its
// pattern with the values yields a path that matches the same.
func FuzzMatch(f *testing.F) {
	g := everyRoute()
	for _, r := range contract.Routes {
		f.Add(r.Method, contract.BasePath+r.Path)
	}
	f.Add("GET", contract.BasePath+"/agency/roles/a%2Fb%ff")
	f.Fuzz(func(t *testing.T, method, escaped string) {
		r, values := g.matchRoute(method, escaped)
		if r == nil {
			return
		}
		if r.Method != method || strings.Count(r.Path, "{") != len(values) {
			t.Fatalf("%s %s is %s with %v", method, escaped, r.Operation, values)
		}
		path := contract.BasePath + r.Path
		for name, value := range values {
			if value == "" {
				t.Fatalf("%s: %s is empty", escaped, name)
			}
			path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
		}
		again, other := g.matchRoute(method, path)
		if again == nil || len(other) != len(values) {
			t.Fatalf("%s became %s, which is unknown", escaped, path)
		}
		for name, value := range values {
			if other[name] != value && again.Operation == r.Operation {
				t.Fatalf("%s: %q became %q", escaped, value, other[name])
			}
		}
	})
}
