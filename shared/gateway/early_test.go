package gateway

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// slowCheck is an Authenticator that remembers a caller and checks a key only when the handler has
// got as far as begun is closed.
type slowCheck struct {
	remembered, now apikey.Caller
	begun           chan struct{}
	refusal         error
}

func (s *slowCheck) Recall(string, contract.Tier, time.Time) (apikey.Caller, bool) {
	return s.remembered, true
}

func (s *slowCheck) Authenticate(ctx context.Context, _ string, tier contract.Tier, now time.Time) (apikey.Authentication, error) {
	select {
	case <-s.begun:
	case <-time.After(time.Minute): // a guard against hanging
		return apikey.Authentication{}, errors.New("no handler began beside the check")
	}
	a := apikey.Authentication{Caller: s.now, Limit: tier.Limit, Remaining: 7, Reset: now.Add(time.Minute)}
	if fault.As(s.refusal).Kind == fault.Unauthenticated {
		a = apikey.Authentication{}
	}
	return a, s.refusal
}

func newSlowCheck() *slowCheck {
	caller := apikey.Caller{KeyID: "key_1", Type: contract.AgencyKey, Principal: "p_1", Scopes: contract.AgencyKey.Scopes()}
	return &slowCheck{remembered: caller, now: caller, begun: make(chan struct{})}
}

// serveBeside serves a request for a batch whose handler begins early.
func serveBeside(t *testing.T, check *slowCheck, handler func(context.Context, *Call) (contract.Batch, error)) (status int, header http.Header, body, log string) {
	t.Helper()
	g, out := testGateway(t, contract.Submissions, map[string]Handler{
		"getBatch": Handle(func(ctx context.Context, call *Call, _ contract.BatchRequest) (contract.Batch, error) {
			return handler(ctx, call)
		}).BeginEarly(),
	}, func(c *Config) { c.Authenticator = check })
	w := sendRequest(withoutBody(g), "GET", "/talent-network/batches/"+testID+"?more=1", "")
	return w.Code, w.Header(), w.Body.String(), out.String()
}

// withoutBody passes requests on as Lambda hands over those without a body.
func withoutBody(g *Gateway) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.NoBody
		g.ServeHTTP(w, r)
	})
}

func TestHandlerRunsBesideTheCheck(t *testing.T) {
	t.Parallel()
	check := newSlowCheck()
	status, header, body, log := serveBeside(t, check, func(_ context.Context, call *Call) (contract.Batch, error) {
		close(check.begun)
		call.SetRetryAfter(2 * time.Second)
		call.BatchID = testID
		_, err := call.AwaitAdmission()
		return contract.Batch{BatchID: call.Caller.Principal}, err
	})
	if status != 200 || !strings.Contains(body, `"batchId":"p_1"`) {
		t.Errorf("got %d %s", status, body)
	}
	for name, want := range map[string]string{"Retry-After": "2", "X-Ratelimit-Remaining": "7", "X-Ignored-Params": "more"} {
		if header.Get(name) != want {
			t.Errorf("%s is %q; want %q", name, header.Get(name), want)
		}
	}
	for _, want := range []string{`"key_id":"key_1"`, `"batch":"` + testID} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not have %s: %s", want, log)
		}
	}
}

// What a handler finds, or that it panics, is told only to a caller whose key passes; the handler is
// cancelled and has ended when the response is written.
func TestARefusedRequestLearnsNothing(t *testing.T) {
	t.Parallel()
	full := fault.New(fault.TooMany, contract.RateLimited, "Too many requests.")
	for name, handler := range map[string]func(context.Context, *Call) (contract.Batch, error){
		"a result": func(context.Context, *Call) (contract.Batch, error) { return contract.Batch{BatchID: "secret"}, nil },
		"an error": func(context.Context, *Call) (contract.Batch, error) { return contract.Batch{}, fault.Missing() },
		"a panic":  func(context.Context, *Call) (contract.Batch, error) { panic("secret") },
		"an admission": func(_ context.Context, call *Call) (contract.Batch, error) {
			_, err := call.AwaitAdmission()
			return contract.Batch{}, err
		},
	} {
		for want, refusal := range map[int]error{401: fault.New(fault.Unauthenticated, contract.RevokedAPIKey, "Revoked."), 429: full, 500: io.ErrUnexpectedEOF} {
			check := newSlowCheck()
			check.refusal = refusal
			ended := false
			status, header, body, log := serveBeside(t, check, func(ctx context.Context, call *Call) (contract.Batch, error) {
				defer func() { ended = true }()
				call.SetRetryAfter(time.Second)
				close(check.begun)
				<-ctx.Done()
				return handler(ctx, call)
			})
			if status != want || !ended || strings.Contains(body+log, "secret") || header.Get("X-Ignored-Params") != "" || want == 401 && header.Get("Retry-After") != "" {
				t.Errorf("%s: got %d, want %d; the handler has ended: %v; %s %v", name, status, want, ended, body, header)
			}
			if left := header.Get("X-Ratelimit-Remaining"); (want == 429) != (left == "7") && want != 500 {
				t.Errorf("%s, %d: %q requests left", name, want, left)
			}
		}
	}
}

