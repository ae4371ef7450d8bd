package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/local/terminal/mcp"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// fakeAPI answers GET /identity as one key, and every other request by its next responses.
type fakeAPI struct {
	identity contract.Identity

	mu     sync.Mutex
	next   []func(http.ResponseWriter)
	bodies []string
	paths  []string
	waits  []time.Duration
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.URL.Path == "/identity" {
		_ = json.NewEncoder(w).Encode(f.identity)
		return
	}
	body, _ := io.ReadAll(r.Body)
	f.bodies = append(f.bodies, string(body))
	f.paths = append(f.paths, r.Method+" "+r.URL.String())
	if len(f.next) == 0 {
		_, _ = io.WriteString(w, `{}`)
		return
	}
	respond := f.next[0]
	f.next = f.next[1:]
	respond(w)
}

// newClient returns a client of the API that waits for nothing and records its waits.
func (f *fakeAPI) newClient(t *testing.T) *client.Client {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return client.New(server.URL, "rmk_test_x", client.WithWait(func(ctx context.Context, d time.Duration) error {
		f.waits = append(f.waits, d)
		return ctx.Err()
	}))
}

func identityOf(kind contract.KeyType, scopes ...contract.Scope) contract.Identity {
	return contract.Identity{Principal: kind.Principal(), Scopes: scopes}
}

// connect returns a session of the protocol's own client with a server.
func connect(t *testing.T, o mcp.Options) *sdk.ClientSession {
	t.Helper()
	server, err := mcp.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), ours, nil); err != nil {
		t.Fatal(err)
	}
	return startSession(t, theirs)
}

func startSession(t *testing.T, transport sdk.Transport) *sdk.ClientSession {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// callTool returns the text of a result and whether it is an error.
func callTool(t *testing.T, session *sdk.ClientSession, name string, arguments any) (text string, failed bool) {
	t.Helper()
	out, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	return out.Content[0].(*sdk.TextContent).Text, out.IsError
}

type object = map[string]any

// A server has one tool for each route that the scopes of a key allow, and of routes that change
// something only with Write.
func TestToolsAreThoseOfTheScopes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		kind   contract.KeyType
		scopes []contract.Scope
		write  bool
	}{
		{"agency, all scopes", contract.AgencyKey, contract.AgencyKey.Scopes(), true},
		{"agency, reading", contract.AgencyKey, contract.AgencyKey.Scopes(), false},
		{"agency, one scope", contract.AgencyKey, []contract.Scope{contract.TalentNetworkRead}, true},
		{"recruiter", contract.PersonalKey, contract.PersonalKey.Scopes(), true},
		{"recruiter, one of two scopes", contract.PersonalKey, []contract.Scope{contract.CandidatesRead}, true},
		{"no scope", contract.PersonalKey, nil, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			api := &fakeAPI{identity: identityOf(tt.kind, tt.scopes...)}
			session := connect(t, mcp.Options{Clients: []*client.Client{api.newClient(t)}, Write: tt.write})
			want := map[string]bool{}
			for _, r := range contract.Routes {
				allowed := !r.Public() && (r.KeyType == contract.AnyKey || r.KeyType == tt.kind)
				for _, scope := range r.Scopes {
					allowed = allowed && slices.Contains(tt.scopes, scope)
				}
				if isWrite := r.Tier == contract.WriteTier; allowed && (tt.write || !isWrite) {
					want[r.Operation] = !isWrite
				}
			}
			got := map[string]bool{}
			for tool, err := range session.Tools(t.Context(), nil) {
				if err != nil {
					t.Fatal(err)
				}
				got[tool.Name] = tool.Annotations.ReadOnlyHint
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("tools and whether they only read (-want +got):\n%s", diff)
			}
		})
	}
}

// No schema of a tool has a list of types, which dialects of some models do not know.
func TestValuesHaveOneType(t *testing.T) {
	t.Parallel()
	for _, kind := range []contract.KeyType{contract.AgencyKey, contract.PersonalKey} {
		api := &fakeAPI{identity: identityOf(kind, kind.Scopes()...)}
		session := connect(t, mcp.Options{Clients: []*client.Client{api.newClient(t)}, Write: true})
		alternatives := 0
		for tool, err := range session.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			schema, err := json.Marshal(tool.InputSchema)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(schema, []byte(`"type":[`)) {
				t.Errorf("%s: %s", tool.Name, schema)
			}
			alternatives += bytes.Count(schema, []byte(`{"type":"null"}`))
		}
		if alternatives == 0 {
			t.Errorf("%s: no argument accepts null", kind)
		}
	}
}

