package capacity

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/candidate/profile"
)

// lookUpHeadroom is the number of look-ups that the profile provider accepts for each submission that
// is expected. What exceeds one drains what an outage has parked.
const lookUpHeadroom = 1.5

// LookUps is the number of look-ups a minute that the profile provider must accept, and
// LookUpsAtATime that of those at a time, which last 1.2 seconds each.
const (
	LookUps        = lookUpHeadroom * Submissions * 60
	LookUpsAtATime = 1.2 * LookUps / 60
)

// breakerShards is the number of items over which the provider's breaker spreads the look-ups.
var breakerShards = float64(profile.Limits{PerMinute: LookUps, Concurrency: LookUpsAtATime}.Shards())

// DrainTime returns the time after an outage of the provider in which all items are done that it has
// parked, while as many submissions arrive as before.
func DrainTime(outage time.Duration) time.Duration {
	return time.Duration(float64(outage) / (LookUps/(Submissions*60) - 1))
}
