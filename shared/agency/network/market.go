package network

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Market is the state of a membership on the auto-match market (contract,
// Candidate market state). Its methods are all the moves there are: each is a
// pure function from the state and an action to the state after it, and every
// writer goes through them.
type Market struct {
	// Locked was set in the app: the candidate is off the market in any case, and
	// only the app changes that.
	Locked bool
	// OffAt is when the candidate was taken off, or asked to be off again; zero
	// for a candidate that is on. A submission from before does not undo it.
	OffAt time.Time
	// Excluded makes the off mark a pre-exclusion, which only a fresh submission
	// clears.
	Excluded bool
	// ExpiresAt is when auto-match eligibility ends; zero: never. It is compared
	// on read, so nothing has to happen at that moment.
	ExpiresAt time.Time
	// FastTrack is the opt-in. It stays while the candidate is off, and does not fire.
	FastTrack bool
	// Boosted is an active boost, which only the app grants.
	Boosted bool
}

// Off reports whether the candidate is explicitly off the market.
func (m Market) Off() bool { return m.Locked || !m.OffAt.IsZero() }

// Status returns what a list shows.
func (m Market) Status(now time.Time) contract.MarketStatus {
	return marketStatus(m.Off(), m.ExpiresAt, now)
}

func marketStatus(off bool, expires, now time.Time) contract.MarketStatus {
	switch {
	case off:
		return contract.OffMarket
	case !expires.IsZero() && !now.Before(expires):
		return contract.Expired
	}
	return contract.OnMarket
}

// Ingest puts a candidate on the market, eligible until expires. What is not
// older than the submission stays: the membership's own off mark, and a
// pre-exclusion of its identities (zero for none), which becomes its own. A lock
// stays.
func (m Market) Ingest(submitted, excluded, expires time.Time) Market {
	m.ExpiresAt = expires
	if m.OffAt.Before(submitted) {
		m.OffAt, m.Excluded = time.Time{}, false
	}
	if !excluded.IsZero() && !excluded.Before(submitted) {
		m.Excluded, m.Boosted = true, false
		m.OffAt = laterOf(m.OffAt, excluded)
	}
	return m
}

// TakeOff takes the candidate off the market and ends a boost. For one that is
// off already only the time of the mark moves, so that a submission in flight
// does not undo what was asked for after it.
func (m Market) TakeOff(now time.Time) (Market, contract.ResultStatus) {
	switch {
	case m.Locked:
		return m, contract.ResultAlreadyOffMarket
	case m.Off():
		m.OffAt = laterOf(m.OffAt, now)
		return m, contract.ResultAlreadyOffMarket
	}
	m.OffAt, m.Boosted = now, false
	return m, contract.ResultOffMarket
}

// ReEnable puts the candidate back on the market, eligible until expires; one
// that is there with eligibility left stays as it is.
func (m Market) ReEnable(now, expires time.Time) (Market, contract.ResultStatus) {
	switch {
	case m.Locked:
		return m, contract.ResultLocked
	case m.Excluded:
		return m, contract.ResultPreExcluded
	case m.Status(now) == contract.OnMarket:
		return m, contract.ResultAlreadyOnMarket
	}
	m.OffAt, m.ExpiresAt = time.Time{}, expires
	return m, contract.ResultOnMarket
}

// OptIn sets the fast-track opt-in; the market state stays.
func (m Market) OptIn(fastTrack bool) Market {
	m.FastTrack = fastTrack
	return m
}

// Lock locks or unlocks the candidate, as the app says. An off mark from before
// or meanwhile outlives the lock.
func (m Market) Lock(locked bool) Market {
	m.Locked = locked
	return m
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
