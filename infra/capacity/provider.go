package capacity

import "time"

// lookUpHeadroom is the number of look-ups that the profile provider accepts for each submission that
// is expected. What exceeds one drains what an outage has parked.
const lookUpHeadroom = 1.5

// LookUps is the number of look-ups a minute that the profile provider must accept.
const LookUps = lookUpHeadroom * Submissions * 60

// DrainTime returns the time after an outage of the provider in which all items are done that it has
// parked, while as many submissions arrive as before.
func DrainTime(outage time.Duration) time.Duration {
	return time.Duration(float64(outage) / (LookUps/(Submissions*60) - 1))
}
