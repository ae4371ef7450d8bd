package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

const key = "rmk_test_secret"

// seen is what the server received.
type seen struct {
	method, path, query, body string
	header                    http.Header
}

// script answers requests in order, the last answer for ever, and records them.
type script struct {
	mu      sync.Mutex
	answers []http.HandlerFunc
	got     []seen
	waits   []time.Duration
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.got = append(s.got, seen{r.Method, r.URL.EscapedPath(), r.URL.RawQuery, string(body), r.Header})
	answer := s.answers[min(len(s.got), len(s.answers))-1]
	s.mu.Unlock()
	answer(w, r)
}

// newScriptedClient serves the responses and returns a client that records its waits
// instead.
func newScriptedClient(t *testing.T, answers ...http.HandlerFunc) (*client.Client, *script) {
	t.Helper()
	s := &script{answers: answers}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	c := client.New(server.URL+contract.BasePath+"/", key, client.WithWait(func(ctx context.Context, d time.Duration) error {
		s.waits = append(s.waits, d)
		return ctx.Err()
	}))
	return c, s
}

func respondWith(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// hangUp ends the connection without an answer.
func hangUp(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func errorBody(kind, code string) string {
	b, _ := json.Marshal(map[string]any{"error": map[string]any{
		"type": kind, "message": "What to do.", "request_id": "r-1", "code": code,
	}})
	return string(b)
}

func newSubmission() contract.SubmitRequest {
	return contract.SubmitRequest{
		Name: "Ada Example", LinkedInURL: "https://www.linkedin.com/in/ada-example", Email: "ada@example.com",
		Preferences: contract.WorkPreferences{Locations: []contract.Location{"uk"}, SalaryMin: 90000},
		Resume:      contract.ResumeFile{ContentBase64: "SGVsbG8="},
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	cases := map[string]struct {
		call                       func(*client.Client) error
		method, path, bearer, body string
	}{
		"health": {
			func(c *client.Client) error { _, err := c.Health(ctx); return err },
			"GET", "/health", "", "",
		},
		"identity": {
			func(c *client.Client) error { _, err := c.Identity(ctx); return err },
			"GET", "/identity", "Bearer " + key, "",
		},
		"submit": {
			func(c *client.Client) error { _, err := c.Submit(ctx, newSubmission()); return err },
			"POST", "/talent-network/candidates/submit", "Bearer " + key,
			`{"name":"Ada Example","linkedinUrl":"https://www.linkedin.com/in/ada-example","email":"ada@example.com",` +
				`"preferences":{"locations":["uk"],"salaryMin":90000,"visaAuthorization":""},"resume":{"contentBase64":"SGVsbG8="}}`,
		},
		"upload": {
			func(c *client.Client) error { _, err := c.Upload(ctx, newSubmission().Resume); return err },
			"POST", "/resumes", "Bearer " + key, `{"contentBase64":"SGVsbG8="}`,
		},
		"submit bulk": {
			func(c *client.Client) error {
				item := contract.BulkItem{Name: "Ada Example", Resume: contract.ResumeReference{ResumeFileID: "r-1"}, OnMarketConfirmed: true}
				_, err := c.SubmitBulk(ctx, contract.BulkRequest{Items: []contract.BulkItem{item}})
				return err
			},
			"POST", "/talent-network/candidates/submit-bulk", "Bearer " + key,
			`{"items":[{"name":"Ada Example","linkedinUrl":"","email":"","preferences":{"salaryMin":0,"visaAuthorization":""},` +
				`"resume":{"resumeFileId":"r-1"},"onMarketConfirmed":true}]}`,
		},
		"batch": {
			func(c *client.Client) error { _, err := c.Batch(ctx, "b-1"); return err },
			"GET", "/talent-network/batches/b-1", "Bearer " + key, "",
		},
		"preferences, escaped": {
			func(c *client.Client) error { _, err := c.Preferences(ctx, "a/b c"); return err },
			"GET", "/talent-network/candidates/a%2Fb%20c/preferences", "Bearer " + key, "",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, s := newScriptedClient(t, respondWith(200, "{}"))
			if err := tc.call(c); err != nil {
				t.Fatal(err)
			}
			got := s.got[0]
			want := []string{tc.method, contract.BasePath + tc.path, "", tc.bearer, tc.body}
			if diff := cmp.Diff(want, []string{got.method, got.path, got.query, got.header.Get("Authorization"), got.body}); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	c, _ := newScriptedClient(t, respondWith(200, `{"principal":"agency","scopes":["identity:read"],"environment":"test","recruiter":null,"unknown":1,
		"agency":{"id":"a-1","name":"Example"},"key":{"id":"key_1","createdAt":"2026-01-02T03:04:05.678Z","expiresAt":null}}`))
	got, err := c.Identity(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := contract.Identity{
		Principal: "agency", Scopes: []contract.Scope{contract.IdentityRead}, Environment: "test",
		Agency: &contract.IdentityAgency{ID: "a-1", Name: "Example"},
		Key:    contract.IdentityKey{ID: "key_1", CreatedAt: contract.At(time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC))},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		answer http.HandlerFunc
		want   client.Error
		text   string
	}{
		"validation": {
			respondWith(400, `{"error":{"type":"invalid_request_error","message":"See details.","request_id":"r-9","code":"validation_failed",
				"details":{"formErrors":["form"],"fieldErrors":{"name":["name: required"],"email":["email: ada@ is no address"]}}}}`, "X-Request-Id", "r-9"),
			client.Error{
				Status: 400, Type: "invalid_request_error", Code: contract.ValidationFailed, Message: "See details.", RequestID: "r-9",
				Fields: map[string][]string{"name": {"name: required"}, "email": {"email: ada@ is no address"}}, Form: []string{"form"},
			},
			"submitCandidate: 400 invalid_request_error (validation_failed): See details. Fields: email, name. Request r-9.",
		},
		"too large, plain": {
			respondWith(413, "too large"),
			client.Error{Status: 413, Message: "Request Entity Too Large."},
			"submitCandidate: 413: Request Entity Too Large.",
		},
		"a stranger's JSON": {
			respondWith(403, `{"message":"Forbidden"}`, "Retry-After", "7"),
			client.Error{Status: 403, Message: "Forbidden.", RetryAfter: 7 * time.Second},
			"submitCandidate: 403: Forbidden.",
		},
		"redirect": {
			respondWith(302, "", "Location", "https://example.org/"),
			client.Error{Status: 302, Message: "Found."},
			"submitCandidate: 302: Found.",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, s := newScriptedClient(t, tc.answer)
			_, err := c.Submit(t.Context(), newSubmission())
			got := (*client.Error)(nil)
			if !errors.As(err, &got) {
				t.Fatalf("got %v", err)
			}
			tc.want.Operation = "submitCandidate"
			if diff := cmp.Diff(&tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got.Error() != tc.text {
				t.Errorf("got text %q, want %q", got, tc.text)
			}
			if len(s.got) != 1 {
				t.Errorf("it was sent %d times, but was refused for good", len(s.got))
			}
		})
	}
}

func TestUnreadableAnswer(t *testing.T) {
	t.Parallel()
	c, s := newScriptedClient(t, respondWith(200, "<html>"))
	if _, err := c.Health(t.Context()); err == nil || len(s.got) != 1 {
		t.Errorf("got %v after %d requests", err, len(s.got))
	}
}

func TestWaitForBatch(t *testing.T) {
	t.Parallel()
	item := func(status contract.ItemStatus) string {
		b, _ := json.Marshal(contract.Batch{ItemCount: 2, Items: []contract.BatchItem{{Status: contract.Succeeded}, {Index: 1, Status: status}}})
		return string(b)
	}
	t.Run("until every item is terminal", func(t *testing.T) {
		t.Parallel()
		c, s := newScriptedClient(t,
			respondWith(200, item(contract.Queued), "Retry-After", "3"),
			respondWith(503, ""),
			respondWith(200, item(contract.Processing)),
			respondWith(200, item(contract.Failed)))
		batch, err := c.WaitForBatch(t.Context(), "b-1")
		if err != nil || batch.Items[1].Status != contract.Failed {
			t.Fatalf("got %v, %v", batch, err)
		}
		polls := slices.DeleteFunc(s.waits, func(d time.Duration) bool { return d < time.Second })
		if diff := cmp.Diff([]time.Duration{3 * time.Second, time.Second}, polls); diff != "" {
			t.Errorf("waits (-want +got):\n%s", diff)
		}
	})
	t.Run("every item rejected", func(t *testing.T) {
		t.Parallel()
		c, s := newScriptedClient(t, respondWith(200, `{"itemCount":3,"items":[]}`))
		if batch, err := c.WaitForBatch(t.Context(), "b-1"); err != nil || batch.ItemCount != 3 || len(s.waits) != 0 {
			t.Errorf("got %v, %v after waits %v", batch, err, s.waits)
		}
	})
	t.Run("until the context ends", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := newScriptedClient(t, respondWith(200, item(contract.Queued)))
		client.WithWait(func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() })(c)
		batch, err := c.WaitForBatch(ctx, "b-1")
		if !errors.Is(err, context.Canceled) || len(batch.Items) != 2 {
			t.Errorf("got %v, %v", batch, err)
		}
	})
	t.Run("until a read fails", func(t *testing.T) {
		t.Parallel()
		c, _ := newScriptedClient(t, respondWith(200, item(contract.Queued)), respondWith(404, errorBody("not_found_error", "")))
		batch, err := c.WaitForBatch(t.Context(), "b-1")
		if err == nil || len(batch.Items) != 2 {
			t.Errorf("got %v, %v; want what was read before", batch, err)
		}
	})
	t.Run("until the context ends during a read", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		c, _ := newScriptedClient(t, respondWith(200, item(contract.Queued)), func(http.ResponseWriter, *http.Request) {
			cancel()
			panic(http.ErrAbortHandler)
		})
		batch, err := c.WaitForBatch(ctx, "b-1")
		if !errors.Is(err, context.Canceled) || len(batch.Items) != 2 {
			t.Errorf("got %v, %v; want what was read before", batch, err)
		}
	})
}

// TestSecrecy holds that no error shows the key or the address of the request, which
// may name a person, in any failure.
func TestSecrecy(t *testing.T) {
	t.Parallel()
	in := contract.ListCandidatesRequest{RecruiterEmail: new("rita@example.org")}
	away, _ := newScriptedClient(t, hangUp)
	client.WithAttempts(1)(away)
	late, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		client *client.Client
		ctx    context.Context
		want   error
	}{
		"lost":    {away, t.Context(), io.EOF},
		"ended":   {away, late, context.Canceled},
		"no host": {client.New("http://\x7f", key), t.Context(), nil},
	} {
		_, err := c.client.Candidates(c.ctx, in)
		if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "rita") || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
