package story_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/cloudwatchlogs"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/story"
)

const (
	requestID = "01a20321-0c00-7000-8000-000000000001"
	traceID   = "1-6921a7f0-0c0070008000000000000001"
	batchID   = "01a20321-0c00-7000-8000-000000000002"
)

// logged are lines as the functions write them, with one of Lambda's own.
var logged = []string{
	`START RequestId: 6bc28136-xmpl-4365-b021-0ce6b2e64ab0 Version: $LATEST`,
	`{"time":"2026-11-22T12:05:36.040Z","level":"INFO","msg":"request","request_id":"` + requestID + `","method":"POST","status":200,"ms":40,"key_id":"key_1","operation":"submitCandidate","route":"/talent-network/candidates/submit","batch":"` + batchID + `","trace_id":"` + traceID + `"}`,
	`{"time":"2026-11-22T12:05:37.200Z","level":"INFO","msg":"ingest","submission":"s1","batch":"` + batchID + `","agency":"agy_1","attempt":1,"status":"queued","code":"","ms":1100,"cause":"S3: 503","alarm":0,"trace_id":"` + traceID + `"}`,
	`{"time":"2026-11-22T12:06:38.500Z","level":"INFO","msg":"ingest","submission":"s1","batch":"` + batchID + `","agency":"agy_1","attempt":2,"status":"succeeded","code":"","ms":900,"cause":null,"alarm":0,"trace_id":"` + traceID + `"}`,
	`{"time":"2026-11-22T12:06:40.010Z","level":"INFO","msg":"request","request_id":"later","method":"GET","status":200,"ms":10,"operation":"getBatch","route":"/talent-network/batches/{batchId}","batch":"` + batchID + `","trace_id":"1-6921a830-000000000000000000000000"}`,
}

// fakeLogs answers StartQuery and GetQueryResults in the form that the API reference documents. It
// finds nothing by itself: every query gets all lines, after a look at which it still runs.
type fakeLogs struct {
	queries []map[string]any
	looks   int
}

func (f *fakeLogs) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/x-amz-json-1.1")
	switch r.Header.Get("X-Amz-Target") {
	case "Logs_20140328.StartQuery":
		var in map[string]any
		_ = json.Unmarshal(body, &in)
		f.queries = append(f.queries, in)
		_, _ = io.WriteString(w, `{"queryId":"12ab3456-12ab-123a-789e-1234567890ab"}`)
	case "Logs_20140328.GetQueryResults":
		if f.looks++; f.looks == 1 {
			_, _ = io.WriteString(w, `{"status":"Running","results":[],"statistics":{"recordsMatched":0,"recordsScanned":0,"bytesScanned":0}}`)
			return
		}
		var rows []string
		for i, line := range logged {
			rows = append(rows, fmt.Sprintf(`[{"field":"@message","value":%q},{"field":"@ptr","value":"ptr%d"}]`, line, i))
		}
		_, _ = fmt.Fprintf(w, `{"status":"Complete","results":[%s],"statistics":{"recordsMatched":5,"recordsScanned":9,"bytesScanned":2048}}`, strings.Join(rows, ","))
	default:
		w.WriteHeader(http.StatusBadRequest)
	}
}

// The story of a deployed request comes from two queries: one for the request, and one for what
// shares its trace or its batch.
func TestInsights(t *testing.T) {
	t.Parallel()
	fake := &fakeLogs{}
	server := httptest.NewServer(fake)
	defer server.Close()
	from, to, err := story.SearchPeriod(requestID)
	if err != nil {
		t.Fatal(err)
	}
	s := story.Insights{
		Client: cloudwatchlogs.New(cloudwatchlogs.Options{BaseEndpoint: &server.URL, Region: "eu-central-1", Credentials: aws.AnonymousCredentials{}}),
		Stage:  "prod", From: from, To: to, Wait: func(context.Context, time.Duration) error { return nil },
	}
	lines, err := story.Find(requestID, func(m story.Match) ([]story.Line, error) { return s.Search(t.Context(), m) })
	if err != nil {
		t.Fatal(err)
	}
	const want = `request 01a20321-0c00-7000-8000-000000000001
trace   1-6921a7f0-0c0070008000000000000001
batch   01a20321-0c00-7000-8000-000000000002
    +0.000 s  POST /talent-network/candidates/submit -> 200 in 40 ms
    +0.100 s  ingest: submission s1, attempt 1, from the queue: queued again in 1100 ms, because S3: 503
   +61.600 s  ingest: submission s1, attempt 2: succeeded in 900 ms
   +64.000 s  later request later: GET /talent-network/batches/{batchId} -> 200 in 10 ms
outcome of s1: succeeded at attempt 2
`
	if diff := cmp.Diff(want, story.Tell(requestID, lines)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	query := func(filter string) map[string]any {
		return map[string]any{
			"queryString": "SOURCE logGroups(namePrefix: ['/aws/lambda/rmk-prod-', '/rmk/prod/'])\n| fields @message\n| filter " + filter + "\n| sort @timestamp asc\n| limit 10000",
			"startTime":   float64(from.Unix()), "endTime": float64(to.Unix()),
		}
	}
	if diff := cmp.Diff([]map[string]any{
		query(`request_id = "` + requestID + `"`),
		query(`request_id = "` + requestID + `" or trace_id = "` + traceID + `" or batch = "` + batchID + `"`),
	}, fake.queries); diff != "" {
		t.Errorf("queries (-want +got):\n%s", diff)
	}
}

// An id is searched for around the time that it contains; what is no id is refused before a query
// can be made of it.
func TestSearchPeriod(t *testing.T) {
	t.Parallel()
	from, to, err := story.SearchPeriod(requestID)
	at := time.Date(2026, 11, 22, 12, 0, 27, 0, time.UTC)
	if !from.Equal(at.Add(-time.Hour)) || !to.Equal(at.Add(24*time.Hour)) || err != nil {
		t.Errorf("got %v to %v, %v; want an hour before %v to a day after it", from, to, err, at)
	}
	for _, id := range []string{"", "edge", `x" or 1 = "1`, "6bc28136-0000-4365-b021-0ce6b2e64ab0"} {
		if _, _, err := story.SearchPeriod(id); err == nil {
			t.Errorf("%q was accepted", id)
		}
	}
	unsafe := story.Match{TraceID: `x" or "" = "`}
	if _, err := (story.Insights{}).Search(t.Context(), unsafe); err == nil || !strings.Contains(err.Error(), "cannot be searched for") {
		t.Errorf("got %v", err)
	}
}
