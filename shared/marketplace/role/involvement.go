package role

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
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

// RequestOnly reports whether the recruiter, who is on the role, may submit requested candidates alone.
func (a *Assignment) RequestOnly() bool {
	return a.Approved() && optional.Value(a.AccessLevel) == contract.AccessLevelSubmissionRequestOnly
}

// via returns the way in which submissions are made at the assignment's access level, "" if it is not known.
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

// endingSoonDays is how many business days before its end an unmet trial is about to be withdrawn.
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

// TrialActive reports whether a primary slot's trial is in its window and its goal not yet met.
func (a *Assignment) TrialActive(now time.Time) bool {
	if !a.Primary() || a.Trial == nil {
		return false
	}
	t := a.Trial
	isInWindow := t.EndsAt == nil || now.Before(t.EndsAt.Time)
	return !t.Ended && isInWindow && t.SubmissionsCounted < t.SubmissionGoal
}

// businessDays counts the weekdays (UTC) that begin after now and not after end.
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

// Involvement is what a recruiter is to a role; the zero value is a stranger's.
type Involvement struct {
	// Assignment is nil for a recruiter without one.
	*Assignment
	Counts Counts
}

// Involved reports whether the recruiter is on the role or has submitted a candidate to it. An
// assignment counts only once it is approved (contract, Role approval and access).
func (m Involvement) Involved() bool { return m.Approved() || m.Counts.Total > 0 }

// ActiveSingle returns the number of active submissions that were made with
// single-submission access. Those of which nothing else is known count by the level of now.
func (m Involvement) ActiveSingle() int {
	n := m.Counts.Single
	if m.via() == contract.ApplicationViaSingle {
		n += m.Counts.Active - m.Counts.AutoMatch - m.Counts.Single - m.Counts.Other
	}
	return n
}

func involvementIn(item entity.Item) (m Involvement, err error) {
	err = errors.Join(item.PartInto(assignmentPart, &m.Assignment), item.PartInto(countPart, &m.Counts))
	return m, err
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
	AutoMatch            bool    `json:"autoMatch" doc:"Made from an auto-match; used when via is absent."`
	// Via is stored with an application that came without one, by the access level at its time.
	Via         *contract.ApplicationVia `json:"via,omitempty" check:"nullable,enum=applicationVia" doc:"How the submission was made; without it, by the access level when it came."`
	SubmittedAt contract.Time            `json:"submittedAt" check:"required"`
}

func (a Application) newRows(id string) []entity.Row {
	at := sortableTime(a.SubmittedAt)
	rows := []entity.Row{
		entity.RowOf(itemkey.CandidateApplication, a, a.RecruiterID, a.CandidateID, id),
		entity.RowOf(itemkey.RecruiterApplication, a, a.RoleID, a.RecruiterID, at, id),
	}
	if a.AgencyID != nil {
		rows = append(rows, entity.RowOf(itemkey.AgencyApplication, a, a.RoleID, *a.AgencyID, at, id))
	}
	return rows
}

// Counts are a recruiter's own applications to a role.
type Counts struct {
	// Submitted ones wait for or are in review; Interviewing ones may have an offer.
	Submitted    int `json:"submitted,omitempty"`
	Interviewing int `json:"interviewing,omitempty"`
	Hired        int `json:"hired,omitempty"`
	// Total includes rejected and withdrawn ones.
	Total int `json:"total,omitempty"`
	// Active ones are submitted, reviewed, interviewing or at offer. AutoMatch are those of
	// them that were made from an auto-match, Single those with single-submission access,
	// and Other those known to be made in another way.
	Active    int `json:"active,omitempty"`
	AutoMatch int `json:"autoMatch,omitempty"`
	Single    int `json:"single,omitempty"`
	Other     int `json:"other,omitempty"`
}

// addApplication counts an application n times.
func (c *Counts) addApplication(a Application, n int) {
	c.Total += n
	switch a.Status {
	case "SUBMITTED", "IN_REVIEW":
		c.Submitted += n
	case "INTERVIEWING", "OFFER":
		c.Interviewing += n
	case "HIRED":
		c.Hired += n
		return
	default:
		return
	}
	c.Active += n
	switch a.knownVia() {
	case contract.ApplicationViaAutoMatch:
		c.AutoMatch += n
	case contract.ApplicationViaSingle:
		c.Single += n
	case contract.ApplicationViaPrimary, contract.ApplicationViaRequest:
		c.Other += n
	}
}

// FollowUp returns the further actions that a change to an application needs. was is the
// application before (nil: it did not exist), is the one after (nil: it is deleted).
type FollowUp func(ctx context.Context, was, is *Application) ([]entity.Action, error)