func TestAPanicBesideAPassingCheckIsAnError(t *testing.T) {
	t.Parallel()
	check := newSlowCheck()
	status, _, body, log := serveBeside(t, check, func(context.Context, *Call) (contract.Batch, error) {
		close(check.begun)
		panic("boom")
	})
	if status != 500 || strings.Contains(body, "boom") || !strings.Contains(log, "early_test.go") {
		t.Errorf("got %d %s %s", status, body, log)
	}
}

// A key whose caller has changed is served as what it is now, and nothing is written before.
func TestAChangedCallerIsServedAgain(t *testing.T) {
	t.Parallel()
	check := newSlowCheck()
	check.now.PrimaryOwner = "new"
	var began, wrote []string
	status, _, body, _ := serveBeside(t, check, func(_ context.Context, call *Call) (contract.Batch, error) {
		began = append(began, call.Caller.PrimaryOwner)
		if len(began) == 1 {
			close(check.begun)
		}
		if _, err := call.AwaitAdmission(); err != nil {
			return contract.Batch{}, err
		}
		wrote = append(wrote, call.Caller.PrimaryOwner)
		return contract.Batch{BatchID: call.Caller.PrimaryOwner}, nil
	})
	if status != 200 || !strings.Contains(body, `"batchId":"new"`) || strings.Join(began, ",") != ",new" || strings.Join(wrote, ",") != "new" {
		t.Errorf("got %d %s; began as %q, wrote as %q", status, body, began, wrote)
	}
}

// A handler waits for the check if it is not said to begin early, if the remembered key lacks a
// scope, and if the body is still to come.
func TestHandlersThatWait(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		handler func(Handler) Handler
		change  func(*slowCheck)
		serve   func(*Gateway) http.Handler
	}{
		"not early": {func(h Handler) Handler { return h }, func(*slowCheck) {}, withoutBody},
		"no scope":  {Handler.BeginEarly, func(s *slowCheck) { s.remembered.Scopes = nil }, withoutBody},
		"a body":    {Handler.BeginEarly, func(*slowCheck) {}, func(g *Gateway) http.Handler { return g }},
	} {
		check := newSlowCheck()
		tt.change(check)
		check.refusal = io.ErrUnexpectedEOF
		close(check.begun)
		g, _ := testGateway(t, contract.Submissions, map[string]Handler{
			"getBatch": tt.handler(Handle(func(context.Context, *Call, contract.BatchRequest) (contract.Batch, error) {
				t.Errorf("%s: the handler began", name)
				return contract.Batch{}, nil
			})),
		}, func(c *Config) { c.Authenticator = check })
		if w := sendRequest(tt.serve(g), "GET", "/talent-network/batches/"+testID, ""); w.Code != 500 {
			t.Errorf("%s: got %d", name, w.Code)
		}
	}
}

// A handler that writes gets its store only after the check has passed, even if its route begins early.
func TestWritersComeWithTheAdmission(t *testing.T) {
	t.Parallel()
	for want, refusal := range map[int]error{200: nil, 401: fault.New(fault.Unauthenticated, contract.RevokedAPIKey, "Revoked.")} {
		check := newSlowCheck()
		check.refusal = refusal
		wrote := ""
		write := func(_ context.Context, _ *Call, store *string, in contract.BatchRequest) (contract.Batch, error) {
			*store = in.BatchID
			return contract.Batch{}, nil
		}
		serve := HandleWrite(tenant.Guard(&wrote), write).BeginEarly()
		early := serve.serve
		serve.serve = func(ctx context.Context, call *Call, in reflect.Value) (any, error) {
			time.AfterFunc(10*time.Millisecond, func() { close(check.begun) })
			return early(ctx, call, in)
		}
		g, _ := testGateway(t, contract.Submissions, map[string]Handler{"getBatch": serve}, func(c *Config) { c.Authenticator = check })
		w := sendRequest(withoutBody(g), "GET", "/talent-network/batches/"+testID, "")
		if w.Code != want || (wrote != "") != (want == 200) {
			t.Errorf("got %d, want %d; wrote %q", w.Code, want, wrote)
		}
	}
}
