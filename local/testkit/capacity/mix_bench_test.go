package capacity_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/local/run/system"
	"github.com/recruiting-marketplace/external-api/local/testkit/apitest"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// The clients of BenchmarkMix, the time that they send requests in one go, and the time of the same
// calls without the system.
const (
	mixClients = 8
	mixTime    = 2 * time.Second
)

// mixRequest is a request of the mix; a body makes it a PUT.
type mixRequest struct {
	kind       contract.KeyType
	path, body string
}

// tapTransport counts calls of the database, and keeps the first ones.
type tapTransport struct {
	next  http.RoundTripper
	count atomic.Int64
	mu    sync.Mutex
	kept  []*http.Request
	texts [][]byte
}

// mostKept is the number of calls that are kept.
const mostKept = 4000

// RoundTrip implements http.RoundTripper.
func (t *tapTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Target"), "DynamoDB") {
		return t.next.RoundTrip(r)
	}
	t.count.Add(1)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	if len(t.kept) < mostKept {
		t.kept = append(t.kept, r.Clone(r.Context()))
		t.texts = append(t.texts, body)
	}
	t.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	return t.next.RoundTrip(r)
}

// BenchmarkMix sends a mix of requests from clients that do not pause, through events and adapter, and
// in turns the same calls of the database as fast as the emulator answers them. "calls/s" and
// "ceiling-calls/s" are the rates of calls.
func BenchmarkMix(b *testing.B) {
	s := newScene(b, smallScale)
	tap := &tapTransport{next: s.host.AWS.HTTPClient.(*http.Client).Transport}
	host := s.host
	host.AWS = host.AWS.Copy()
	host.AWS.HTTPClient = &http.Client{Transport: tap}
	var err error
	s.Functions, err = system.OpenFunctions(b.Context(), host)
	s.must(err)
	var requests, repeated int64
	var mixed, alone time.Duration
	for b.Loop() {
		begun := time.Now()
		requests += s.sendMix()
		mixed += time.Since(begun)
		begun = time.Now()
		repeated += tap.repeatCalls(b)
		alone += time.Since(begun)
	}
	b.ReportMetric(float64(requests)/mixed.Seconds(), "requests/s")
	b.ReportMetric(float64(tap.count.Load())/mixed.Seconds(), "calls/s")
	b.ReportMetric(float64(repeated)/alone.Seconds(), "ceiling-calls/s")
}

// sendMix sends requests for a time, and returns their number. The clock moves on, so that two keys
// suffice.
func (s *scene) sendMix() int64 {
	keys := map[contract.KeyType]string{contract.AgencyKey: s.newAgencyKey(), contract.PersonalKey: s.newKey(contract.PersonalKey)}
	path := "/talent-network/candidates/" + s.membership + "/preferences"
	mix := []mixRequest{
		{contract.AgencyKey, "/talent-network/candidates?limit=20", ""}, {contract.AgencyKey, path, ""}, {contract.PersonalKey, "/recruiter/roles?limit=20", ""},
		{contract.PersonalKey, "/recruiter/candidates?limit=20", ""}, {contract.PersonalKey, "/recruiter/roles/role-" + roleTag, ""}, {contract.AgencyKey, "/identity", ""},
		{contract.PersonalKey, "/recruiter/candidates/cand-" + candidateTag, ""}, {contract.PersonalKey, "/recruiter/active-roles", ""},
		{contract.AgencyKey, path, encodeJSON(preferences)},
	}
	var sent atomic.Int64
	var g errgroup.Group
	end := time.Now().Add(mixTime)
	for range mixClients {
		g.Go(func() error {
			for time.Now().Before(end) {
				n := sent.Add(1)
				if n%100 == 0 {
					s.Move(time.Minute)
				}
				r := mix[int(n)%len(mix)]
				method := http.MethodGet
				if r.body != "" {
					method = http.MethodPut
				}
				if a := apitest.Send(s.t.Context(), s.API, keys[r.kind], method, r.path, r.body); a.Status != http.StatusOK && a.Status != http.StatusConflict {
					s.t.Errorf("%s: %d %s", r.path, a.Status, a.Body)
				}
			}
			return nil
		})
	}
	s.must(g.Wait())
	return sent.Load()
}

// repeatCalls sends the kept calls again for a time, and returns how many were answered.
func (t *tapTransport) repeatCalls(b *testing.B) int64 {
	var sent atomic.Int64
	var g errgroup.Group
	begun := time.Now()
	for range mixClients {
		g.Go(func() error {
			for time.Since(begun) < mixTime {
				n := int(sent.Add(1)) % len(t.kept)
				r := t.kept[n].Clone(b.Context())
				r.Body = io.NopCloser(bytes.NewReader(t.texts[n]))
				response, err := t.next.RoundTrip(r)
				if err != nil {
					return err
				}
				_, err = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		b.Fatal(err)
	}
	return sent.Load()
}