// Arguments become parameters and body; the id of a path is one of them.
func TestArguments(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	session := connect(t, mcp.Options{Clients: []*client.Client{api.newClient(t)}, Write: true})
	for _, tt := range []struct {
		tool       string
		arguments  object
		path, body string
	}{
		{"listCandidates", object{"status": "on_market", "limit": 5}, "GET /talent-network/candidates?limit=5&status=on_market", ""},
		{"listCandidates", object{"status": []string{"off_market"}, "limit": "5e0"}, "GET /talent-network/candidates?limit=5&status=off_market", ""},
		{"listChanges", object{"type": "candidate.added"}, "GET /talent-network/changes?limit=100&type=candidate.added", ""},
		{"getFastTrack", object{"candidateUserId": "b 1"}, "GET /talent-network/candidates/b%201/fast-track", ""},
		{"listBatches", object{"limit": nil, "cursor": nil}, "GET /talent-network/batches?limit=50", ""},
		{"listMembers", nil, "GET /agency/members?limit=50", ""},
		{
			"lookupCandidates", object{"candidates": []object{{"email": "a@b.example", "linkedinUrl": nil}}},
			"POST /talent-network/candidates/lookup", `{"candidates":[{"email":"a@b.example"}]}`,
		},
		{"putFastTrack", object{"candidateUserId": "cu_1", "fastTrack": true}, "PUT /talent-network/candidates/cu_1/fast-track", `{"fastTrack":true}`},
		{"offMarket", object{"candidates": []object{{"candidateUserId": "cu_1"}}}, "POST /talent-network/candidates/off-market", `{"candidates":[{"candidateUserId":"cu_1"}]}`},
	} {
		text, failed := callTool(t, session, tt.tool, tt.arguments)
		path := api.paths[len(api.paths)-1]
		body := api.bodies[len(api.bodies)-1]
		if text != `{}` || failed || path != tt.path || body != tt.body {
			t.Errorf("%s: got %s, sent %s %s; want %s %s", tt.tool, text, path, body, tt.path, tt.body)
		}
	}
	sent := len(api.paths)
	for _, arguments := range []object{{"recruiter": "x"}, {"Idempotency-Key": "x"}, {"limit": "five"}, {"limit": 0}} {
		if text, failed := callTool(t, session, "listCandidates", arguments); !failed || len(api.paths) != sent {
			t.Errorf("%v: got %s", arguments, text)
		}
	}
	for tool, arguments := range map[string]object{"getBatch": nil, "getFastTrack": {"candidateUserId": ""}, "putFastTrack": {"candidateUserId": "cu_1"}} {
		if text, failed := callTool(t, session, tool, arguments); !failed || len(api.paths) != sent {
			t.Errorf("%s with %v: got %s", tool, arguments, text)
		}
	}
}

// What is wrong with arguments is said at once, in the words of the API and at the place where it is.
func TestProblemsOfArguments(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	session := connect(t, mcp.Options{
		Clients: []*client.Client{api.newClient(t)}, Write: true, Directories: []string{t.TempDir()},
	})
	preferences := object{"locations": []string{"Berlin"}, "salaryMin": "90000", "roleType": nil}
	for _, tt := range []struct {
		tool      string
		arguments any
		want      []string
	}{
		{"getBatch", []string{"b"}, []string{"the arguments must be an object"}},
		{"getBatch", nil, []string{"batchId: is required"}},
		{"getBatch", object{"batchId": object{}}, []string{`is not a UUID`}},
		{"searchAgencyRoles", object{"query": object{"a": 1}}, []string{"query: must not be an object"}},
		{"listMembers", object{"b": 1, "a": 1}, []string{"a, b: unknown. Accepted: cursor, limit"}},
		{"submitCandidate", object{"name": "Ada", "preferences": preferences}, []string{
			`"linkedinUrl: is required."`, `"resume: is required."`, `preferences.locations[0]: \"Berlin\" is not a location`,
			`preferences.salaryMin: must be an integer`, `"preferences.visaAuthorization: is required."`,
		}},
		{"submitCandidate", object{"resume": object{"resumeFileId": "r", "fileName": "f"}}, []string{
			"resume.resumeFileId: unknown. Accepted: fileName, path", "resume.path: is required",
		}},
		{"submitBulk", object{"items": []object{{"salary": 1}, {"resume": object{"path": "x"}}}}, []string{
			"items[0].salary: unknown. Accepted: clientReferenceId, ", "items[1].resume.path: unknown. Accepted: resumeFileId",
		}},
	} {
		text, failed := callTool(t, session, tt.tool, tt.arguments)
		for _, want := range tt.want {
			if !failed || len(api.paths) > 0 || !strings.Contains(text, want) {
				t.Errorf("%s: got %s; want %s in it", tt.tool, text, want)
			}
		}
	}
}

// A batch is read again while items are under way, as often as the API advises.
func TestBatchesAreAwaited(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	session := connect(t, mcp.Options{Clients: []*client.Client{api.newClient(t)}})
	for _, status := range []string{"queued", "processing", "succeeded"} {
		api.next = append(api.next, func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "3")
			_, _ = io.WriteString(w, `{"itemCount":1,"items":[{"index":0,"status":"`+status+`"}]}`)
		})
	}
	text, failed := callTool(t, session, "getBatch", object{"batchId": "01990b6e-7c1f-7d3a-9b1e-2f6c0a4d8e11"})
	want := []time.Duration{3 * time.Second, 3 * time.Second}
	if failed || !strings.Contains(text, `"status":"succeeded"`) || !slices.Equal(api.waits, want) {
		t.Errorf("got %s after waits %v", text, api.waits)
	}
}
