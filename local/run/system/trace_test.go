package system_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

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

// tracedSystem is a system whose log can be searched, and in which the next reading of an upload
// can be made to fail.
type tracedSystem struct {
	*testSystem
	log      logBuffer
	failNext atomic.Bool
}

func (s *tracedSystem) failReading(_ context.Context, call cloud.Call, send func() error) error {
	in, ok := call.Input.(*s3.GetObjectInput)
	if ok && strings.HasPrefix(*in.Key, "uploads/") && s.failNext.CompareAndSwap(true, false) {
		return errors.New("S3 is away")
	}
	return send()
}

// tracedLine is a line of the log, with the attributes that lead from one to another.
type tracedLine struct {
	Msg, Operation, Status, Code, Cause string
	Attempt                             int
	RequestID                           string `json:"request_id"`
	TraceID                             string `json:"trace_id"`
	Batch                               string
	text                                string
}

// linesWith returns the lines of the log that have a request id, trace id or batch.
func (s *tracedSystem) linesWith(id string) (all []tracedLine) {
	for text := range strings.Lines(s.log.String()) {
		l := tracedLine{text: text}
		_ = json.Unmarshal([]byte(text), &l) // the status of a request is a number, that of an attempt a text
		if id != "" && (l.RequestID == id || l.TraceID == id || l.Batch == id) {
			all = append(all, l)
		}
	}
	return all
}

// followSubmission submits a candidate, waits for the end in the log, reads the batch once, and
// returns the lines that lead from the request's id to its trace and its batch, as words.
func (s *tracedSystem) followSubmission(person person, slug string) (steps []string) {
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
	s.waitUntil("the line of "+ids.last, func() bool { return len(s.linesWith(ids.last)) > 0 })
	own := s.linesWith(request)
	if len(own) == 0 || own[0].Batch != accepted.BatchID {
		s.t.Fatalf("the line of the request %s: got %+v; want the batch %s in it", request, own, accepted.BatchID)
	}
	for _, l := range s.linesWith(own[0].Batch) {
		if l.Msg == "ingest" && l.TraceID != own[0].TraceID {
			s.t.Errorf("an attempt is of the trace %q; want %q", l.TraceID, own[0].TraceID)
		}
		for _, private := range []string{person.email, person.name, strings.Fields(person.name)[0], key, "linkedin.com", "EXPERIENCE"} {
			if strings.Contains(l.text, private) {
				s.t.Errorf("a line has %q: %s", private, l.text)
			}
		}
		steps = append(steps, l.words())
	}
	return steps
}

func (l tracedLine) words() string {
	if l.Msg == "request" {
		return "request " + l.Operation
	}
	cause := l.Cause[strings.LastIndex(l.Cause, ": ")+1:]
	return strings.Join(strings.Fields(fmt.Sprintln(l.Msg, l.Attempt, l.Status, l.Code, cause)), " ")
}

// The log leads from the id of a request to its trace and its batch, and from these to every
// attempt, its cause and its outcome.
func TestTheLogLeadsFromARequestToItsOutcome(t *testing.T) {
	t.Parallel()
	s := &tracedSystem{}
	s.testSystem = startSystemWith(t, nil, system.Options{Log: slog.New(slog.NewJSONHandler(&s.log, nil))}, s.failReading)
	const submitted, read = "request submitCandidate", "request getBatch"
	for name, tt := range map[string]struct {
		person person
		slug   string
		fail   bool
		want   []string
	}{
		"succeeded": {jonas, "", false, []string{submitted, "ingest 1 succeeded", read}},
		"failed":    {priya, "sandbox-not-found", false, []string{submitted, "ingest 1 failed linkedin_profile_not_found", read}},
		"retried": {mayaLibreOffice, "", true, []string{
			submitted, "ingest 1 queued S3 is away", "ingest 2 succeeded", read,
		}},
	} {
		s.failNext.Store(tt.fail)
		if diff := cmp.Diff(tt.want, s.followSubmission(tt.person, tt.slug)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
