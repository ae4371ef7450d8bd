package main

import (
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/local/demo"
	"github.com/recruiting-marketplace/external-api/local/run/envfile"
	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The key of the last run is replaced only if the system refuses it: what is too busy, or fails, may know it.
func TestKeysOfTheLastRunAreKept(t *testing.T) {
	t.Parallel()
	host := cloudtest.Host(t, map[string]string{topology.SettingKeyEnvironments: "test"}, time.Now)
	if err := demo.Load(t.Context(), account.Open(host.Opener())); err != nil {
		t.Fatal(err)
	}
	service, err := keys.New(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	const last = "rmk_test_last"
	for status, kept := range map[int]bool{
		http.StatusOK: true, http.StatusTooManyRequests: true, http.StatusServiceUnavailable: true, http.StatusUnauthorized: false,
	} {
		s := &system.System{BaseURL: respondTo(t, status), Host: host}
		got, err := ensureStartupKey(t.Context(), s, service, last, contract.AgencyKey, demo.AgencyID)
		if err != nil || got == "" || (got == last) != kept {
			t.Errorf("%d: got %q, %v; want the key of the last run: %t", status, got, err, kept)
		}
	}
}

// A start that the lock of the directory stops leaves the files of the run that holds it, although that run refuses the key of
// the file env, as after the key was revoked.
func TestSecondRunLeavesTheFilesOfTheFirst(t *testing.T) {
	t.Parallel()
	p := startProcess(t, loadedDir(t))
	env := p.waitUntilReady()
	writeEnv(t, p.dir, env["BASE_URL"])
	if out, err := runToEnd(t, []string{"DATA_DIR=" + p.dir, "PORT=0"}); err == nil || !strings.Contains(out, "stop the other program that uses this directory") {
		t.Errorf("a second run with the directory of the first: %v, %s", err, out)
	}
	if left, err := envfile.Read(filepath.Join(p.dir, "env")); err != nil || left["BASE_URL"] != env["BASE_URL"] {
		t.Errorf("the file env has %v, %v", left, err)
	}
	if log, err := os.ReadFile(filepath.Join(p.dir, "log")); err != nil || len(log) == 0 {
		t.Errorf("the file log has %d bytes, %v", len(log), err)
	}
}

// A run that cannot be offered to containers publishes nothing, since it ends.
func TestFailedOfferPublishesNothing(t *testing.T) {
	t.Parallel()
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	loopback := ""
	for _, one := range all {
		if one.Flags&net.FlagLoopback != 0 {
			loopback = one.Name
		}
	}
	dir := loadedDir(t)
	// The value of a setting that looks like an address is offered, and this port does not exist.
	out, err := runToEnd(t, []string{"DATA_DIR=" + dir, "PORT=0", "SAM=" + loopback, "PROFILE_API_KEY=http://127.0.0.1:99999"})
	if err == nil || !strings.Contains(out, "offering port 99999 to containers") {
		t.Fatalf("got %v, %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "env")); !os.IsNotExist(err) {
		t.Errorf("the file env stays: %v", err)
	}
}

// Containers get the addresses of services on loopback by a name that leads out of the container.
func TestAddressesForContainers(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		value, want string
		port        int
	}{
		{"http://127.0.0.1:4566", "http://host.docker.internal:4566", 4566},
		{"http://localhost:8080/api/external/v1", "http://host.docker.internal:8080/api/external/v1", 8080},
		{"http://[::1]:80/", "http://host.docker.internal:80/", 80},
		{"https://dynamodb.us-east-1.amazonaws.com", "https://dynamodb.us-east-1.amazonaws.com", 0},
		{"http://127.0.0.1", "http://127.0.0.1", 0},
		{"http://notlocalhost:1", "http://notlocalhost:1", 0},
		{"rmk-local-accounts", "rmk-local-accounts", 0},
		{"live,test", "live,test", 0},
		{"", "", 0},
	} {
		if got, port := addressForContainers(tt.value); got != tt.want || port != tt.port {
			t.Errorf("%s: got %s, %d; want %s, %d", tt.value, got, port, tt.want, tt.port)
		}
	}
}
