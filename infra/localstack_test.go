package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// serveLocalStack serves the list of services of a LocalStack.
func serveLocalStack(t *testing.T, health string) (url string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/_localstack/health" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(health))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Commands started for LocalStack have LocalStack's endpoint and keys and no others.
func TestLocalStackIsAllThatIsSeen(t *testing.T) {
	t.Parallel()
	endpoint := serveLocalStack(t, `{"edition": "pro", "services": {"apigateway": "available", "apigatewayv2": "available"}}`)
	out, err := runScript(t, "localstack", "123456789012", []string{"LOCALSTACK=" + endpoint, "AWS_SECRET_ACCESS_KEY=secret", "AWS_CONFIG_FILE=/x"})
	if err != nil {
		t.Fatal(err, out)
	}
	for _, want := range []string{"cdk bootstrap aws://000000000000/us-east-1", "cdk deploy rmk-dev-* -c stage=dev", "AWS_ENDPOINT_URL=" + endpoint, "AWS_ACCESS_KEY_ID=test", "export AWS_ENDPOINT_URL="} {
		if !strings.Contains(out, want) {
			t.Errorf("got %s\nwant %q", out, want)
		}
	}
	for _, leak := range []string{"secret", "AWS_CONFIG_FILE"} {
		if strings.Contains(out, leak) {
			t.Errorf("%s was passed on:\n%s", leak, out)
		}
	}
}

// An edition that cannot serve the API is refused before anything is built.
func TestEditionWithoutHTTPAPIsIsRefused(t *testing.T) {
	t.Parallel()
	for health, want := range map[string]string{
		`{"edition": "community", "services": {"apigateway": "available", "lambda": "available"}}`: "has no API Gateway v2",
		`{"services": {"apigatewayv2": "disabled"}}`:                                               "has no API Gateway v2",
		`nonsense`: "no LocalStack answers at",
	} {
		built := filepath.Join(t.TempDir(), "built")
		out, err := runScript(t, "localstack", "123456789012", []string{"LOCALSTACK=" + serveLocalStack(t, health), "BUILD=touch " + built})
		if err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: got %v, %s; want %q in it", health, err, out, want)
		}
		if _, err := os.Stat(built); err == nil {
			t.Errorf("%s: built before it refused", health)
		}
	}
}
