package canary_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recruiting-marketplace/external-api/functions/canary"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// stoppedWorker is a deployment that accepts submissions and never processes them.
type stoppedWorker struct{}

func (stoppedWorker) RoundTrip(r *http.Request) (*http.Response, error) {
	body := `{"batchId": "b1", "items": [{"status": "queued"}]}`
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// A run whose submission does not end is over three seconds before its invocation, which logs why.
func TestTheEndOfAnInvocationIsKeptForTheLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		settings := map[string]string{
			topology.SettingCanaryURL:          "http://api.example/api/external/v1",
			topology.SettingCanaryAgencyKey:    "key",
			topology.SettingCanaryRecruiterKey: "key",
		}
		var log strings.Builder
		host := cloud.NewHost(func(name string) string { return settings[name] }, time.Now, cloud.NewLog(&log, "canary"))
		c, err := canary.New(t.Context(), host, client.WithHTTPClient(&http.Client{Transport: stoppedWorker{}}))
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), topology.Canary.Timeout)
		defer cancel()
		r, err := c.Handle(ctx)
		if took := time.Since(begun); err != nil || r.Step != "batch" || took != topology.Canary.Timeout-3*time.Second {
			t.Errorf("got %+v, %v after %v", r, err, took)
		}
		if !strings.Contains(log.String(), `"canary_failed":1`) {
			t.Errorf("the log is %s", log.String())
		}
	})
}
