package submissions

import (
	"testing"
	"time"
)

// The wait grows with the batch's age. For a parked batch it lasts until the batch continues. It
// has a minimum and a maximum.
func TestPollingWaitFollowsAgeAndParking(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ age, parked, want time.Duration }{
		{0, -time.Hour, 2 * time.Second},
		{30*time.Second - time.Millisecond, 0, 2 * time.Second},
		{30 * time.Second, 0, 5 * time.Second},
		{time.Minute, time.Second, 5 * time.Second},
		{time.Minute, 90 * time.Second, 90 * time.Second},
		{5*time.Minute - time.Millisecond, 0, 5 * time.Second},
		{5 * time.Minute, 0, 30 * time.Second},
		{time.Hour, 10 * time.Second, 30 * time.Second},
		{time.Hour, time.Hour, 2 * time.Minute},
	} {
		if got := pollingWait(c.age, c.parked); got != c.want {
			t.Errorf("%v old, parked for %v: got %v, want %v", c.age, c.parked, got, c.want)
		}
	}
}
