package platform_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/functions/platform"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
)

var now = time.Date(2026, 5, 6, 7, 8, 9, 123e6, time.UTC)

// testFunction is the function on a database of its own, with a count of its calls.
type testFunction struct {
	http.Handler
	host     cloud.Host
	accounts *account.Store
	calls    cloudtest.Calls
}

func openFunction(t *testing.T, env map[string]string) *testFunction {
	t.Helper()
	settings := map[string]string{"KEY_ENVIRONMENTS": "test"}
	for name, value := range env {
		settings[name] = value
	}
	h := &testFunction{host: cloudtest.Host(t, settings, func() time.Time { return now })}
	table := h.host.Opener().Table(topology.Accounts)
	h.accounts = account.NewStore(table, dynamo.New(h.host.AWS).WriteTx)
	counted := h.host
	counted.AWS = cloud.WithHook(counted.AWS, h.calls.Hook)
	var err error
	h.Handler, err = platform.New(t.Context(), counted)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// getWithKey asks for a path below the base path, with a key unless that is empty.
func (h *testFunction) getWithKey(t *testing.T, path, key string) *http.Response {
	t.Helper()
	header := http.Header{}
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	return h.getWithHeader(t, path, header)
}

// getWithHeader is get with any headers.
func (h *testFunction) getWithHeader(t *testing.T, path string, header http.Header) *http.Response {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, contract.BasePath+path, nil)
	request.Header = header
	h.calls.Reset()
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, request)
	return answer.Result()
}

