package trial_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/demo/trial"
)

// The roles of a trial are the same each time, so that two measurements compare.
func TestDocsAreTheSameEachTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 6, 9, 30, 0, 0, time.UTC)
	if diff := cmp.Diff(trial.Docs(500, now), trial.Docs(500, now)); diff != "" {
		t.Errorf("two calls differ:\n%.1000s", diff)
	}
}
