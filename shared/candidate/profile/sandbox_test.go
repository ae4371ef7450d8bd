package profile_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

func TestSandbox(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		want  error
		waits []time.Duration
	}{
		"sandbox-not-found":     {want: profile.ErrNotFound},
		"sandbox-no-experience": {want: profile.ErrNoExperience},
		"sandbox-unavailable":   {want: &profile.Unavailable{Reason: profile.Simulated}},
		"sandbox-slow":          {waits: []time.Duration{8 * time.Second}},
		"maya-lind":             {},
		"sandbox-not-found-2":   {},
	}
	for slug, test := range tests {
		t.Run(slug, func(t *testing.T) {
			t.Parallel()
			var waits []time.Duration
			sandbox := profile.Sandbox{Wait: func(_ context.Context, pause time.Duration) error {
				waits = append(waits, pause)
				return nil
			}}
			found, err := sandbox.Profile(t.Context(), slug)
			compareOutcome(t, err, test.want)
			if diff := cmp.Diff(test.waits, waits); diff != "" {
				t.Errorf("pauses (-want +got):\n%s", diff)
			}
			if (err == nil) != (found.Title != "") {
				t.Errorf("got %+v, %v", found, err)
			}
		})
	}
}

func TestSandboxSlowEndsWithItsCaller(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := profile.Sandbox{}.Profile(ctx, profile.SlugSlow)
	compareOutcome(t, err, &profile.Unavailable{Reason: profile.Canceled, Retryable: true})
}

func TestSandboxCrashes(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("the worker survived")
		}
	}()
	_, _ = profile.Sandbox{}.Profile(t.Context(), profile.SlugCrash)
}

func TestByEnvironment(t *testing.T) {
	t.Parallel()
	live := &countingProvider{}
	sandbox := &countingProvider{}
	for environment, want := range map[string]profile.Provider{"test": sandbox, "live": live, "": live, "TEST": live, "staging": live} {
		if got := profile.ByEnvironment(environment, live, sandbox); got != want {
			t.Errorf("environment %q gets the wrong provider", environment)
		}
	}
}

func TestInventIsSoundAndStable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		slug := rapid.String().Draw(t, "slug")
		got := profile.Invent(slug)
		if diff := cmp.Diff(got, profile.Invent(slug)); diff != "" {
			t.Fatalf("two answers for %q:\n%s", slug, diff)
		}
		if got.Title == "" || got.Company == "" || got.Location == "" {
			t.Fatalf("%q is %+v", slug, got)
		}
	})
}
