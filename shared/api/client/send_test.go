package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

func TestRetries(t *testing.T) {
	t.Parallel()
	identity := func(c *client.Client, ctx context.Context) error { _, err := c.Identity(ctx); return err }
	submit := func(c *client.Client, ctx context.Context) error {
		_, err := c.Submit(ctx, newSubmission())
		return err
	}
	limited := respondWith(429, errorBody("rate_limit_error", "rate_limited"), "Retry-After", "17")
	busy := respondWith(409, errorBody("idempotency_error", "idempotency_in_progress"), "Retry-After", "1")
	fine := respondWith(200, "{}")
	cases := map[string]struct {
		call     func(*client.Client, context.Context) error
		answers  []http.HandlerFunc
		requests int
		// status is that of the error answered at last; 0 for success.
		status int
		// waited is the least that the first wait must be.
		waited time.Duration
	}{
		"limited":               {identity, []http.HandlerFunc{limited, fine}, 2, 0, 17 * time.Second},
		"broken":                {identity, []http.HandlerFunc{respondWith(500, errorBody("api_error", "")), fine}, 2, 0, 0},
		"gateway away":          {submit, []http.HandlerFunc{respondWith(502, "<html>"), respondWith(504, ""), fine}, 3, 0, 0},
		"connection lost":       {submit, []http.HandlerFunc{hangUp, fine}, 2, 0, 0},
		"first attempt at work": {submit, []http.HandlerFunc{hangUp, busy, fine}, 3, 0, 0},
		"gives up":              {identity, []http.HandlerFunc{respondWith(503, "")}, 4, 503, 0},
		"key reused":            {submit, []http.HandlerFunc{respondWith(409, errorBody("idempotency_error", "idempotency_key_reused"))}, 1, 409, 0},
		"bad key":               {identity, []http.HandlerFunc{respondWith(401, errorBody("authentication_error", "invalid_api_key"))}, 1, 401, 0},
		"too long a wait":       {identity, []http.HandlerFunc{respondWith(503, "", "Retry-After", "86400")}, 1, 503, 0},
		"advice that is none":   {identity, []http.HandlerFunc{respondWith(503, "", "Retry-After", "-5"), fine}, 2, 0, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, s := newScriptedClient(t, tc.answers...)
			err := tc.call(c, t.Context())
			status := 0
			if refused := (*client.Error)(nil); errors.As(err, &refused) {
				status = refused.Status
			}
			if status != tc.status || (err == nil) != (tc.status == 0) {
				t.Errorf("got %v, want status %d", err, tc.status)
			}
			if len(s.got) != tc.requests || len(s.waits) != tc.requests-1 {
				t.Errorf("got %d requests and waits %v, want %d requests", len(s.got), s.waits, tc.requests)
			}
			if len(s.waits) > 0 && s.waits[0] < tc.waited {
				t.Errorf("waited %v, was told %v", s.waits[0], tc.waited)
			}
		})
	}
}

// TestRetriesAreTheSame holds that a retry carries the same key and bytes, and
// that two submissions carry different keys.
func TestRetriesAreTheSame(t *testing.T) {
	t.Parallel()
	c, s := newScriptedClient(t, hangUp, respondWith(200, "{}"))
	for range 2 {
		if _, err := c.Submit(t.Context(), newSubmission()); err != nil {
			t.Fatal(err)
		}
	}
	keys := []string{}
	for _, got := range s.got {
		keys = append(keys, got.header.Get("Idempotency-Key"))
	}
	if keys[0] == "" || keys[0] != keys[1] || keys[1] == keys[2] || s.got[0].body != s.got[1].body {
		t.Errorf("got keys %q and bodies %q, %q", keys, s.got[0].body, s.got[1].body)
	}
}

// TestOwnKey holds that the caller's key is sent as it is, and in the header alone.
func TestOwnKey(t *testing.T) {
	t.Parallel()
	c, s := newScriptedClient(t, respondWith(200, "{}"))
	in := newSubmission()
	in.IdempotencyKey = "order 66"
	if _, err := c.Submit(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if got := s.got[0].header.Get("Idempotency-Key"); got != "order 66" {
		t.Errorf("got %q", got)
	}
}

func TestAttempts(t *testing.T) {
	t.Parallel()
	c, s := newScriptedClient(t, respondWith(500, ""))
	client.WithAttempts(1)(c)
	if _, err := c.Health(t.Context()); err == nil || len(s.got) != 1 {
		t.Errorf("got %v after %d requests", err, len(s.got))
	}
}

// TestStopsWaiting holds that both reasons are in the error: why it waited and
// why it stopped.
func TestStopsWaiting(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c, _ := newScriptedClient(t, respondWith(429, errorBody("rate_limit_error", string(contract.RateLimited)), "Retry-After", "60"))
	client.WithWait(func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() })(c)
	_, err := c.Identity(ctx)
	refused := (*client.Error)(nil)
	if !errors.Is(err, context.Canceled) || !errors.As(err, &refused) || refused.RetryAfter != time.Minute {
		t.Errorf("got %v", err)
	}
}
