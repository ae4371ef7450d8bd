package role

import (
	"context"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

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

// PutApplication stores an application, counts it for its recruiter and runs the actions of along,
// in one transaction; nil deletes it.
func (s *Store) PutApplication(ctx context.Context, id string, at entity.Stamp, a *Application, along FollowUp) (err error) {
	defer fault.Wrap(&err, "role.PutApplication(id)")

	recounted := map[string]bool{}
	applied, err := s.entities.Apply(ctx, s.applicationChange(ctx, id, at, a, along, recounted))
	if !applied && a != nil {
		recounted[a.RecruiterID] = true // an earlier delivery may have died before it counted the change
	}
	return s.countRecounted(ctx, recounted, err)
}

// countRecounted counts a change for each recruiter in recounted, unless err is set.
func (s *Store) countRecounted(ctx context.Context, recounted map[string]bool, err error) error {
	for recruiterID := range recounted {
		if err == nil {
			err = s.countInvolvementChange(ctx, recruiterID)
		}
	}
	return err
}

// EraseApplication deletes an application of a person who was erased with what happened up to at. It no
// longer counts. EraseApplication reports whether it did: an application of a later event stays.
func (s *Store) EraseApplication(ctx context.Context, id string, at time.Time, along FollowUp) (erased bool, err error) {
	defer fault.Wrap(&err, "role.EraseApplication(id)")

	recounted := map[string]bool{}
	erased, err = s.entities.Erase(ctx, s.applicationChange(ctx, id, entity.Stamp{At: at}, nil, along, recounted))
	return erased, s.countRecounted(ctx, recounted, err)
}

// applicationChange returns the change that stores an application. It adds each recruiter with a
// changed count to recounted.
func (s *Store) applicationChange(
	ctx context.Context, id string, at entity.Stamp, a *Application, along FollowUp, recounted map[string]bool,
) entity.Change {
	effects := func(old entity.State, is *Application) ([]entity.Action, error) {
		was, err := applicationOf(old)
		if err != nil {
			return nil, err
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
	if a == nil {
		return c
	}
	c.Persons = entity.PersonHashes(a.CandidateEmail, a.CandidateLinkedInURL)
	c.Next = func(old entity.State) (entity.NewState, error) {
		is, err := s.withVia(ctx, old, *a)
		if err != nil {
			return entity.NewState{}, err
		}
		with, err := effects(old, &is)
		return entity.NewState{Body: is, Rows: is.newRows(id), Actions: with}, err
	}
	return c
}

// withVia returns the application with the way in which it was made, as far as it is known:
// from the event, from an earlier state of the application, or by the recruiter's access
// level at this time.
func (s *Store) withVia(ctx context.Context, old entity.State, a Application) (Application, error) {
	if a.knownVia() != "" {
		return a, nil
	}
	was, err := applicationOf(old)
	if err != nil {
		return a, err
	}
	if was != nil && was.Via != nil && was.RoleID == a.RoleID && was.RecruiterID == a.RecruiterID {
		a.Via = was.Via
		return a, nil
	}
	stored, err := s.entities.Get(ctx, withPart(involvementKey(a.RecruiterID, a.RoleID), assignmentPart))
	if err != nil || !stored.Live() {
		return a, err
	}
	var assignment Assignment
	if err := stored.Into(&assignment); err != nil {
		return a, err
	}
	if via := assignment.via(); via != "" {
		a.Via = &via
	}
	return a, nil
}

// knownVia returns the way in which the application was made, "" if it is not known.
func (a Application) knownVia() contract.ApplicationVia {
	if a.Via == nil && a.AutoMatch {
		return contract.ApplicationViaAutoMatch
	}
	return optional.Value(a.Via)
}

func applicationOf(s entity.State) (*Application, error) {
	if !s.Live() {
		return nil, nil
	}
	var a Application
	err := s.Into(&a)
	return &a, err
}

// countChange is an application that counts for its recruiter (n = 1), or no longer (n = -1).
type countChange struct {
	a Application
	n int
}

// countChanges returns how a change of an application changes counts, by key.
func countChanges(was, is *Application) map[entity.Key][]countChange {
	all := map[entity.Key][]countChange{}
	enter := func(a *Application, n int) {
		if a != nil {
			k := withPart(involvementKey(a.RecruiterID, a.RoleID), countPart)
			all[k] = append(all[k], countChange{*a, n})
		}
	}
	enter(was, -1)
	enter(is, 1)
	return all
}

// countActions returns the actions that move an application from the counts of was to those of is.
// A repeated delivery does not know a recruiter that the application has left, so that change is
// counted in the same transaction.
func (s *Store) countActions(ctx context.Context, was, is *Application, recounted map[string]bool) ([]entity.Action, error) {
	var actions []entity.Action
	if was != nil && (is == nil || is.RecruiterID != was.RecruiterID) {
		actions = append(actions, s.entities.CountedChange(withPart(preferencesKey(was.RecruiterID), changesPart)))
	}
	for k, mine := range countChanges(was, is) {
		stored, err := s.entities.Get(ctx, k)
		if err != nil {
			return nil, err
		}
		var before Counts
		if err := stored.Into(&before); err != nil {
			return nil, err
		}
		after := before
		for _, m := range mine {
			after.addApplication(m.a, m.n)
		}
		if after == before {
			continue
		}
		action, err := s.entities.Replace(k, stored, after)
		if err != nil {
			return nil, err
		}
		actions = append(actions, action)
		for _, m := range mine {
			recounted[m.a.RecruiterID] = true
		}
	}
	return actions, nil
}
