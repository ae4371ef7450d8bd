package match_test

import (
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
)

// What a match asks of the recruiter depends on its status, on whether the candidate
// was contacted, and on the time: a pending match is expired once its period is over,
// whether or not that is stored yet.
func ExampleMatch_ActionBucket() {
	sentAt := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	show := func(m match.Match, after time.Duration) {
		now := sentAt.Add(after)
		fmt.Println(m.StatusAt(now), "->", m.ActionBucket(now))
	}
	m := match.Match{Status: contract.MatchStatusPending, SentAt: contract.At(sentAt)}
	show(m, time.Hour)
	m.ReachedOut = true
	show(m, time.Hour)
	show(m, match.ExpiryPeriod)
	m.Status = contract.MatchStatusSubmitted
	show(m, match.ExpiryPeriod)
	// Output:
	// pending -> new
	// pending -> needs_submission
	// expired -> expired
	// submitted -> closed
}

// The days are whole ones: on its last day a match has none left.
func ExampleMatch_DaysLeft() {
	sentAt := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	m := match.Match{Status: contract.MatchStatusPending, SentAt: contract.At(sentAt)}
	fmt.Println(*m.DaysLeft(sentAt), *m.DaysLeft(sentAt.Add(match.ExpiryPeriod - time.Second)), m.DaysLeft(sentAt.Add(match.ExpiryPeriod)) == nil)
	// Output: 7 0 true
}
