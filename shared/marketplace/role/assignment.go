package role

import (
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

// Assignment is what a recruiter is to a role. A recruiter has one per role; nil is that of a
// stranger. What is not set is not stored: every list reads all of a recruiter's.
type Assignment struct {
	RoleID         string                   `json:"roleId,omitempty" check:"required,format=id"`
	RecruiterID    string                   `json:"recruiterId,omitempty" check:"required,format=id"`
	ApprovalStatus *contract.ApprovalStatus `json:"approvalStatus,omitempty" check:"nullable,min=1,max=64" doc:"APPROVED, PENDING, REJECTED, WITHDRAWN or another."`
	AccessLevel    *contract.AccessLevel    `json:"accessLevel,omitempty" check:"nullable,min=1,max=64" doc:"FULL, CROSS_SUBMIT, SUBMISSION_REQUEST_ONLY or another."`
	Trial          *Trial                   `json:"trial,omitempty" check:"nullable" doc:"Set on a primary slot on trial."`
	// Fee is offered to this recruiter instead of the role's.
	Fee *Fee `json:"fee,omitempty" check:"nullable" doc:"The recruiter's own fee, in place of the role's."`
}

// Approved reports whether the recruiter is on the role.
func (a *Assignment) Approved() bool {
	return a != nil && optional.Value(a.ApprovalStatus) == contract.ApprovalStatusApproved
}

// Primary reports whether the recruiter holds a primary slot.
func (a *Assignment) Primary() bool {
	return a.Approved() && optional.Value(a.AccessLevel) == contract.AccessLevelFull
}

// RequestOnly reports whether the recruiter, who is on the role, may submit only candidates that the
// hiring manager asked for.
func (a *Assignment) RequestOnly() bool {
	return a.Approved() && optional.Value(a.AccessLevel) == contract.AccessLevelSubmissionRequestOnly
}

// via returns the way in which submissions are made at the assignment's access level, "" if
// it is not known.
func (a *Assignment) via() contract.ApplicationVia {
	if a == nil {
		return ""
	}
	switch optional.Value(a.AccessLevel) {
	case contract.AccessLevelFull: // a primary slot
		return contract.ApplicationViaPrimary
	case contract.AccessLevelCrossSubmit:
		return contract.ApplicationViaSingle
	case contract.AccessLevelSubmissionRequestOnly:
		return contract.ApplicationViaRequest
	}
	return ""
}

// Trial is a primary slot's probation.
type Trial struct {
	EndsAt             *contract.Time `json:"endsAt,omitempty" check:"nullable"`
	SubmissionGoal     int64          `json:"submissionGoal,omitempty" check:"min=0"`
	SubmissionsCounted int64          `json:"submissionsCounted,omitempty" check:"min=0"`
	// Ended closes the trial before its time.
	Ended bool `json:"ended,omitempty"`
}

// Application is a candidate submitted to a role.
type Application struct {
	RoleID      string  `json:"roleId" check:"required,format=id"`
	RecruiterID string  `json:"recruiterId" check:"required,format=id"`
	AgencyID    *string `json:"agencyId" check:"nullable,format=id" doc:"The recruiter's agency at that time."`
	CandidateID string  `json:"candidateId" check:"required,format=id"`
	// CandidateName and the two identities are a person's: they go with an erasure.
	CandidateName        string  `json:"candidateName" check:"required,max=300"`
	CandidateEmail       *string `json:"candidateEmail" check:"nullable,format=email"`
	CandidateLinkedInURL *string `json:"candidateLinkedinUrl" check:"nullable,format=linkedin"`
	Status               string  `json:"status" check:"required,enum=applicationStatus"`
	CurrentStage         *string `json:"currentStage" check:"nullable,enum=stage"`
	FurthestStage        *string `json:"furthestStage" check:"nullable,enum=stage"`
	RejectionReason      *string `json:"rejectionReason" check:"nullable,max=5000"`
	StatusUpdateMessage  *string `json:"statusUpdateMessage" check:"nullable,max=5000"`
	AutoMatch            bool    `json:"autoMatch" doc:"Made from an auto-match; read where there is no via."`
	// Via is stored with an application that came without one, by the access level at its time.
	Via         *contract.ApplicationVia `json:"via,omitempty" check:"nullable,enum=applicationVia" doc:"How the submission was made; without it, by the access level when it came."`
	SubmittedAt contract.Time            `json:"submittedAt" check:"required"`
}

// SavedPreferences are a recruiter's own role preferences.
type SavedPreferences struct {
	RoleTypes      []contract.RoleType      `json:"roleTypes" check:"enum=roleType"`
	Locations      []contract.Location      `json:"locations" check:"enum=location"`
	Industries     []contract.Industry      `json:"industries" check:"enum=industry"`
	WorkplaceTypes []contract.WorkplaceType `json:"workplaceTypes" check:"enum=workplaceType"`
	FundingRounds  []contract.FundingRound  `json:"fundingRounds" check:"enum=fundingRound"`
	MinSalary      *int64                   `json:"minSalary" check:"nullable,min=0,max=9007199254740991"`
	Description    *string                  `json:"description" check:"nullable,max=20000"`
}

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
