package role

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// endingSoonDays is how many business days before its end an unmet trial is about to be
// withdrawn.
const endingSoonDays = 2

// trialStatus is the slot's trial as it is now; null for a slot that is on none.
func (a *Assignment) trialStatus(now time.Time) *contract.Trial {
	if !a.Primary() || a.Trial == nil {
		return nil
	}
	t := a.Trial
	out := contract.Trial{
		EndsAt: t.EndsAt, SubmissionGoal: t.SubmissionGoal, SubmissionsCounted: t.SubmissionsCounted,
		IsActive: a.TrialActive(now),
	}
	if t.EndsAt != nil {
		left := businessDays(now, t.EndsAt.Time)
		out.BusinessDaysLeft = &left
		out.EndingSoon = out.IsActive && left <= endingSoonDays
	}
	return &out
}

// TrialActive reports whether a primary slot's trial is in its window and its goal
// not yet met.
func (a *Assignment) TrialActive(now time.Time) bool {
	if !a.Primary() || a.Trial == nil {
		return false
	}
	t := a.Trial
	isInWindow := t.EndsAt == nil || now.Before(t.EndsAt.Time)
	return !t.Ended && isInWindow && t.SubmissionsCounted < t.SubmissionGoal
}

// businessDays counts the weekdays (UTC) that begin after now and not after end; 0
// when there are none.
func businessDays(now, end time.Time) int {
	day := func(t time.Time) int64 { return t.UTC().Unix() / 86400 } // day 0 is a Thursday
	weekdays := func(d int64) int64 {                                // from Monday, 1969-12-29, to the end of day d
		d += 3
		return d/7*5 + min(d%7+1, 5)
	}
	if !end.After(now) {
		return 0
	}
	return int(weekdays(day(end)) - weekdays(day(now)))
}
