package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	good := handlersOf(contract.Submissions, stubHandlers())
	with := func(operation string, h Handler) map[string]Handler {
		m := handlersOf(contract.Submissions, stubHandlers())
		m[operation] = h
		return m
	}
	without := handlersOf(contract.Submissions, stubHandlers())
	delete(without, "getBatch")
	cases := map[string]struct {
		handlers map[string]Handler
		change   func(*Config)
	}{
		"a missing handler":        {without, nil},
		"another input":            {with("getBatch", Handle(zeroOutput[contract.CandidateRequest, contract.Batch])), nil},
		"another output":           {with("getBatch", Handle(zeroOutput[contract.BatchRequest, contract.Health])), nil},
		"no input":                 {with("getBatch", HandleNoInput(noInput[contract.Batch])), nil},
		"a zero handler":           {with("getBatch", Handler{}), nil},
		"an unknown operation":     {with("getbatch", HandleNoInput(noInput[Page])), nil},
		"another function's":       {with("health", HandleNoInput(noInput[contract.Health])), nil},
		"no authenticator":         {good, func(c *Config) { c.Authenticator = nil }},
		"no clock":                 {good, func(c *Config) { c.Now = nil }},
		"no ids":                   {good, func(c *Config) { c.NewID = nil }},
		"no log":                   {good, func(c *Config) { c.Log = nil }},
		"handlers of one function": {good, func(c *Config) { c.Function = contract.Network }},
	}
	g, _ := testGateway(t, contract.Submissions, nil)
	for name, c := range cases {
		cfg := g.cfg
		if c.change != nil {
			c.change(&cfg)
		}
		if got, err := New(cfg, c.handlers); err == nil || got != nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := New(g.cfg, good); err != nil {
		t.Errorf("the right handlers: %v", err)
	}
}

func TestHandlerSeesTheCall(t *testing.T) {
	t.Parallel()
	var got Call
	var in contract.SubmitRequest
	g, _ := testGateway(t, contract.Submissions, map[string]Handler{
		"submitCandidate": Handle(func(ctx context.Context, call *Call, r contract.SubmitRequest) (contract.SubmitResponse, error) {
			if _, ok := ctx.Deadline(); !ok {
				t.Error("no deadline")
			}
			got = *call
			in = r
			call.SetRetryAfter(1200 * time.Millisecond)
			call.Header().Set("X-Cursor-Warning", "filters-changed")
			return contract.SubmitResponse{Accepted: true}, nil
		}),
	})
	w := sendRequest(g, "POST", submitPath, good, "Idempotency-Key", "a,b c")
	if w.Code != 200 || w.Header().Get("Retry-After") != "2" || w.Header().Get("X-Cursor-Warning") != "filters-changed" {
		t.Errorf("status %d, headers %v", w.Code, w.Header())
	}
	if got.Caller.KeyID != "key_1" || !got.Now.Equal(testNow) || got.RequestID != testID || got.NewID == nil || len(got.Fingerprint) != 64 {
		t.Errorf("call %+v", got)
	}
	want := contract.SubmitRequest{
		IdempotencyKey: "a,b c", Name: "Ada Example", LinkedInURL: "https://www.linkedin.com/in/ada-example", Email: "ada@example.com",
		Preferences: contract.WorkPreferences{
			Locations: []contract.Location{"uk"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE"}, SalaryMin: 150000,
			IdealFundingRounds: []contract.FundingRound{"SEED", "SERIES_A"}, VisaAuthorization: "NO_VISA_AUTHORIZATION_NEEDED", RoleType: []contract.RoleType{"backend_engineer"},
		},
		ScreeningCallLink: new("https://calls.example.com/1"), RecruiterEmail: new("member@example.org"),
		Resume: contract.ResumeFile{FileName: new("cv.pdf"), ContentBase64: "JVBERi0="},
	}
	if diff := cmp.Diff(want, in); diff != "" {
		t.Errorf("input (-want +got):\n%s", diff)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	base := hashRequest("POST", "/a", "{}")
	for _, other := range []string{hashRequest("PUT", "/a", "{}"), hashRequest("POST", "/b", "{}"), hashRequest("POST", "/a", "{} "), hashRequest("POST", "/a\n{}", "")} {
		if other == base {
			t.Error("two requests share a fingerprint")
		}
	}
	if hashRequest("POST", "/a", "{}") != base {
		t.Error("one request has two fingerprints")
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	stored := []byte(`{"accepted":true,"deduplicated":false,"batchId":"b","submissionId":"s"}`)
	g, _ := testGateway(t, contract.Submissions, map[string]Handler{
		"submitCandidate": Handle(func(_ context.Context, call *Call, _ contract.SubmitRequest) (out contract.SubmitResponse, err error) {
			return out, call.Replay(stored, &out)
		}),
	})
	w := sendRequest(g, "POST", submitPath, good)
	if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), stored) || w.Header().Get("Idempotent-Replayed") != "true" || w.Header().Get("X-Request-Id") != testID {
		t.Errorf("status %d, headers %v, body %s", w.Code, w.Header(), w.Body)
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Platform, map[string]Handler{
		"docs": Handle(func(_ context.Context, call *Call, _ contract.DocsRequest) (Page, error) {
			call.Header().Set("Cache-Control", "public, max-age=300")
			return Page{ContentType: "text/html; charset=utf-8", Body: []byte("<h1>&</h1>")}, nil
		}),
	})
	w := sendRequest(g, "GET", "/docs", "")
	want := http.Header{"Content-Type": {"text/html; charset=utf-8"}, "Cache-Control": {"public, max-age=300"}, "X-Content-Type-Options": {"nosniff"}}
	if diff := cmp.Diff(want, w.Header()); diff != "" || w.Body.String() != "<h1>&</h1>" {
		t.Errorf("body %q, headers (-want +got):\n%s", w.Body, diff)
	}
}

func TestPanicIsAnEnvelopedFault(t *testing.T) {
	t.Parallel()
	g, log := testGateway(t, contract.Submissions, map[string]Handler{
		"getBatch": Handle(func(context.Context, *Call, contract.BatchRequest) (contract.Batch, error) { panic("boom") }),
	})
	w := sendRequest(g, "GET", "/talent-network/batches/"+testID, "")
	if e := decodeProblem(t, w); w.Code != 500 || e.Type != "api_error" || strings.Contains(w.Body.String(), "boom") {
		t.Errorf("status %d, body %s", w.Code, w.Body)
	}
	for _, want := range []string{"panic: a value of type string", "gateway_test.go", `"level":"ERROR"`} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log does not hold %q: %s", want, log)
		}
	}
}

