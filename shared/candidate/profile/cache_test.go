package profile_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// newCache returns a cache of a provider in a table of its own.
func newCache(t *testing.T, provider profile.Provider, ttl time.Duration, now func() time.Time, hooks ...cloud.Hook) (profile.Cached, dynamo.Table) {
	t.Helper()
	_, table := cloudtest.Database(t, topology.Network, hooks...)
	return profile.Cached{Provider: provider, Table: table, TTL: ttl, Now: now}, table
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
		"no experience":             {profile.ErrNoExperience, profile.RefusalTTL},
		"not found":                 {profile.ErrNotFound, profile.RefusalTTL},
		"unavailable":               {&profile.Unavailable{Reason: profile.Status, StatusCode: 503, Retryable: true}, 0},
		"unavailable for good":      {&profile.Unavailable{Reason: profile.Status, StatusCode: 402, Operator: true}, 0},
		"an error that is not ours": {errors.New("other"), 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := start
			provider := &countingProvider{err: test.outcome}
			cached, table := newCache(t, provider, ttl, func() time.Time { return now })
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
			var stored []struct {
				TTL int64 `dynamo:"ttl"`
			}
			if err := table.Scan().All(t.Context(), &stored); err != nil {
				t.Fatal(err)
			}
			if test.kept == 0 {
				ask(2)
				if len(stored) != 0 {
					t.Errorf("stored %v", stored)
				}
				return
			}
			now = start.Add(test.kept - time.Second)
			ask(1)
			if len(stored) != 1 || stored[0].TTL != start.Add(test.kept).Unix() {
				t.Errorf("stored %v, want one outcome until %v", stored, start.Add(test.kept))
			}
			now = start.Add(test.kept)
			ask(2)
		})
	}
}

func TestCachedKeepsSlugsApart(t *testing.T) {
	t.Parallel()
	provider := &countingProvider{}
	cached, _ := newCache(t, provider, time.Hour, func() time.Time { return time.Unix(0, 0) })
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
	const later = 1 << 40
	tests := map[string]struct {
		item  map[string]any // what is stored
		hooks []cloud.Hook
	}{
		"failing":                 {nil, []cloud.Hook{func(context.Context, cloud.Call, func() error) error { return errors.New("no table") }}},
		"garbled":                 {map[string]any{"outcome": 7, "ttl": later}, nil},
		"another version":         {map[string]any{"entry": []byte(`{"outcome":"not_found"}`), "ttl": later}, nil},
		"an outcome that is none": {map[string]any{"outcome": "later", "ttl": later}, nil},
		"without expiry":          {map[string]any{"outcome": "not_found"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			provider := &countingProvider{}
			cached, table := newCache(t, provider, time.Hour, func() time.Time { return time.Unix(1e9, 0) }, test.hooks...)
			if test.item != nil {
				test.item["pk"], test.item["sk"] = itemkey.CachedProfile.Key(identity.Hash(identity.LinkedInFromSlug(slug)))
				if err := table.Put(test.item).Run(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			found, err := cached.Profile(t.Context(), slug)
			if err != nil || provider.calls != 1 || found != profile.Invent(slug) {
				t.Errorf("got %v, %v after %d look-ups", found, err, provider.calls)
			}
		})
	}
}
