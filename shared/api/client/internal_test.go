package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// TestPlacement shows where each tag puts a field; no route sends a
// query yet. Fields of an embedded struct are the struct's own.
func TestPlacement(t *testing.T) {
	t.Parallel()
	limit := 5
	type tags struct {
		Tags []string `query:"tag"`
	}
	in := struct {
		tags
		ID     string        `path:"id"`
		Limit  *int          `query:"limit"`
		Cursor string        `query:"cursor"`
		Key    string        `header:"Idempotency-Key"`
		On     bool          `json:"on"`
		Note   *string       `json:"note"`
		List   []string      `json:"list"`
		Empty  []string      `json:"empty"`
		Since  contract.Time `json:"since"`
	}{tags: tags{[]string{"x", "y"}}, ID: "a b", Limit: &limit, Key: "k", Empty: []string{}, Since: contract.At(time.Unix(0, 0))}
	query, header := url.Values{}, http.Header{}
	path := bindParameters(reflect.ValueOf(in), "/things/{id}", query, header)
	if path != "/things/a%20b" || query.Encode() != "limit=5&tag=x&tag=y" || header.Get("Idempotency-Key") != "k" {
		t.Errorf("got %q, %q, %v", path, query.Encode(), header)
	}
	if diff := cmp.Diff(any(map[string]any{"on": false, "empty": []any{}, "since": contract.At(time.Unix(0, 0))}), bodyValue(reflect.ValueOf(in))); diff != "" {
		t.Errorf("body (-want +got):\n%s", diff)
	}
}

// TestBackoff holds the bounds of every pause.
func TestBackoff(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		attempt := rapid.IntRange(1, 1000).Draw(t, "attempt")
		if got := backoffPause(attempt); got < firstPause/2 || got > longestPause {
			t.Errorf("attempt %d waits %v", attempt, got)
		}
	})
}

func TestSleep(t *testing.T) {
	t.Parallel()
	if err := sleepContext(t.Context(), time.Nanosecond); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sleepContext(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
