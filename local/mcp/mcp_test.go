package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/local/mcp"
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
		{"getBatch", object{"batchId": "b 1"}, "GET /talent-network/batches/b%201", ""},
		{"listMembers", nil, "GET /agency/members", ""},
		{"putFastTrack", object{"candidateUserId": "cu_1", "fastTrack": true}, "PUT /talent-network/candidates/cu_1/fast-track", `{"fastTrack":true}`},
		{"offMarket", object{"candidates": []object{{"candidateUserId": "cu_1"}}}, "POST /talent-network/candidates/off-market", `{"candidates":[{"candidateUserId":"cu_1"}]}`},
	} {
		text, failed := callTool(t, session, tt.tool, tt.arguments)
		path, body := api.paths[len(api.paths)-1], api.bodies[len(api.bodies)-1]
		if text != `{}` || failed || path != tt.path || body != tt.body {
			t.Errorf("%s: got %s, sent %s %s; want %s %s", tt.tool, text, path, body, tt.path, tt.body)
		}
	}
	sent := len(api.paths)
	for _, arguments := range []object{{"recruiter": "x"}, {"Idempotency-Key": "x"}, {"limit": "five"}} {
		if text, failed := callTool(t, session, "listCandidates", arguments); !failed || len(api.paths) != sent {
			t.Errorf("%v: got %s", arguments, text)
		}
	}
}

// An error is the API's envelope. The client waits as long as Retry-After says, and gives up after
// its attempts.
func TestErrorsAndWaits(t *testing.T) {
	t.Parallel()
	respond := func(status int, body string, header ...string) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	session := connect(t, mcp.Options{Clients: []*client.Client{api.newClient(t)}})
	api.next = append(api.next, respond(400, `{"error":{"type":"invalid_request_error","message":"No.","request_id":"r-1","code":"validation_failed","details":{"formErrors":[],"fieldErrors":{"limit":["limit: must be at least 1."]}}}}`, "X-Request-Id", "r-1"))
	text, failed := callTool(t, session, "listCandidates", object{"limit": -1})
	for _, part := range []string{`"status":400`, `"code":"validation_failed"`, `"limit: must be at least 1."`, `"request_id":"r-1"`} {
		if !failed || !strings.Contains(text, part) {
			t.Errorf("got %s; want %s in it", text, part)
		}
	}
	limited := respond(429, `{"error":{"type":"rate_limit_error","message":"Wait.","code":"rate_limited"}}`, "Retry-After", "7")
	api.next = append(api.next, limited, respond(200, `{"candidates":[]}`))
	if text, failed := callTool(t, session, "listCandidates", nil); failed || !slices.Equal(api.waits, []time.Duration{7 * time.Second}) {
		t.Errorf("got %s after waits %v", text, api.waits)
	}
	api.next = append(api.next, limited, limited, limited, limited, limited)
	if text, failed := callTool(t, session, "listCandidates", nil); !failed || !strings.Contains(text, `"retryAfterSeconds":7`) || len(api.next) != 1 {
		t.Errorf("got %s with %d responses left", text, len(api.next))
	}
}

// Files are read inside the allowed directories only: no link, "..", absolute path, pipe or directory
// leads out, and what is refused is the same for files that exist and that do not.
func TestFiles(t *testing.T) {
	t.Parallel()
	allowed, secret := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(allowed, "ada.txt"), "Ada Example")
	write(filepath.Join(secret, "key"), "secret")
	for name, target := range map[string]string{"link": filepath.Join(secret, "key"), "linked": secret, "inside": "ada.txt"} {
		if err := os.Symlink(target, filepath.Join(allowed, name)); err != nil {
			t.Fatal(err)
		}
	}
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	session := connect(t, mcp.Options{Clients: []*client.Client{api.newClient(t)}, Write: true, Directories: []string{t.TempDir(), allowed}})
	for _, path := range []string{"ada.txt", "inside", filepath.Join(allowed, "ada.txt")} {
		text, failed := callTool(t, session, "uploadResume", object{"path": path})
		want := fmt.Sprintf(`{"contentBase64":"%s","fileName":"%s"}`, base64.StdEncoding.EncodeToString([]byte("Ada Example")), filepath.Base(path))
		if failed || api.bodies[len(api.bodies)-1] != want {
			t.Errorf("%s: got %s, sent %s; want %s", path, text, api.bodies, want)
		}
	}
	sent := len(api.paths)
	relative, err := filepath.Rel(allowed, filepath.Join(secret, "key"))
	if err != nil {
		t.Fatal(err)
	}
	var refusals []string
	for _, path := range []string{"link", "linked/key", relative, filepath.Join(secret, "key"), filepath.Join(secret, "none"), "../none", "none"} {
		text, failed := callTool(t, session, "uploadResume", object{"path": path})
		if !failed || len(api.paths) != sent {
			t.Errorf("%s: got %s", path, text)
		}
		refusals = append(refusals, text)
	}
	if len(slices.Compact(refusals)) != 1 {
		t.Errorf("refusals differ: %q", refusals)
	}
	for _, arguments := range []object{{}, {"path": "."}, {"contentBase64": "QQ=="}} {
		if text, failed := callTool(t, session, "uploadResume", arguments); !failed || len(api.paths) != sent {
			t.Errorf("%v: got %s", arguments, text)
		}
	}
}

// The handler takes requests to its own address only, and none of a web page.
func TestHTTPRefusesWebPages(t *testing.T) {
	t.Parallel()
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	server, err := mcp.New(t.Context(), mcp.Options{Clients: []*client.Client{api.newClient(t)}})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := mcp.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- mcp.ServeHTTP(ctx, listener, server) }()
	address := listener.Addr().String()
	session := startSession(t, &sdk.StreamableClientTransport{Endpoint: "http://" + address, DisableStandaloneSSE: true})
	if text, failed := callTool(t, session, "listMembers", nil); failed {
		t.Errorf("got %s", text)
	}
	_, port, _ := net.SplitHostPort(address)
	for _, tt := range []struct {
		host, origin string
		want         int
	}{
		{"attacker.example:" + port, "", http.StatusMisdirectedRequest},
		{"attacker.example:" + port, "http://attacker.example:" + port, http.StatusMisdirectedRequest},
		{address, "http://attacker.example", http.StatusForbidden},
		{address, "null", http.StatusForbidden},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r, err := http.NewRequestWithContext(t.Context(), method, "http://"+address, strings.NewReader(`{}`))
			if err != nil {
				t.Fatal(err)
			}
			r.Host = tt.host
			r.Header.Set("Origin", tt.origin)
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = response.Body.Close()
			if response.StatusCode != tt.want {
				t.Errorf("%s %+v: got %d", method, tt, response.StatusCode)
			}
		}
	}
	_ = session.Close()
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if _, err := mcp.Listen("0.0.0.0:0"); err == nil {
		t.Error("an address of other machines is served")
	}
}
