package network

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Market is the state of a membership on the auto-match market (contract,
// Candidate market state). Its methods are all the moves there are: each is a
// pure function from the state and a statement to the state after it, and every
// writer goes through them. A statement that is older than the one of its kind that
// is stored changes nothing.
type Market struct {
	// Locked was set in the app: the candidate is off the market in any case, and
	// only the app changes that.
	Locked     bool
	LockStated Statement
	// TakenOff marks a candidate who was taken off the market. Stated is the newest
	// statement that took the candidate off or put them on, which a lock hides.
	TakenOff bool
	Stated   Statement
	// ExcludedAt is when the person was pre-excluded, which only a fresh submission
	// clears; zero: not.
	ExcludedAt time.Time
	// ExpiresAt is when auto-match eligibility ends; zero: never. It is compared
	// on read, so nothing has to happen at that moment.
	ExpiresAt time.Time
	// FastTrack is the opt-in. It stays while the candidate is off, and does not fire.
	FastTrack       bool
	FastTrackStated Statement
	// Boosted is an active boost, which only the app grants.
	Boosted bool
}

// Off reports whether the candidate is explicitly off the market.
func (m Market) Off() bool { return m.Locked || m.TakenOff || m.Excluded() }

// Excluded reports whether the person is pre-excluded.
func (m Market) Excluded() bool { return !m.ExcludedAt.IsZero() }

// Status returns what a list shows.
func (m Market) Status(now time.Time) contract.MarketStatus {
	switch {
	case m.Off():
		return contract.OffMarket
	case !m.ExpiresAt.IsZero() && !now.Before(m.ExpiresAt):
		return contract.Expired
	}
	return contract.OnMarket
}

// Ingest puts a candidate on the market, eligible until expires unless the eligibility has no
// end. The newest submission was sent at submitted. An off mark and a pre-exclusion, be it the
// membership's or that of its identities (zero for none), stay if they are not older than that.
// A lock stays.
func (m Market) Ingest(submitted, excluded, expires time.Time) Market {
	m = m.renew(expires)
	m = m.mark(false, Statement{At: submitted})
	m.ExcludedAt = laterOf(m.ExcludedAt, excluded)
	if m.ExcludedAt.Before(submitted) {
		m.ExcludedAt = time.Time{}
	}
	m.Boosted = m.Boosted && !m.Excluded()
	return m
}

// mark records that the candidate is off the market, or on it. Any off mark ends a boost.
func (m Market) mark(off bool, s Statement) Market {
	if s.after(m.Stated) {
		m.TakenOff = off
		m.Stated = s
	}
	m.Boosted = m.Boosted && !off
	return m
}

// TakeOff takes the candidate off the market and ends a boost. For one that is
// off already only the mark moves, so that neither a submission on its way nor the end
// of a lock undoes what was asked for after it.
func (m Market) TakeOff(s Statement) (Market, contract.ResultStatus) {
	if m.Off() {
		return m.mark(true, s), contract.ResultAlreadyOffMarket
	}
	return m.mark(true, s), contract.ResultOffMarket
}

// ReEnable puts the candidate back on the market, with new eligibility. For a candidate on the
// market with eligibility left only the time of the statement changes, so that a late command does
// not undo it. A refusal states nothing.
func (m Market) ReEnable(s Statement, eligibility time.Duration) (Market, contract.ResultStatus) {
	switch {
	case m.Locked:
		return m, contract.ResultLocked
	case m.Excluded():
		return m, contract.ResultPreExcluded
	case m.Status(s.At) == contract.OnMarket:
		return m.mark(false, s), contract.ResultAlreadyOnMarket
	}
	return m.renew(s.At.Add(eligibility)).mark(false, s), contract.ResultOnMarket
}

// renew extends the eligibility. One without end stays so.
func (m Market) renew(expires time.Time) Market {
	if !m.ExpiresAt.IsZero() {
		m.ExpiresAt = laterOf(m.ExpiresAt, expires)
	}
	return m
}

// SetOff marks the candidate as off or on, as the app says, and renews an eligibility
// that is over. A lock hides the mark and does not refuse it: statements come in any
// order, and the final state must not depend on it. A pre-excluded one stays off.
func (m Market) SetOff(off bool, s Statement, eligibility time.Duration) Market {
	eligibilityOnly := Market{ExpiresAt: m.ExpiresAt}
	if !off && s.after(m.Stated) && eligibilityOnly.Status(s.At) == contract.Expired {
		m = m.renew(s.At.Add(eligibility))
	}
	return m.mark(off, s)
}

// Exclude pre-excludes the person, and ends a boost.
func (m Market) Exclude(at time.Time) Market {
	m.ExcludedAt = laterOf(m.ExcludedAt, at)
	m.Boosted = false
	return m
}

// OptIn sets the fast-track opt-in; the market state stays.
func (m Market) OptIn(fastTrack bool, s Statement) Market {
	if s.after(m.FastTrackStated) {
		m.FastTrack = fastTrack
		m.FastTrackStated = s
	}
	return m
}

// Lock locks or unlocks the candidate, as the app says. An off-market statement made before or
// during the lock outlives it.
func (m Market) Lock(locked bool, s Statement) Market {
	if s.after(m.LockStated) {
		m.Locked = locked
		m.LockStated = s
	}
	return m
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Statement is the position of a statement about a membership in the one order of all such
// statements (contract, Order of statements). Statements that are merged by it result in the same
// state in any order of arrival, with any repetition. The zero value is before every other.
type Statement struct {
	// At has milliseconds, as it is stored.
	At time.Time
	// Rank orders statements of the same millisecond: 0 for a submission, the version
	// for a command of the app, and apiRank for a call of the API.
	Rank int64
}

// apiRank is above every version: a call is answered with its own effect.
const apiRank = 1 << 53

func (s Statement) after(stored Statement) bool {
	return s.At.After(stored.At) || s.At.Equal(stored.At) && s.Rank > stored.Rank
}

// statement returns w's statement where stored is the newest one. A
// command has its own time. A call of the API is after everything that is stored when it
// is made, so it has its effect even where a clock is behind.
func (w Write) statement(stored Statement) Statement {
	s := Statement{At: w.Now.UTC().Truncate(time.Millisecond), Rank: w.Version}
	if w.Version == 0 {
		s.Rank = apiRank
		if !s.after(stored) {
			s.At = stored.At.Add(time.Millisecond)
		}
	}
	return s
}

// toSavedPreferences returns what is read back of the request form: no list is null.
func toSavedPreferences(p contract.WorkPreferences) *contract.SavedWorkPreferences {
	return &contract.SavedWorkPreferences{
		Locations: nonNil(p.Locations), WorkplaceTypes: nonNil(p.WorkplaceTypes),
		SalaryMin: &p.SalaryMin, SalaryMax: p.SalaryMax, OTE: p.OTE,
		IdealFundingRounds: nonNil(p.IdealFundingRounds), VisaAuthorization: &p.VisaAuthorization,
		RoleType: nonNil(p.RoleType), ExcludedIndustries: nonNil(p.ExcludedIndustries),
		CompanySizePreferences: nonNil(p.CompanySizePreferences),
	}
}

func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
