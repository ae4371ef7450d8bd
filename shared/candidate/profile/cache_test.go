package profile_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

// memoryStore is a Store that deletes nothing, as a real one may.
type memoryStore struct {
	entries map[string][]byte
	expires time.Time
	broken  error
}

func (m *memoryStore) Get(_ context.Context, slug string) ([]byte, bool, error) {
	entry, found := m.entries[slug]
	return entry, found, m.broken
}

func (m *memoryStore) Put(_ context.Context, slug string, entry []byte, expires time.Time) error {
	m.entries[slug], m.expires = entry, expires
	return m.broken
}

// countingProvider returns err or, without one, an invented profile.
type countingProvider struct {
	err   error
	calls int
}

func (c *countingProvider) Profile(_ context.Context, slug string) (profile.Profile, error) {
	c.calls++
	if c.err != nil {
		return profile.Profile{}, c.err
	}
	return profile.Invent(slug), nil
}

func TestCached(t *testing.T) {
	t.Parallel()
	const ttl = 30 * 24 * time.Hour
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	tests := map[string]struct {
		outcome error
		kept    time.Duration
	}{
		"profile":                   {nil, ttl},
		"no experience":             {profile.ErrNoExperience, ttl},
		"not found":                 {profile.ErrNotFound, profile.NotFoundTTL},
		"unavailable":               {&profile.Unavailable{Reason: profile.Status, StatusCode: 503, Retryable: true}, 0},
		"unavailable for good":      {&profile.Unavailable{Reason: profile.Status, StatusCode: 402, Operator: true}, 0},
		"an error that is not ours": {errors.New("other"), 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := start
			provider, store := &countingProvider{err: test.outcome}, &memoryStore{entries: map[string][]byte{}}
			cached := profile.Cached(provider, store, ttl, func() time.Time { return now })
			ask := func(wantCalls int) {
				t.Helper()
				want, _ := (&countingProvider{err: test.outcome}).Profile(t.Context(), slug)
				got, err := cached.Profile(t.Context(), slug)
				if !errors.Is(err, test.outcome) || provider.calls != wantCalls {
					t.Fatalf("got %v after %d look-ups, want %v after %d", err, provider.calls, test.outcome, wantCalls)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("profile (-want +got):\n%s", diff)
				}
			}
			ask(1)
			if test.kept == 0 {
				ask(2)
				if len(store.entries) != 0 {
					t.Errorf("stored %v", store.entries)
				}
				return
			}
			now = start.Add(test.kept - time.Nanosecond)
			ask(1)
			if !store.expires.Equal(start.Add(test.kept)) {
				t.Errorf("may be forgotten at %v", store.expires)
			}
			now = start.Add(test.kept)
			ask(2)
		})
	}
}

func TestCachedKeepsSlugsApart(t *testing.T) {
	t.Parallel()
	provider := &countingProvider{}
	cached := profile.Cached(provider, &memoryStore{entries: map[string][]byte{}}, time.Hour, func() time.Time { return time.Unix(0, 0) })
	for _, slug := range []string{"ann-moor", "bela-marsh", "ann-moor"} {
		got, err := cached.Profile(t.Context(), slug)
		if diff := cmp.Diff(profile.Invent(slug), got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", slug, err, diff)
		}
	}
	if provider.calls != 2 {
		t.Errorf("%d look-ups for two slugs", provider.calls)
	}
}

func TestCachedSurvivesItsStore(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]*memoryStore{
		"failing":        {entries: map[string][]byte{}, broken: errors.New("no table")},
		"garbled":        {entries: map[string][]byte{slug: []byte(`{"outcome":`)}},
		"other version":  {entries: map[string][]byte{slug: []byte(`{"outcome":"later","expires":"2999-01-01T00:00:00Z"}`)}},
		"no profile":     {entries: map[string][]byte{slug: []byte(`{"outcome":"verified","expires":"2999-01-01T00:00:00Z"}`)}},
		"without expiry": {entries: map[string][]byte{slug: []byte(`{"outcome":"not_found"}`)}},
	} {
		provider := &countingProvider{}
		cached := profile.Cached(provider, store, time.Hour, func() time.Time { return time.Unix(1e9, 0) })
		found, err := cached.Profile(t.Context(), slug)
		if err != nil || provider.calls != 1 || found != profile.Invent(slug) {
			t.Errorf("%s: got %v after %d look-ups", name, err, provider.calls)
		}
	}
}
