package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Commands started for LocalStack have LocalStack's endpoint and keys and no others.
func TestLocalStackIsAllThatIsSeen(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/_localstack/health" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	out, err := runScript(t, "localstack", "123456789012", []string{"LOCALSTACK_ENDPOINT=" + server.URL, "AWS_SECRET_ACCESS_KEY=secret", "AWS_CONFIG_FILE=/x"})
	if err != nil {
		t.Fatal(err, out)
	}
	for _, want := range []string{"cdk bootstrap aws://000000000000/us-east-1", "cdk deploy rmk-dev-* -c stage=dev", "AWS_ENDPOINT_URL=" + server.URL, "AWS_ACCESS_KEY_ID=test", "export AWS_ENDPOINT_URL="} {
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
