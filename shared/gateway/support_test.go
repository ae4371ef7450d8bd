package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

var testNow = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

const testID = "0195f3a0-0000-7000-8000-000000000001"

// fakeAuthenticator is an Authenticator whose keys are the words after "Bearer": the key type,
// "noscope" for a key of the right type without scopes, "full" for a full window.
type fakeAuthenticator struct{}

func (fakeAuthenticator) Authenticate(_ context.Context, authorization string, tier contract.Tier, now time.Time) (apikey.Authentication, error) {
	key, ok := strings.CutPrefix(authorization, "Bearer ")
	if !ok {
		return apikey.Authentication{}, fault.New(fault.Unauthenticated, contract.MissingAPIKey, "Send Authorization: Bearer <API key>.")
	}
	a := apikey.Authentication{Limit: tier.Limit, Remaining: tier.Limit - 1, Reset: now.Add(52500 * time.Millisecond)}
	kind, bare := strings.CutSuffix(key, "-noscope")
	a.Caller = apikey.Caller{KeyID: "key_1", Type: contract.KeyType(kind), Principal: "p_1", Environment: "live"}
	if !bare {
		a.Caller.Scopes = a.Caller.Type.Scopes()
	}
	switch key {
	case "full":
		a.Remaining = 0
		e := fault.New(fault.TooMany, contract.RateLimited, "Too many requests; wait for Retry-After seconds.")
		e.RetryAfter = 53 * time.Second
		return a, e
	case "broken":
		return apikey.Authentication{}, io.ErrUnexpectedEOF
	case "agency", "personal", "agency-noscope", "personal-noscope":
		return a, nil
	}
	return apikey.Authentication{}, fault.New(fault.Unauthenticated, contract.InvalidAPIKey, "The API key is invalid.")
}

// Recall remembers no key.
func (fakeAuthenticator) Recall(string, contract.Tier, time.Time) (apikey.Caller, bool) {
	return apikey.Caller{}, false
}

// stubHandlers are handlers that answer the zero value of every row.
func stubHandlers() map[string]Handler {
	all := map[string]Handler{}
	for _, r := range contract.Routes {
		switch {
		case r.Output == nil:
			all[r.Operation] = Handler{in: r.Input, out: reflect.TypeFor[Page](), serve: func(context.Context, *Call, reflect.Value) (any, error) {
				return Page{ContentType: "text/html", Body: []byte("<p>")}, nil
			}}
		default:
			all[r.Operation] = Handler{in: r.Input, out: r.Output, serve: func(context.Context, *Call, reflect.Value) (any, error) {
				return reflect.Zero(r.Output).Interface(), nil
			}}
		}
	}
	return all
}

func noInput[Out any](context.Context, *Call) (out Out, err error) { return }

func zeroOutput[In, Out any](context.Context, *Call, In) (out Out, err error) { return }

// handlersOf are the handlers of one function.
func handlersOf(f contract.Function, all map[string]Handler) map[string]Handler {
	mine := map[string]Handler{}
	for _, r := range contract.Routes {
		if h, ok := all[r.Operation]; ok && r.Function == f {
			mine[r.Operation] = h
		}
	}
	return mine
}

// logged is a log that a test can read.
type logged struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// testGateway makes the gateway of a function; handlers replace stubs.
func testGateway(t testing.TB, f contract.Function, handlers map[string]Handler, change ...func(*Config)) (*Gateway, *logged) {
	t.Helper()
	out := &logged{}
	cfg := Config{
		Function: f, Authenticator: fakeAuthenticator{}, Version: "test",
		Now:   func() time.Time { return testNow },
		NewID: func() uuid.UUID { return uuid.MustParse(testID) },
		Log:   slog.New(slog.NewJSONHandler(out, nil)),
	}
	for _, c := range change {
		c(&cfg)
	}
	all := handlersOf(f, stubHandlers())
	for operation, h := range handlers {
		all[operation] = h
	}
	g, err := New(cfg, all)
	if err != nil {
		t.Fatal(err)
	}
	return g, out
}

// sendRequest makes a request with an agency key; headers come in pairs.
func sendRequest(h http.Handler, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, "http://api.example.com", strings.NewReader(body))
	r.URL.Path = ""
	r.URL.RawPath = ""
	r.URL.RawQuery = ""
	if err := setTarget(r, path); err != nil {
		panic(err)
	}
	r.Header.Set("Authorization", "Bearer agency")
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] == "" {
			r.Header.Del(headers[i])
		} else {
			r.Header.Add(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// setTarget puts a path with query, relative to the base path, on a request.
func setTarget(r *http.Request, target string) error {
	u, err := r.URL.Parse(contract.BasePath + target)
	if err != nil {
		return err
	}
	r.URL = u
	r.RequestURI = u.RequestURI()
	return nil
}

// decodeProblem decodes an error answer and checks what every one must have.
func decodeProblem(t testing.TB, w *httptest.ResponseRecorder) contract.ErrorBody {
	t.Helper()
	var e contract.ErrorEnvelope
	if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil {
		t.Fatalf("status %d, body %q: %v", w.Code, w.Body, err)
	}
	if e.Error.RequestID != w.Header().Get("X-Request-Id") || e.Error.RequestID == "" {
		t.Errorf("request_id %q, X-Request-Id %q", e.Error.RequestID, w.Header().Get("X-Request-Id"))
	}
	if e.Error.Message == "" || e.Error.Type == "" {
		t.Errorf("envelope without type or message: %+v", e)
	}
	if e.Error.Code != "" && contract.Codes[e.Error.Code] != w.Code {
		t.Errorf("code %q with status %d", e.Error.Code, w.Code)
	}
	return e.Error
}
