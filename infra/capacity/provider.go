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

// parkedWrites has the write units that an outage of the provider takes of a table and of its index for each
// submission that arrives, which a worker claims and parks, and for each that the sweeper wakes, which is one
// write more. `make soak SOAK=outage` counts them.
var parkedWrites = map[string]struct{ arriving, woken float64 }{
	"submissions":     {12, 14},
	"submissions due": {4, 6},
}

// OutageUnits is [Measurements.TableUnits] during an outage of the provider: no submission is ingested, each
// is parked, and the sweeper wakes as many as there are look-ups.
func (m Measurements) OutageUnits() map[string]Units {
	units := m.TableUnits()
	for form, use := range m.Operations["ingest"].Keys {
		if _, isParked := parkedWrites[tableOf(form)]; isParked {
			units[tableOf(form)] = units[tableOf(form)].Add(-Submissions, use.Total)
		}
	}
	for name, writes := range parkedWrites {
		parked := Submissions*writes.arriving + LookUps/60*writes.woken
		units[name] = units[name].Add(1, Units{Writes: parked})
	}
	return units
}

// DrainTime returns the time after an outage of the provider in which all items are done that it has
// parked, while as many submissions arrive as before.
func DrainTime(outage time.Duration) time.Duration {
	return time.Duration(float64(outage) / (LookUps/(Submissions*60) - 1))
}
