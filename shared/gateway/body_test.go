package gateway

import (
	"context"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// unsized hides the length of a body, as chunked encoding does.
type unsized struct{ io.Reader }

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	fill := contract.MaxBodyBytes - len(good)
	exact := strings.Replace(good, "JVBERi0=", "JVBERi0="+strings.Repeat("A", fill), 1)
	for name, c := range map[string]struct {
		path, body string
		chunked    bool
		want       int
	}{
		"12 MiB":                         {submitPath, exact, false, 200},
		"12 MiB chunked":                 {submitPath, exact, true, 200},
		"one byte more":                  {submitPath, exact + " ", false, 413},
		"one byte more chunked":          {submitPath, exact + " ", true, 413},
		"one byte more to nowhere":       {"/nowhere", exact + " ", true, 413},
		"12 MiB to nowhere":              {"/nowhere", exact, true, 404},
		"one byte more to health-to-be":  {"/health", exact + " ", false, 413},
		"one byte more without any path": {"", exact + " ", false, 413},
	} {
		r := httptest.NewRequest("POST", "http://api.example.com"+contract.BasePath+c.path, nil)
		r.Body = io.NopCloser(strings.NewReader(c.body))
		r.ContentLength = int64(len(c.body))
		if c.chunked {
			r.Body = io.NopCloser(unsized{strings.NewReader(c.body)})
			r.ContentLength = -1
		}
		r.Header.Set("Authorization", "Bearer agency")
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s: status %d, want %d", name, w.Code, c.want)
		}
		if w.Code == 413 && (w.Header().Get("X-Request-Id") != "" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") || strings.Contains(w.Body.String(), "{")) {
			t.Errorf("%s: headers %v, body %s", name, w.Header(), w.Body)
		}
	}
}

// TestTooLargeOverTheWire checks that a client that is still sending reads the
// answer instead of a broken connection.
func TestTooLargeOverTheWire(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	server := httptest.NewServer(g)
	defer server.Close()
	for name, body := range map[string]io.Reader{
		"sized":   strings.NewReader(strings.Repeat(" ", contract.MaxBodyBytes+1<<20)),
		"chunked": unsized{strings.NewReader(strings.Repeat(" ", contract.MaxBodyBytes+1<<20))},
	} {
		answer, err := server.Client().Post(server.URL+contract.BasePath+submitPath, "application/json", body)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != 413 || string(text) != "The request body is over 12 MB.\n" {
			t.Errorf("%s: status %d, body %q, %v", name, answer.StatusCode, text, err)
		}
	}
}

// endless is a body that never ends and counts what was read of it.
type endless struct{ read int }

func (e *endless) Read(b []byte) (int, error) {
	e.read += len(b)
	return len(b), nil
}

func TestDrainIsBounded(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	for _, length := range []int64{-1, 1 << 40} {
		body := &endless{}
		r := httptest.NewRequest("POST", "http://api.example.com"+contract.BasePath+submitPath, body)
		r.ContentLength = length
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if most := drainBytes + contract.MaxBodyBytes + 1<<20; w.Code != 413 || body.read > most || body.read < contract.MaxBodyBytes {
			t.Errorf("length %d: status %d after %d bytes, at most %d", length, w.Code, body.read, most)
		}
	}
}

// torn is a body that breaks off.
type torn struct{}

func (torn) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestBodyThatBreaksOff(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	r := httptest.NewRequest("POST", "http://api.example.com"+contract.BasePath+submitPath, torn{})
	r.Header.Set("Authorization", "Bearer agency")
	w := httptest.NewRecorder()
	g.ServeHTTP(w, r)
	if e := decodeProblem(t, w); w.Code != 400 || e.Type != "invalid_request_error" {
		t.Errorf("status %d, body %s", w.Code, w.Body)
	}
}

// queuedStub is a [QueuedBody] with errors for its turns; it records who asked for them, and how
// much of the body was left.
type queuedStub struct {
	*strings.Reader
	reading, handling error
	asked             []string
}

func (q *queuedStub) AwaitReading(_ context.Context, caller apikey.Caller) error {
	q.asked = append(q.asked, fmt.Sprintf("%s reads %d", caller.Principal, q.Len()))
	return q.reading
}

func (q *queuedStub) AwaitHandling(_ context.Context, caller apikey.Caller) error {
	q.asked = append(q.asked, fmt.Sprintf("%s handles %d", caller.Principal, q.Len()))
	return q.handling
}

func (*queuedStub) Close() error { return nil }

// A body waits for its turns only after the caller is known and may call the route, and for
// being handled only when it has arrived.
func TestABodyWaitsForItsTurns(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	busy := fault.New(fault.TooMany, contract.RateLimited, "Busy.")
	reads := fmt.Sprintf("p_1 reads %d", len(good))
	handles := "p_1 handles 0"
	for name, c := range map[string]struct {
		path, key         string
		reading, handling error
		want              int
		asked             []string
	}{
		"a caller":          {submitPath, "agency", nil, nil, 200, []string{reads, handles}},
		"not read":          {submitPath, "agency", busy, nil, 429, []string{reads}},
		"not handled":       {submitPath, "agency", nil, busy, 429, []string{reads, handles}},
		"no key":            {submitPath, "nobody", nil, nil, 401, nil},
		"the other surface": {submitPath, "personal", nil, nil, 403, nil},
		"no scope":          {submitPath, "agency-noscope", nil, nil, 403, nil},
		"full window":       {submitPath, "full", nil, nil, 429, nil},
		"no route":          {"/nowhere", "agency", nil, nil, 404, nil},
	} {
		body := &queuedStub{Reader: strings.NewReader(good), reading: c.reading, handling: c.handling}
		r := httptest.NewRequest("POST", "http://api.example.com"+contract.BasePath+c.path, nil)
		r.Body = body
		r.ContentLength = -1
		r.Header.Set("Authorization", "Bearer "+c.key)
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		if w.Code != c.want || !slices.Equal(body.asked, c.asked) {
			t.Errorf("%s: got %d, turns of %q; want %d, turns of %q", name, w.Code, body.asked, c.want, c.asked)
		}
		if n, err := io.Copy(io.Discard, body); n != 0 || err != nil {
			t.Errorf("%s: %d bytes of the body were left on the connection, %v", name, n, err)
		}
	}
}

// BenchmarkSubmit sends a submission of 8 MiB through the whole gateway; its
// bytes per operation tell that the body exists once.
func BenchmarkSubmit(b *testing.B) {
	g, _ := testGateway(b, contract.Submissions, nil)
	body := strings.Replace(good, "JVBERi0=", strings.Repeat("QUJD", 2<<20), 1)
	r := httptest.NewRequest("POST", "http://api.example.com"+contract.BasePath+submitPath, nil)
	r.Header.Set("Authorization", "Bearer agency")
	r.ContentLength = int64(len(body))
	b.SetBytes(r.ContentLength)
	b.ReportAllocs()
	for b.Loop() {
		r.Body = io.NopCloser(strings.NewReader(body))
		w := httptest.NewRecorder()
		if g.ServeHTTP(w, r); w.Code != 200 {
			b.Fatal(w.Body)
		}
	}
}
