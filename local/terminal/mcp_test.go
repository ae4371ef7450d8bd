package terminal

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// identityOfAgency responds to every request with the identity of an agency's key of one scope.
func identityOfAgency(t *testing.T) http.Handler {
	t.Helper()
	body, err := json.Marshal(contract.Identity{Principal: contract.AgencyKey.Principal(), Scopes: []contract.Scope{contract.TalentNetworkWrite}})
	if err != nil {
		t.Fatal(err)
	}
	return respond(http.StatusOK, string(body))
}

// The binary speaks the protocol over standard input and output, with the key of its environment, and
// offers nothing that changes something without --write.
func TestMCPOverStandardInput(t *testing.T) {
	t.Parallel()
	binary := filepath.Join(t.TempDir(), "recruiting")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "./recruiting").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	server := httptest.NewServer(identityOfAgency(t))
	defer server.Close()
	for _, tt := range []struct {
		flags []string
		tools int
	}{{nil, 0}, {[]string{"--write"}, 7}} {
		command := exec.CommandContext(t.Context(), binary, append([]string{"mcp"}, tt.flags...)...)
		command.Env = append(os.Environ(), "BASE_URL="+server.URL, "AGENCY_KEY=rmk_test_x", "RECRUITER_KEY=", "DATA_DIR="+t.TempDir())
		session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: command}, nil)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, err := range session.Tools(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if err := session.Close(); err != nil || n != tt.tools {
			t.Errorf("%v: got %d tools, %v; want %d", tt.flags, n, err, tt.tools)
		}
	}
}

// A key that the API refuses, and an address that other machines reach, end the command with a reason.
func TestMCPRefusesToStart(t *testing.T) {
	t.Parallel()
	_, messages, code := runCommand(t, respond(401, `{"error":{"type":"authentication_error","message":"No such key."}}`), "mcp")
	if code == 0 || !strings.Contains(messages, "No such key.") {
		t.Errorf("got %d, %s", code, messages)
	}
	_, messages, code = runCommand(t, identityOfAgency(t), "mcp", "--http", "0.0.0.0:0")
	if code == 0 || !strings.Contains(messages, "other machines") {
		t.Errorf("got %d, %s", code, messages)
	}
	keys := writeFile(t, "env", "BASE_URL=http://127.0.0.1:1\n")
	var stderr strings.Builder
	code = Run("recruiting", []string{"mcp", "--keys", keys}, strings.NewReader(""), io.Discard, &stderr)
	if code == 0 || !strings.Contains(stderr.String(), "AGENCY_KEY or RECRUITER_KEY is needed") {
		t.Errorf("got %d, %s", code, stderr.String())
	}
}
