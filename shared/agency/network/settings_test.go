package network

import (
	"log/slog"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// The time for which an ingestion keeps a candidate eligible is a setting.
func TestEligibilityIsASetting(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]time.Duration{"": 90 * 24 * time.Hour, "36h": 36 * time.Hour} {
		getenv := func(name string) string {
			if name == "ELIGIBILITY" {
				return value
			}
			return "test"
		}
		o := cloud.NewHost(getenv, time.Now, slog.New(slog.DiscardHandler)).Opener()
		if got := Open(o).eligibility; got != want || o.Err() != nil {
			t.Errorf("%q: candidates are eligible for %v, %v; want %v", value, got, o.Err(), want)
		}
	}
}