func (h *testFunction) createKey(t *testing.T, in keys.Request) (keys.Key, string) {
	t.Helper()
	service, err := keys.New(t.Context(), h.host)
	if err != nil {
		t.Fatal(err)
	}
	in.Action = keys.Create
	in.Environment = "test"
	in.Name = "A key"
	out, err := service.Handle(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return *out.Key, out.Secret
}

func readBody(t *testing.T, answer *http.Response, status int) []byte {
	t.Helper()
	var body bytes.Buffer
	if _, err := body.ReadFrom(answer.Body); err != nil {
		t.Fatal(err)
	}
	if answer.StatusCode != status {
		t.Fatalf("got status %d, want %d: %s", answer.StatusCode, status, body.Bytes())
	}
	return body.Bytes()
}

func TestHealth(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{"1.2.3": "1.2.3", "": "dev"} {
		h := openFunction(t, map[string]string{"VERSION": version})
		answer := h.getWithKey(t, "/health", "nonsense")
		want := fmt.Sprintf(`{"status":"ok","version":%q,"time":"2026-05-06T07:08:09.123Z"}`, want)
		if got := string(readBody(t, answer, 200)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if calls := h.calls.Reset(); len(calls) != 0 || answer.Header.Get("X-RateLimit-Limit") != "" {
			t.Errorf("got calls %v and headers %v", calls, answer.Header)
		}
	}
}

// A deployment that knows its address shows it in every form of the reference.
func TestReferenceHasTheAddress(t *testing.T) {
	t.Parallel()
	h := openFunction(t, map[string]string{topology.SettingPublicURL: "https://jobs.example.org"})
	for _, path := range []string{"/docs", "/docs/network", "/docs/search.json", "/docs.md", "/llms.txt", "/docs/changes.atom", "/docs/openapi.json", "/docs/openapi.yaml"} {
		body := string(readBody(t, h.getWithKey(t, path, ""), 200))
		if !strings.Contains(body, "https://jobs.example.org"+contract.BasePath) || strings.Contains(body, contract.ExampleURL) {
			t.Errorf("%s has another address", path)
		}
	}
}

// TestDocs holds that the files of the reference are served as they are, to
// callers without a key, cacheable, and with a policy under which they load nothing.
func TestDocs(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	for _, tt := range []struct{ path, accept, file, contentType, vary string }{
		{"/docs", "", "pages/index.html.gz", "text/html; charset=utf-8", "Accept, Accept-Encoding"},
		{"/docs/network", "application/json", "pages/network.html.gz", "text/html; charset=utf-8", "Accept-Encoding"},
		{"/docs/docs.css", "", "pages/docs.css.gz", "text/css; charset=utf-8", "Accept-Encoding"},
		{"/docs/docs.js", "", "pages/docs.js.gz", "text/javascript; charset=utf-8", "Accept-Encoding"},
		{"/docs/search.json", "", "pages/search.json.gz", "application/json", "Accept-Encoding"},
		{"/docs", "application/json", "openapi.json", "application/json", "Accept, Accept-Encoding"},
		{"/docs/openapi.json", "text/html", "openapi.json", "application/json", "Accept-Encoding"},
		{"/docs/openapi.yaml", "", "openapi.yaml", "application/yaml", "Accept-Encoding"},
		{"/docs.md", "", "docs.md", "text/markdown; charset=utf-8", "Accept-Encoding"},
		{"/llms.txt", "", "llms.txt", "text/plain; charset=utf-8", "Accept-Encoding"},
		{"/docs/changes.atom", "", "changes.atom", "application/atom+xml", "Accept-Encoding"},
	} {
		answer := h.getWithHeader(t, tt.path, http.Header{"Accept": {tt.accept}})
		if want := readReference(t, tt.file); !bytes.Equal(readBody(t, answer, 200), want) {
			t.Errorf("%s is not %s", tt.path, tt.file)
		}
		headers := map[string]string{}
		for _, name := range []string{"Content-Type", "Cache-Control", "X-Content-Type-Options", "Referrer-Policy", "X-RateLimit-Limit", "Vary"} {
			headers[name] = answer.Header.Get(name)
		}
		if diff := cmp.Diff(map[string]string{
			"Content-Type": tt.contentType, "Cache-Control": "public, max-age=300",
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-RateLimit-Limit": "", "Vary": tt.vary,
		}, headers); diff != "" {
			t.Errorf("%s: headers (-want +got):\n%s", tt.path, diff)
		}
		policy := answer.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'; ") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: got policy %q", tt.path, policy)
		}
		if calls := h.calls.Reset(); len(calls) != 0 {
			t.Errorf("%s: got calls %v", tt.path, calls)
		}
	}
}

// readReference returns a file of the reference, unpacked.
func readReference(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(name)
	if err == nil && strings.HasSuffix(name, ".gz") {
		var unpacked *gzip.Reader
		unpacked, err = gzip.NewReader(bytes.NewReader(content))
		if err == nil {
			content, err = io.ReadAll(unpacked)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// The names of the files beside the pages, and those of the pages' files, are no pages.
func TestUnknownPagesOfTheReference(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	for _, name := range []string{"nothing", "network.html", "docs.md", "openapi", "..%2fdocs.md", "index.html.gz", "%00"} {
		body := readBody(t, h.getWithKey(t, "/docs/"+name, ""), 404)
		if !bytes.Contains(body, []byte(`"type":"not_found"`)) {
			t.Errorf("%s: got %s", name, body)
		}
	}
}

// TestDocsInGzip holds that the reference is sent in gzip, and not again to callers who have it.
func TestDocsInGzip(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	answer := h.getWithHeader(t, "/docs", http.Header{"Accept-Encoding": {"gzip"}})
	if answer.Header.Get("Content-Encoding") != "gzip" {
		t.Fatalf("got the headers %v", answer.Header)
	}
	unpacked, err := gzip.NewReader(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	if want := readReference(t, "pages/index.html.gz"); !bytes.Equal(got, want) {
		t.Error("the page in gzip is another one")
	}
	tag := answer.Header.Get("ETag")
	again := h.getWithHeader(t, "/docs", http.Header{"If-None-Match": {tag}})
	if body := readBody(t, again, http.StatusNotModified); len(body) != 0 || !strings.HasPrefix(tag, `W/"`) {
		t.Errorf("got %d bytes for the tag %s", len(body), tag)
	}
	readBody(t, h.getWithHeader(t, "/docs/openapi.json", http.Header{"If-None-Match": {tag}}), http.StatusOK)
}

func TestAgencyIdentity(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	agency := demo.Agency{
		Agency:  account.Agency{ID: "a-1", Name: "Example Agency", APIAccess: true, TalentNetworkAccess: true, PrimaryOwner: "m-1"},
		Members: []account.Member{{ID: "m-1", Name: "Olga Owner", Email: "olga@example.com", Owner: true, Approved: true}},
	}
	if err := agency.Apply(t.Context(), h.accounts, 1); err != nil {
		t.Fatal(err)
	}
	expiry := contract.At(now.Add(time.Hour))
	key, secret := h.createKey(t, keys.Request{
		Type: contract.AgencyKey, Principal: "a-1", Actor: "m-1", Scopes: []contract.Scope{contract.IdentityRead}, ExpiresAt: &expiry,
	})
	want := fmt.Sprintf(`{"principal":"agency","scopes":["identity:read","talent_network:read"],"environment":"test","apiVersion":"v1",`+
		`"key":{"id":%q,"name":"A key","last4":%q,"createdAt":"2026-05-06T07:08:09.123Z","expiresAt":"2026-05-06T08:08:09.123Z",`+
		`"createdBy":{"name":"Olga Owner","email":"olga@example.com"}},`+
		`"agency":{"id":"a-1","name":"Example Agency","talentNetworkAccess":true,"talentNetworkManagement":false},"recruiter":null,`+
		`"rateLimits":{"default":{"limit":120,"windowSeconds":60},"write":{"limit":60,"windowSeconds":60}}}`, key.ID, secret[len(secret)-4:])
	if diff := cmp.Diff(want, string(readBody(t, h.getWithKey(t, "/identity", secret), 200))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"DynamoDB.UpdateItem", "DynamoDB.BatchGetItem"}, h.calls.Reset()); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}

func TestRecruiterIdentity(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	agency := "a-9"
	cases := map[string]struct {
		recruiter account.Recruiter
		want      contract.IdentityRecruiter
	}{
		"of an agency": {
			account.Recruiter{ID: "r-1", Name: "Rita Recruiter", Email: "rita@example.com", AgencyID: agency},
			contract.IdentityRecruiter{ID: "r-1", Name: "Rita Recruiter", Email: "rita@example.com", AgencyID: &agency},
		},
		"of none": {
			account.Recruiter{ID: "r-2", Name: "Rolf Recruiter", Email: "rolf@example.com"},
			contract.IdentityRecruiter{ID: "r-2", Name: "Rolf Recruiter", Email: "rolf@example.com"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.recruiter.CanRecruit = true
			tc.recruiter.PersonalKeys = true
			if err := h.accounts.ApplyRecruiter(t.Context(), tc.recruiter.ID, 1, &tc.recruiter); err != nil {
				t.Fatal(err)
			}
			_, secret := h.createKey(t, keys.Request{
				Type: contract.PersonalKey, Principal: tc.recruiter.ID, Actor: tc.recruiter.ID, Scopes: contract.PersonalKey.Scopes(),
			})
			body := readBody(t, h.getWithKey(t, "/identity", secret), 200)
			var got contract.Identity
			if err := json.Unmarshal(body, &got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tc.want, got.Recruiter); diff != "" || got.Principal != "recruiter" {
				t.Errorf("%s, recruiter (-want +got):\n%s", got.Principal, diff)
			}
			for _, present := range []string{`"agency":null`, `"expiresAt":null`} {
				if !bytes.Contains(body, []byte(present)) {
					t.Errorf("%s lacks %s", body, present)
				}
			}
			if calls := h.calls.Reset(); len(calls) != 2 {
				t.Errorf("got calls %v, the budget is the key check and one read", calls)
			}
		})
	}
}

// TestLostAccount holds that a key whose account is gone is a fault of ours,
// not a 404 about an id that the caller never sent.
func TestLostAccount(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	recruiter := account.Recruiter{ID: "r-1", Name: "Rita Recruiter", Email: "rita@example.com", CanRecruit: true, PersonalKeys: true}
	if err := h.accounts.ApplyRecruiter(t.Context(), recruiter.ID, 1, &recruiter); err != nil {
		t.Fatal(err)
	}
	_, secret := h.createKey(t, keys.Request{Type: contract.PersonalKey, Principal: "r-1", Actor: "r-1", Scopes: contract.PersonalKey.Scopes()})
	table := h.host.Opener().Table(topology.Accounts)
	if err := table.Delete(topology.PK, "U#r-1").Range(topology.SK, "U").Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if body := readBody(t, h.getWithKey(t, "/identity", secret), 500); !bytes.Contains(body, []byte(`"api_error"`)) || bytes.Contains(body, []byte("r-1")) {
		t.Errorf("got %s", body)
	}
}

// TestUnknownPaths are what the deployment's $default route brings here.
func TestUnknownPaths(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	for _, path := range []string{"", "/", "/health/", "/nothing", "/talent-network/candidates", "/recruiter/roles"} {
		body := readBody(t, h.getWithKey(t, path, ""), 404)
		if !bytes.Contains(body, []byte(`"type":"not_found"`)) {
			t.Errorf("%q: got %s", path, body)
		}
	}
}

// CloudFront sends this response when an origin gave none. Each has a request id of its own.
func TestTheUnavailableResponseIsAnEnvelope(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	seen := map[string]bool{}
	for range 2 {
		answer := httptest.NewRecorder()
		h.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, topology.UnavailablePath, nil))
		var envelope contract.ErrorEnvelope
		if err := json.Unmarshal(readBody(t, answer.Result(), http.StatusOK), &envelope); err != nil {
			t.Fatal(err)
		}
		header := answer.Header()
		e := envelope.Error
		if e.Type != "api_error" || e.Message == "" || uuid.Validate(e.RequestID) != nil || seen[e.RequestID] || header.Get("X-Request-Id") != e.RequestID {
			t.Errorf("got %+v, X-Request-Id %q; want an envelope with an id of its own", e, header.Get("X-Request-Id"))
		}
		if header.Get("Retry-After") == "" || header.Get("Cache-Control") != "no-store" || header.Get("Content-Type") != "application/json" {
			t.Errorf("got the headers %v", header)
		}
		seen[e.RequestID] = true
	}
}

// TestSettings holds that the function does not start without what it needs.
func TestSettings(t *testing.T) {
	t.Parallel()
	host := cloudtest.Host(t, nil, time.Now)
	for _, missing := range []struct{ name, value string }{{topology.Accounts.Env, ""}, {"KEY_ENVIRONMENTS", "Test!"}} {
		broken := host
		broken.Getenv = func(name string) string {
			if name == missing.name {
				return missing.value
			}
			return host.Getenv(name)
		}
		if _, err := platform.New(context.Background(), broken); err == nil || !strings.Contains(err.Error(), missing.name) {
			t.Errorf("%s: got %v", missing.name, err)
		}
	}
}

// TestEveryOperation holds that each row of this function answers.
func TestEveryOperation(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	var paths []string
	for _, r := range contract.Routes {
		if r.Function != contract.Platform {
			continue
		}
		paths = append(paths, r.Path)
		if answer := h.getWithKey(t, strings.ReplaceAll(r.Path, "{page}", "network"), ""); answer.StatusCode != map[bool]int{true: 200, false: 401}[r.Public()] {
			t.Errorf("%s: got %d", r.Path, answer.StatusCode)
		}
	}
	if !slices.Contains(paths, "/identity") {
		t.Errorf("got paths %v", paths)
	}
}

// The list has the members whom recruiterEmail may name, and former ones, on short pages of any
// length.
func TestListMembers(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	for _, agency := range []demo.Agency{
		{Agency: account.Agency{ID: "a-1", Name: "A", APIAccess: true, PrimaryOwner: "m-2"}, Members: []account.Member{
			{ID: "m-1", Name: "Olga", Email: "olga@example.com", Owner: true, Approved: true},
			{ID: "m-2", Name: "Ben", Email: "ben@example.com", Owner: true, Approved: true},
			{ID: "m-3", Name: "Cleo", Email: "cleo@example.com", Approved: true},
			{ID: "m-4", Name: "Dan", Email: "dan@example.com", Approved: true, Deactivated: true},
			{ID: "m-5", Name: "Pat", Email: "pat@example.com"},
			{ID: "m-6", Name: "No Address", Approved: true},
			{ID: "m-8", Name: "Eve", Email: "eve@example.com", Owner: true, Approved: true, Deactivated: true},
			{ID: "m-7", Name: "Dana", Email: "dan@example.com", Approved: true},
		}},
		{Agency: account.Agency{ID: "a-2", Name: "B", APIAccess: true}, Members: []account.Member{
			{ID: "m-1", Name: "Zoe", Email: "ada@example.org", Owner: true, Approved: true},
		}},
	} {
		if err := agency.Apply(t.Context(), h.accounts, 1); err != nil {
			t.Fatal(err)
		}
	}
	_, key := h.createKey(t, keys.Request{Type: contract.AgencyKey, Principal: "a-1", Actor: "m-1", Scopes: []contract.Scope{contract.IdentityRead}})
	want := []contract.AgencyMember{
		{Name: "Ben", Email: "ben@example.com", Role: contract.MemberRoleOwner, PrimaryOwner: true, Status: contract.MemberStatusApproved},
		{Name: "Cleo", Email: "cleo@example.com", Role: contract.MemberRoleMember, Status: contract.MemberStatusApproved},
		{Name: "Dana", Email: "dan@example.com", Role: contract.MemberRoleMember, Status: contract.MemberStatusApproved},
		{Name: "Eve", Email: "eve@example.com", Role: contract.MemberRoleOwner, Status: contract.MemberStatusDeactivated},
		{Name: "Olga", Email: "olga@example.com", Role: contract.MemberRoleOwner, Status: contract.MemberStatusApproved},
	}
	for _, limit := range []int{1, 2, 4, 100} {
		if diff := cmp.Diff(want, h.listMembers(t, key, limit)); diff != "" {
			t.Errorf("pages of %d (-want +got):\n%s", limit, diff)
		}
	}
}

// listMembers returns the members of all pages. Each costs one call besides the check of the key.
func (h *testFunction) listMembers(t *testing.T, key string, limit int) (all []contract.AgencyMember) {
	t.Helper()
	for path := fmt.Sprint("/agency/members?limit=", limit); path != ""; {
		answer := h.getWithKey(t, path, key)
		if calls := h.calls.Reset(); len(calls) != 2 {
			t.Errorf("got the calls %v", calls)
		}
		var page contract.MemberList
		if err := json.Unmarshal(readBody(t, answer, 200), &page); err != nil {
			t.Fatal(err)
		}
		all = append(all, page.Members...)
		path = ""
		if page.NextCursor != nil {
			path = fmt.Sprint("/agency/members?limit=", limit, "&cursor=", *page.NextCursor)
		}
	}
	return all
}

// A cursor of no list of members is refused.
func TestListMembersRefusesAForeignCursor(t *testing.T) {
	t.Parallel()
	h := openFunction(t, nil)
	agency := demo.Agency{
		Agency:  account.Agency{ID: "a-1", APIAccess: true},
		Members: []account.Member{{ID: "m-1", Email: "olga@example.com", Owner: true, Approved: true}},
	}
	if err := agency.Apply(t.Context(), h.accounts, 1); err != nil {
		t.Fatal(err)
	}
	_, key := h.createKey(t, keys.Request{Type: contract.AgencyKey, Principal: "a-1", Actor: "m-1", Scopes: []contract.Scope{contract.IdentityRead}})
	for _, sent := range []string{"x", cursor.New("no address"), cursor.New("Olga@example.com")} {
		body := readBody(t, h.getWithKey(t, "/agency/members?cursor="+sent, key), 400)
		if !strings.Contains(string(body), "invalid_cursor") {
			t.Errorf("%q: got %s", sent, body)
		}
	}
}
