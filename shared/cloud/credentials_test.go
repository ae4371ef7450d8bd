package cloud

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials/endpointcreds"
	"github.com/google/go-cmp/cmp"
)

func TestTaskCredentials(t *testing.T) {
	t.Parallel()
	const good = `{"RoleArn":"arn:aws:iam::1:role/x","AccessKeyId":"AK","SecretAccessKey":"SK","Token":"TK","Expiration":"2026-01-02T03:04:05Z"}`
	want := aws.Credentials{
		AccessKeyID: "AK", SecretAccessKey: "SK", SessionToken: "TK", Source: endpointcreds.ProviderName,
		CanExpire: true, Expires: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
	for name, c := range map[string]struct {
		status int
		body   string
		ok     bool
	}{
		"good": {200, good, true}, "refused": {403, good, false}, "no JSON": {200, "<html>", false}, "empty": {200, "{}", false},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(c.status)
			_, _ = w.Write([]byte(c.body))
		}))
		got, err := taskCredentials(server.URL).Retrieve(t.Context())
		server.Close()
		if (err == nil) != c.ok {
			t.Errorf("%s: got error %v", name, err)
		}
		if diff := cmp.Diff(want, got); c.ok && diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestCredentialsAreWhereThePlatformPutsThem(t *testing.T) {
	t.Parallel()
	task := func(name string) string {
		return map[string]string{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/x", "AWS_ACCESS_KEY_ID": "other"}[name]
	}
	if got := taskURL(task); got != "http://169.254.170.2/v2/x" {
		t.Errorf("a task asks %s", got)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if got, err := credentialsProvider(task).Retrieve(ended); err == nil {
		t.Errorf("a task has the credentials %+v without its agent", got)
	}
	function := credentialsProvider(func(name string) string {
		return map[string]string{"AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "SK"}[name]
	})
	if got, err := function.Retrieve(t.Context()); err != nil || got.AccessKeyID != "AK" {
		t.Errorf("a function has %+v, %v", got, err)
	}
}