func TestLogLine(t *testing.T) {
	t.Parallel()
	g, log := testGateway(t, contract.Submissions, failingHandlers(fault.Missing().Because(errors.New("no row"))))
	sendRequest(g, "GET", "/talent-network/batches/"+testID+"?email=ada@example.com", "", "X-Request-Id", "trace-1")
	sendRequest(g, "GET", "/unknown/ada@example.com?x=ada@example.com", "", "X-Request-Id", "bad\x01id")
	sendRequest(g, "POST", submitPath, strings.Replace(good, `150000`, `"ada@example.com"`, 1))
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want 3", len(lines))
	}
	var first, second map[string]any
	if json.Unmarshal([]byte(lines[0]), &first) != nil || json.Unmarshal([]byte(lines[1]), &second) != nil {
		t.Fatalf("lines %q", lines)
	}
	for key, want := range map[string]any{
		"request_id": testID, "client_request_id": "trace-1", "operation": "getBatch", "method": "GET", "version": "test",
		"route": "/talent-network/batches/{batchId}", "status": 404.0, "ms": 0.0, "key_id": "key_1", "environment": "live", "code": "", "cause": "no row",
	} {
		if first[key] != want {
			t.Errorf("%s is %v, want %v", key, first[key], want)
		}
	}
	if second["client_request_id"] != "" {
		t.Errorf("an unprintable request id was logged: %v", second)
	}
	for _, secret := range []string{"ada@", "Bearer", "secret", "Ada"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %q: %s", secret, log)
		}
	}
}

func TestOrigin(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil, func(c *Config) { c.OriginSecrets = []string{"old-secret", "new-secret"} })
	for secret, want := range map[string]int{"old-secret": 200, "new-secret": 200, "other": 404, "": 404, "old-secre": 404} {
		w := sendRequest(g, "GET", "/talent-network/batches/"+testID, "", "X-Origin-Secret", secret)
		if w.Code != want {
			t.Errorf("%q: status %d, want %d", secret, w.Code, want)
		}
	}
	big := strings.Repeat("x", contract.MaxBodyBytes+1)
	if w := sendRequest(g, "POST", submitPath, big); w.Code != 404 {
		t.Errorf("a body from elsewhere: status %d, want 404", w.Code)
	}
}

func TestIgnoredParameters(t *testing.T) {
	t.Parallel()
	g, _ := testGateway(t, contract.Submissions, nil)
	for query, want := range map[string]string{
		"":                           "",
		"?b=1&a=2&b=3":               "a, b",
		"?Limit=1&%0d%0aX-Evil=1":    "%0D%0AX-Evil, Limit",
		"?a,b=1":                     "a%2Cb",
		"?" + "n=1&" + elevenNames(): "n, p00, p01, p02, p03, p04, p05, p06, p07, p08",
	} {
		w := sendRequest(g, "GET", "/talent-network/batches/"+testID+query, "")
		if got := w.Header().Get("X-Ignored-Params"); w.Code != 200 || got != want {
			t.Errorf("%q: status %d, %q, want %q", query, w.Code, got, want)
		}
	}
}

func elevenNames() string {
	var names []string
	for i := range 11 {
		names = append(names, "p"+string(rune('0'+i/10))+string(rune('0'+i%10))+"=1")
	}
	return strings.Join(names, "&")
}
