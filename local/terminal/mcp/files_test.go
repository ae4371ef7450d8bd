package mcp_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/terminal/mcp"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Files are read inside the allowed directories only: no link, "..", absolute path, pipe or directory
// leads out, and what is refused is the same for files that exist and that do not.
func TestFiles(t *testing.T) {
	t.Parallel()
	allowed := t.TempDir()
	secret := t.TempDir()
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
		want := fmt.Sprintf(`{"fileName":"%s","contentBase64":"%s"}`, filepath.Base(path), base64.StdEncoding.EncodeToString([]byte("Ada Example")))
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
	if len(slices.Compact(refusals)) != 1 || !strings.HasSuffix(refusals[0], "Files there: ada.txt") {
		t.Errorf("refusals differ: %q", refusals)
	}
	for _, arguments := range []object{{}, {"path": "."}, {"contentBase64": "QQ=="}} {
		if text, failed := callTool(t, session, "uploadResume", arguments); !failed || len(api.paths) != sent {
			t.Errorf("%v: got %s", arguments, text)
		}
	}
}

// The largest file that is sent makes a body that the API takes; a larger one is not sent.
func TestLargestFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	api := &fakeAPI{identity: identityOf(contract.AgencyKey, contract.AgencyKey.Scopes()...)}
	session := connect(t, mcp.Options{Clients: []*client.Client{api.newClient(t)}, Write: true, Directories: []string{dir}})
	for size, want := range map[int64]bool{contract.MaxFileBytes: true, contract.MaxFileBytes + 1: false} {
		name := fmt.Sprint(size, ".txt")
		file, err := os.Create(filepath.Join(dir, name))
		if err == nil {
			err = file.Truncate(size)
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = file.Close()
		before := len(api.bodies)
		text, failed := callTool(t, session, "uploadResume", object{"path": name})
		if failed == want || len(api.bodies) > before != want {
			t.Errorf("%d bytes: got %s after %d requests", size, text, len(api.bodies)-before)
		}
	}
	for _, body := range api.bodies {
		if len(body) > contract.MaxBodyBytes {
			t.Errorf("the body has %d bytes", len(body))
		}
	}
}