// PutApplication stores an application, counts it and runs the actions of along, in one transaction; nil deletes it.
func (s *Store) PutApplication(ctx context.Context, id string, at entity.Stamp, a *Application, along FollowUp) (err error) {
	defer fault.Wrap(&err, "role.PutApplication(id)")

	_, err = s.changeApplication(ctx, s.entities.Apply, id, at, a, along)
	return err
}

// EraseApplication deletes an application of an erased person, which no longer counts, and reports whether it did: an
// application with events after at stays.
func (s *Store) EraseApplication(ctx context.Context, id string, at time.Time, along FollowUp) (erased bool, err error) {
	defer fault.Wrap(&err, "role.EraseApplication(id)")

	return s.changeApplication(ctx, s.entities.Erase, id, entity.Stamp{At: at}, nil, along)
}

// changeApplication stores or deletes an application by apply, and counts the change for each recruiter with another count.
func (s *Store) changeApplication(
	ctx context.Context, apply func(context.Context, entity.Change) (bool, error), id string, at entity.Stamp, a *Application, along FollowUp,
) (applied bool, err error) {
	recounted := map[string]bool{} // recruiters
	effects := func(old entity.State, is *Application) ([]entity.Action, error) {
		was, err := entity.Decode[*Application](old)
		if err != nil {
			return nil, fmt.Errorf("decode the stored application: %w", err)
		}
		counted, err := s.countActions(ctx, was, is, recounted)
		if err != nil {
			return nil, err
		}
		others, err := along(ctx, was, is)
		return append(counted, others...), err
	}
	c := entity.Change{Key: entity.KeyOf(itemkey.Application, id), Stamp: at}
	c.OnDelete = func(old entity.State) ([]entity.Action, error) { return effects(old, nil) }
	if a != nil {
		c.Persons = entity.PersonHashes(a.CandidateEmail, a.CandidateLinkedInURL)
		c.Next = func(old entity.State) (entity.NewState, error) {
			is, err := s.withVia(ctx, old, *a)
			if err != nil {
				return entity.NewState{}, err
			}
			with, err := effects(old, &is)
			return entity.NewState{Body: is, Rows: is.newRows(id), Actions: with}, err
		}
	}
	applied, err = apply(ctx, c)
	if !applied && a != nil {
		recounted[a.RecruiterID] = true // an earlier delivery may have died before it counted the change
	}
	for recruiterID := range recounted {
		if err == nil {
			err = s.countInvolvementChange(ctx, recruiterID)
		}
	}
	return applied, err
}

// withVia returns the application with the way in which it was made, as far as it is known: from the event, from an
// earlier state of the application, or by the recruiter's access level at this time.
func (s *Store) withVia(ctx context.Context, old entity.State, a Application) (Application, error) {
	if a.knownVia() != "" {
		return a, nil
	}
	was, err := entity.Decode[*Application](old)
	if err != nil {
		return a, err
	}
	if was != nil && was.Via != nil && was.RoleID == a.RoleID && was.RecruiterID == a.RecruiterID {
		a.Via = was.Via
		return a, nil
	}
	_, assignment, err := entity.Read[*Assignment](ctx, s.entities, withPart(involvementKey(a.RecruiterID, a.RoleID), assignmentPart))
	a.Via = optional.NonZero(assignment.via())
	return a, err
}

func (a Application) knownVia() contract.ApplicationVia {
	if a.Via == nil && a.AutoMatch {
		return contract.ApplicationViaAutoMatch
	}
	return optional.Value(a.Via)
}

// countActions returns the actions that move an application from the counts of was to those of is. A repeated delivery
// does not know a recruiter that the application has left, so that change is counted in the same transaction.
func (s *Store) countActions(ctx context.Context, was, is *Application, recounted map[string]bool) ([]entity.Action, error) {
	var actions []entity.Action
	if was != nil && (is == nil || is.RecruiterID != was.RecruiterID) {
		actions = append(actions, s.entities.CountedChange(withPart(preferencesKey(was.RecruiterID), changesPart)))
	}
	type change struct {
		*Application
		n int // 1 for one that counts for its recruiter, -1 for one that no longer does
	}
	changes := map[entity.Key][]change{} // one key, if role and recruiter stay
	for _, c := range []change{{was, -1}, {is, 1}} {
		if c.Application != nil {
			k := withPart(involvementKey(c.RecruiterID, c.RoleID), countPart)
			changes[k] = append(changes[k], c)
		}
	}
	for k, mine := range changes {
		stored, before, err := entity.Read[Counts](ctx, s.entities, k)
		if err != nil {
			return nil, err
		}
		after := before
		for _, c := range mine {
			after.addApplication(*c.Application, c.n)
		}
		if after == before {
			continue
		}
		action, err := s.entities.Replace(k, stored, after)
		if err != nil {
			return nil, err
		}
		actions = append(actions, action)
		recounted[mine[0].RecruiterID] = true
	}
	return actions, nil
}
