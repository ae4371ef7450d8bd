package cloud

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func hostOf(env map[string]string) Host {
	return NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler))
}

// One read opens the connection that the next call uses.
func TestWarm(t *testing.T) {
	t.Parallel()
	var opened, asked atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Amz-Target") == "DynamoDB_20120810.BatchGetItem" {
			asked.Add(1)
		}
		_, _ = w.Write([]byte("{}"))
	}))
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	h := hostOf(map[string]string{"AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": server.URL, topology.Accounts.Env: "t", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s"})
	for range 2 {
		h.Warm(t.Context(), topology.Accounts)
	}
	if opened.Load() != 1 || asked.Load() != 2 {
		t.Errorf("%d connections for %d reads", opened.Load(), asked.Load())
	}
}

// A start goes on where there is no table, no database or no answer.
func TestWarmNeverFails(t *testing.T) {
	t.Parallel()
	hangs := make(chan struct{})
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hangs }))
	defer silent.Close()
	defer close(hangs)
	var calls atomic.Int32
	counting := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	defer counting.Close()
	base := map[string]string{"AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s"}
	for name, env := range map[string]map[string]string{
		"no table": {"AWS_ENDPOINT_URL": counting.URL}, "no database": {topology.Accounts.Env: "t", "AWS_ENDPOINT_URL": "http://127.0.0.1:1"},
		"no answer": {topology.Accounts.Env: "t", "AWS_ENDPOINT_URL": silent.URL},
	} {
		for k, v := range base {
			env[k] = v
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), 30*time.Second, errors.New(name))
		hostOf(env).Warm(ctx, topology.Accounts)
		if cancel(); context.Cause(ctx) != context.Canceled {
			t.Errorf("the start was held up: %v", context.Cause(ctx))
		}
	}
	if n := calls.Load(); n != 0 {
		t.Errorf("%d calls for a table without a name", n)
	}
}

// A deployed function trusts Amazon's authorities alone; with another endpoint or
// certificate file configured it trusts what the system trusts.
func TestTrustedRoots(t *testing.T) {
	t.Parallel()
	function := topology.SettingFunction
	for name, c := range map[string]struct {
		env  map[string]string
		none bool
	}{
		"deployed":           {map[string]string{function: "roles", "AWS_REGION": "eu-west-1"}, false},
		"a program":          {map[string]string{"AWS_REGION": "eu-west-1"}, true},
		"a given file":       {map[string]string{function: "roles", "AWS_REGION": "eu-west-1", "SSL_CERT_FILE": "/var/task/roots.pem"}, true},
		"China":              {map[string]string{function: "roles", "AWS_REGION": "cn-north-1"}, true},
		"another AWS":        {map[string]string{function: "roles", "AWS_ENDPOINT_URL": "https://localhost.example.org"}, true},
		"another S3":         {map[string]string{function: "roles", "AWS_ENDPOINT_URL_S3": "https://localhost.example.org"}, true},
		"another DynamoDB":   {map[string]string{function: "roles", "AWS_ENDPOINT_URL_DYNAMODB": "https://localhost.example.org"}, true},
		"nothing of ours is": {map[string]string{function: "roles", "AWS_ENDPOINT_URL_SNS": "https://localhost.example.org"}, false},
	} {
		pool := trustedRoots(func(name string) string { return c.env[name] })
		if (pool == nil) != c.none {
			t.Errorf("%s: trusts %v", name, pool)
		}
	}
}

// The authorities are the five that Amazon Trust Services publishes, by name, and
// each is good for years.
func TestAmazonRoots(t *testing.T) {
	t.Parallel()
	var names []string
	for block, rest := pem.Decode(amazonRoots); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.CheckSignatureFrom(c); err != nil || !c.IsCA || c.NotAfter.Before(time.Date(2037, 1, 1, 0, 0, 0, 0, time.UTC)) {
			t.Errorf("%s, until %v: %v", c.Subject.CommonName, c.NotAfter, err)
		}
		names = append(names, c.Subject.CommonName)
	}
	want := []string{"Amazon Root CA 1", "Amazon Root CA 2", "Amazon Root CA 3", "Amazon Root CA 4", "Starfield Services Root Certificate Authority - G2"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
