package emulator_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
)

// serveHealth serves LocalStack's list of services.
func serveHealth(t *testing.T, body string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/_localstack/health" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// All three services are LocalStack's, and no credentials but its own are sent to it.
func TestLocalStackTakesThePlaceOfTheEmulators(t *testing.T) {
	endpoint := serveHealth(t, `{"services": {"dynamodb": "available", "sqs": "running", "s3": "available"}}`)
	t.Setenv("LOCALSTACK", endpoint+"/")
	t.Setenv("AWS_REGION", "eu-west-1")
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"} {
		t.Setenv(name, "of an account")
	}
	enterEmptyModule(t)
	set, err := emulator.Start(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	set.Stop()
	want := map[string]string{
		"AWS_ENDPOINT_URL_DYNAMODB": endpoint, "AWS_ENDPOINT_URL_SQS": endpoint, "AWS_ENDPOINT_URL_S3": endpoint,
		"AWS_REGION": "eu-west-1", "AWS_RESPONSE_TIMEOUT": "1m", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_SESSION_TOKEN": "test",
	}
	if diff := cmp.Diff(want, set.Env()); diff != "" {
		t.Errorf("Env (-want +got):\n%s", diff)
	}
}

// One service can be elsewhere.
func TestEndpointOfAServiceTakesPrecedenceOverLocalStack(t *testing.T) {
	endpoint := serveHealth(t, `{"services": {"sqs": "available", "s3": "available"}}`)
	t.Setenv("LOCALSTACK", endpoint)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", "http://dynamodb.example.com")
	enterEmptyModule(t)
	set, err := emulator.Start(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	set.Stop()
	if set.DynamoDB.Endpoint != "http://dynamodb.example.com" || set.SQS.Endpoint != endpoint {
		t.Errorf("DynamoDB is at %s, SQS at %s", set.DynamoDB.Endpoint, set.SQS.Endpoint)
	}
}

// An address without a usable LocalStack is refused before anything is made there.
func TestAddressWithoutLocalStackIsRefused(t *testing.T) {
	enterEmptyModule(t)
	for address, want := range map[string]string{
		"http://127.0.0.1:1": "no LocalStack answers at http://127.0.0.1:1; start one",
		"localhost:4566":     "LOCALSTACK=localhost:4566 is not an address such as http://localhost:4566",
		serveHealth(t, `{"services": {"dynamodb": "available", "sqs": "disabled", "s3": "error"}}`): "runs no s3, sqs",
		serveHealth(t, `<html>`): "no LocalStack answers at",
	} {
		t.Setenv("LOCALSTACK", address)
		_, err := emulator.Start(t.Context(), "")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q in it", address, err, want)
		}
	}
}
