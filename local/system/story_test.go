package system_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/story"
	"github.com/recruiting-marketplace/external-api/local/system"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

var updateStories = flag.Bool("stories", false, "write the stories anew")

// idTransport keeps the X-Request-Id of the last response.
type idTransport struct{ last string }

// RoundTrip implements http.RoundTripper.
func (i *idTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		i.last = response.Header.Get("X-Request-Id")
	}
	return response, err
}

// storySystem is a system whose log can be searched, and in which the next reading of an upload
// can be made to fail.
type storySystem struct {
	*testSystem
	log      logBuffer
	failNext atomic.Bool
}

func (s *storySystem) failReading(_ context.Context, call cloud.Call, send func() error) error {
	if in, ok := call.Input.(*s3.GetObjectInput); ok && strings.HasPrefix(*in.Key, "uploads/") && s.failNext.CompareAndSwap(true, false) {
		return errors.New("S3 is away")
	}
	return send()
}

// tellSubmission submits a candidate, waits for the end in the log, reads the batch once, and
// returns the story of the submission.
func (s *storySystem) tellSubmission(person person, slug string) string {
	s.t.Helper()
	ids := &idTransport{}
	key := s.newAgencyKey()
	c := client.New(s.BaseURL, key, client.WithHTTPClient(&http.Client{Transport: ids}))
	accepted, err := c.Submit(s.t.Context(), newSubmitRequest(s.t, person, slug))
	must(s.t, err)
	request := ids.last
	ended := regexp.MustCompile(`"msg":"ingest",[^\n]*"batch":"` + accepted.BatchID + `"[^\n]*"status":"(succeeded|failed)"`)
	s.waitUntil("the end of "+accepted.BatchID, func() bool { return ended.MatchString(s.log.String()) })
	_, err = c.Batch(s.t.Context(), accepted.BatchID)
	must(s.t, err)
	s.waitUntil("the line of "+ids.last, func() bool { return strings.Contains(s.log.String(), ids.last) })
	lines, err := story.Find(request, func(m story.Match) ([]story.Line, error) { return story.Filter(strings.NewReader(s.log.String()), m) })
	must(s.t, err)
	for _, l := range lines {
		if l["msg"] == "ingest" && l["trace_id"] != lines[0]["trace_id"] {
			s.t.Errorf("%v is of another trace than %v", l, lines[0])
		}
	}
	told := story.Tell(request, lines)
	for _, private := range []string{person.email, person.name, strings.Fields(person.name)[0], key, "linkedin.com", "EXPERIENCE"} {
		if strings.Contains(told, private) {
			s.t.Errorf("the story has %q:\n%s", private, told)
		}
	}
	return told
}

var (
	storyID   = regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b1-[0-9a-f]{8}-[0-9a-f]{24}\b`)
	storyTime = regexp.MustCompile(` *\+\d+\.\d{3} s|\d+ ms`)
)

// withoutIDs replaces ids by their order, and times, which differ between runs.
func withoutIDs(told string) string {
	ids := map[string]string{}
	told = storyID.ReplaceAllStringFunc(told, func(id string) string {
		if ids[id] == "" {
			ids[id] = fmt.Sprintf("<id %d>", len(ids)+1)
		}
		return ids[id]
	})
	return storyTime.ReplaceAllString(told, "<time>")
}

// The stories of a submission that succeeds, one that fails and one that is tried again are
// those of testdata: one trace from the request through the queue and every attempt, and the
// later request on its batch.
func TestStories(t *testing.T) {
	t.Parallel()
	s := &storySystem{}
	s.testSystem = startSystemWith(t, nil, system.Options{Hooks: []cloud.Hook{s.failReading}, Log: slog.New(slog.NewJSONHandler(&s.log, nil))})
	var told strings.Builder
	for _, tt := range []struct {
		name   string
		person person
		slug   string
		fail   bool
	}{
		{"succeeded", jonas, "", false}, {"failed", priya, "sandbox-not-found", false}, {"retried", mayaLibreOffice, "", true},
	} {
		s.failNext.Store(tt.fail)
		fmt.Fprintf(&told, "== %s\n%s", tt.name, withoutIDs(s.tellSubmission(tt.person, tt.slug)))
	}
	const golden = "testdata/stories.golden"
	if *updateStories {
		must(t, os.WriteFile(golden, []byte(told.String()), 0o600))
	}
	want, err := os.ReadFile(golden)
	must(t, err)
	if diff := cmp.Diff(string(want), told.String()); diff != "" {
		t.Errorf("stories (-want +got), go test ./local/system -run TestStories -args -stories writes them anew:\n%s", diff)
	}
}
