package client_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// An iterator reads the next page when it is needed.
func ExampleClient_AllCandidates() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Printf("page %q\n", r.URL.Query().Get("cursor"))
		if r.URL.Query().Get("cursor") == "" {
			_, _ = fmt.Fprint(w, `{"candidates":[{"candidateUserId":"cu_1"},{"candidateUserId":"cu_2"}],"nextCursor":"two"}`)
			return
		}
		_, _ = fmt.Fprint(w, `{"candidates":[{"candidateUserId":"cu_3"}],"nextCursor":null}`)
	}))
	defer server.Close()

	c := client.New(server.URL, "rmk_test_key")
	for candidate, err := range c.AllCandidates(context.Background(), contract.ListCandidatesRequest{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(candidate.CandidateUserID)
	}
	// Output:
	// page ""
	// cu_1
	// cu_2
	// page "two"
	// cu_3
}

// An error is the last pair, after the rows of the pages before it.
func TestIteratorsEndWithTheError(t *testing.T) {
	t.Parallel()
	c, _ := newScriptedClient(t, respondWith(200, `{"roles":[{"id":"a"}],"nextCursor":7}`), respondWith(403, errorBody("permission_error", "missing_scope")))
	var seen []string
	var failed error
	for role, err := range c.AllRoles(t.Context(), contract.ListRolesRequest{}) {
		seen = append(seen, role.ID)
		failed = err
	}
	if refused, ok := errors.AsType[*client.Error](failed); !ok || refused.Status != 403 || !slices.Equal(seen, []string{"a", ""}) {
		t.Errorf("got %q, %v", seen, failed)
	}
}

// A list can be read while it is read: each reading has its own place.
func TestIterationsOfOneListAreApart(t *testing.T) {
	t.Parallel()
	first := respondWith(200, `{"roles":[{"id":"a"}],"nextCursor":1}`)
	last := respondWith(200, `{"roles":[{"id":"b"}]}`)
	c, _ := newScriptedClient(t, first, first, last, last, first, last)
	roles := c.AllRoles(t.Context(), contract.ListRolesRequest{})
	var pairs []string
	for one, err := range roles {
		for other, err := range roles {
			if err != nil {
				t.Fatal(err)
			}
			pairs = append(pairs, one.ID+other.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"aa", "ab", "ba", "bb"}; !slices.Equal(pairs, want) {
		t.Errorf("got %q, want %q", pairs, want)
	}
}

// Following the changes waits while there are none and goes on with the cursor of the last page.
func TestFollowChanges(t *testing.T) {
	t.Parallel()
	c, s := newScriptedClient(t,
		respondWith(200, `{"changes":[],"nextCursor":"a","hasMore":false}`, "Retry-After", "3"),
		respondWith(200, `{"changes":[{"id":"1"}],"nextCursor":"b","hasMore":true}`),
		respondWith(200, `{"changes":[{"id":"2"}],"nextCursor":"c","hasMore":false}`))
	for page, err := range c.FollowChanges(t.Context(), contract.ListChangesRequest{Cursor: new("latest")}) {
		if err != nil {
			t.Fatal(err)
		}
		if page.NextCursor == "c" {
			break
		}
	}
	var queries []string
	for _, got := range s.got {
		queries = append(queries, got.query)
	}
	if !slices.Equal(queries, []string{"cursor=latest", "cursor=a", "cursor=b"}) || !slices.Equal(s.waits, []time.Duration{3 * time.Second}) {
		t.Errorf("got %q, waits %v", queries, s.waits)
	}
}

// A paced client waits for the next window before it would be refused; without pacing, or in the
// other tier, it does not.
func TestPacing(t *testing.T) {
	t.Parallel()
	spent := respondWith(200, "{}", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "40")
	c, s := newScriptedClient(t, spent)
	for _, paced := range []bool{false, true} {
		if paced {
			client.WithPacing()(c)
		}
		for range 2 {
			if _, err := c.Identity(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if !paced && len(s.waits) > 0 {
			t.Errorf("waited %v", s.waits)
		}
	}
	if _, err := c.Submit(t.Context(), newSubmission()); err != nil || len(s.waits) != 1 || s.waits[0] < 40*time.Second || s.waits[0] > 41*time.Second {
		t.Errorf("waited %v, %v", s.waits, err)
	}
}

// The hook is told of each retry before its wait.
func TestRetryHook(t *testing.T) {
	t.Parallel()
	c, _ := newScriptedClient(t, respondWith(503, ""), respondWith(200, "{}"))
	var told []string
	client.WithRetryHook(func(r client.Retry) {
		told = append(told, fmt.Sprint(r.Operation, " ", r.Attempt, " ", r.Pause > 0, " ", r.Err))
	})(c)
	if _, err := c.Identity(t.Context()); err != nil || !slices.Equal(told, []string{"identity 1 true identity: 503: Service Unavailable."}) {
		t.Errorf("got %q, %v", told, err)
	}
}

// A server that names a page again does not make a list endless.
func TestListsEndAtARepeatedCursor(t *testing.T) {
	t.Parallel()
	const change = `{"changes":[{"id":"1"}],"nextCursor":"a","hasMore":true}`
	const last = `{"changes":[],"nextCursor":"a","hasMore":false}`
	for name, tt := range map[string]struct {
		answers  []string
		read     func(*client.Client) error
		requests int
	}{
		"the same": {[]string{`{"candidates":[],"nextCursor":"a"}`, `{"candidates":[],"nextCursor":"a"}`}, func(c *client.Client) error {
			return endOf(c.AllCandidates(t.Context(), contract.ListCandidatesRequest{}))
		}, 2},
		"a circle": {[]string{`{"roles":[],"nextCursor":1}`, `{"roles":[],"nextCursor":2}`, `{"roles":[],"nextCursor":1}`, ""}, func(c *client.Client) error {
			return endOf(c.AllRoles(t.Context(), contract.ListRolesRequest{}))
		}, 3},
		"changes": {[]string{change, change, last}, func(c *client.Client) error {
			return endOf(c.AllChanges(t.Context(), contract.ListChangesRequest{}))
		}, 2},
		"changes that are followed": {[]string{change, change, ""}, func(c *client.Client) error {
			return endOf(c.FollowChanges(t.Context(), contract.ListChangesRequest{}))
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answers := make([]http.HandlerFunc, len(tt.answers))
			for i, answer := range tt.answers {
				answers[i] = respondWith(200, answer)
			}
			c, s := newScriptedClient(t, append(answers, respondWith(200, ""))...)
			if err := tt.read(c); err == nil || !strings.Contains(err.Error(), "repeats the cursor") || len(s.got) != tt.requests {
				t.Errorf("got %v after %d requests; want an error after %d", err, len(s.got), tt.requests)
			}
		})
	}
}

// endOf returns the error that ends a list; nil without one.
func endOf[Row any](rows iter.Seq2[Row, error]) (last error) {
	for _, err := range rows {
		last = err
	}
	return last
}
