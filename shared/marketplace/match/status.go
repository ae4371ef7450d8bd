package match

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// ExpiryPeriod is how long a match stays pending.
const ExpiryPeriod = 7 * 24 * time.Hour

// ExpiresAt returns when the match expires if it is still pending.
func (m Match) ExpiresAt() time.Time { return m.SentAt.Add(ExpiryPeriod) }

// StatusAt returns the match's status at a time: a pending one past its expiry is expired,
// whether or not that is stored yet.
func (m Match) StatusAt(now time.Time) contract.MatchStatus {
	if m.Status == contract.MatchStatusPending && !now.Before(m.ExpiresAt()) {
		return contract.MatchStatusExpired
	}
	return m.Status
}

// ActionBucket returns what the match asks of the recruiter at a time.
func (m Match) ActionBucket(now time.Time) contract.ActionBucket {
	switch status := m.StatusAt(now); {
	case status == contract.MatchStatusExpired:
		return contract.ActionBucketExpired
	case status != contract.MatchStatusPending:
		return contract.ActionBucketClosed
	case m.ReachedOut:
		return contract.ActionBucketNeedsSubmission
	}
	return contract.ActionBucketNew
}

// DaysLeft returns the whole days until a pending match expires, or nil if it is not pending.
func (m Match) DaysLeft(now time.Time) *int64 {
	if m.StatusAt(now) != contract.MatchStatusPending {
		return nil
	}
	return new(int64(m.ExpiresAt().Sub(now) / (24 * time.Hour)))
}
