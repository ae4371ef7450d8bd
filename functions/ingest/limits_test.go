package ingest

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
	"github.com/recruiting-marketplace/external-api/shared/candidate/resume"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func hostOf(env map[string]string) cloud.Host {
	return cloud.NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler))
}

func openerOf(env map[string]string) *cloud.Opener { return hostOf(env).Opener() }

// TestLimitsOfTheProvider fails unless the provider is asked as often as the settings allow, at least once a minute.
func TestLimitsOfTheProvider(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		rate, url string
		want      profile.Limits
		endpoint  string
	}{
		"no settings": {"", "", profile.Limits{PerMinute: 600, Pause: time.Minute}, "none"},
		"settings":    {"60", "https://profiles.example.com/v1", profile.Limits{PerMinute: 60, Pause: time.Minute}, "profiles.example.com"},
		"zeros":       {"0", "profiles", profile.Limits{PerMinute: 1, Pause: time.Minute}, "none"},
	} {
		o := openerOf(map[string]string{topology.SettingProfileRate: test.rate, topology.SettingProfileURL: test.url})
		got := newBreaker(o, dynamo.Table{}, time.Minute)
		if diff := cmp.Diff(test.want, got.Limits); diff != "" || got.Endpoint != test.endpoint || o.Err() != nil {
			t.Errorf("%s: of %q, %v (-want +got):\n%s", name, got.Endpoint, o.Err(), diff)
		}
	}
}

// TestSettingsOfTheWorker fails unless a lease outlives the function by 30 seconds, and the first wait is a minute, where nothing is set.
func TestSettingsOfTheWorker(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		env        map[string]string
		lease, try time.Duration
	}{
		{nil, 30 * time.Second, time.Minute},
		{map[string]string{"INGEST_LEASE_GRACE": "1s", "INGEST_RETRY_DELAY": "2s"}, time.Second, 2 * time.Second},
	} {
		s, _ := New(t.Context(), hostOf(test.env)) // which has no tables
		if s.leaseGrace != test.lease || s.retryDelay != test.try || s.breaker.Limits.Pause != test.try {
			t.Errorf("with %v a lease is %v longer, and the waits are %v and %v", test.env, s.leaseGrace, s.retryDelay, s.breaker.Limits.Pause)
		}
	}
}

// TestStandInOfTheSandbox fails unless the sandbox asks a stand-in only where one is named.
func TestStandInOfTheSandbox(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{"": false, "https://standin.example.com": true} {
		sandbox := newSandbox(openerOf(map[string]string{"PROFILE_SANDBOX_URL": address})).(profile.Sandbox)
		if got, ok := sandbox.Fallback.(*profile.PeopleDataLabs); ok != want || ok && got.BaseURL != address {
			t.Errorf("%q: got %+v", address, sandbox.Fallback)
		}
	}
}

// TestSharesOfOneCharacter fails unless a text with 95 % of one character, or of one letter among its letters, is a resume, and one with
// more is not.
func TestSharesOfOneCharacter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"95 of 100 letters":    {strings.Repeat("a", 95) + " b c d e f", false},
		"96 of 101 letters":    {strings.Repeat("a", 96) + " b c d e f", true},
		"95 of 100 characters": {strings.Repeat(".", 95) + " b c d e f", false},
		"96 of 101 characters": {strings.Repeat(".", 96) + " b c d e f", true},
		"letters among digits": {strings.Repeat("a", 96) + " b c d e f " + strings.Repeat("0123456789", 9), true},
		"four words":           {"b c d e", true},
		"five words":           {"b c d e f", false},
	} {
		if got := isWordless(resume.Document{Blocks: [][]string{{test.text}}}); got != test.want {
			t.Errorf("%s: got %t, want %t", name, got, test.want)
		}
	}
}
