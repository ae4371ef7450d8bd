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

	_, err = s.changeApplication(ctx, s.entities.Apply, id, at, a, along)
	return err
}

// EraseApplication deletes an application of a person who was erased with what happened up to at. It no
// longer counts. EraseApplication reports whether it did: an application of a later event stays.
func (s *Store) EraseApplication(ctx context.Context, id string, at time.Time, along FollowUp) (erased bool, err error) {
	defer fault.Wrap(&err, "role.EraseApplication(id)")

	return s.changeApplication(ctx, s.entities.Erase, id, entity.Stamp{At: at}, nil, along)
}

// changeApplication stores or deletes an application by apply, and then counts the change for each recruiter with
// another count.
func (s *Store) changeApplication(
	ctx context.Context, apply func(context.Context, entity.Change) (bool, error), id string, at entity.Stamp, a *Application, along FollowUp,
) (applied bool, err error) {
	recounted := map[string]bool{} // recruiters
	effects := func(old entity.State, is *Application) ([]entity.Action, error) {
		was, err := entity.Decode[*Application](old)
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

// withVia returns the application with the way in which it was made, as far as it is known:
// from the event, from an earlier state of the application, or by the recruiter's access
// level at this time.
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

// knownVia returns the way in which the application was made, "" if it is not known.
func (a Application) knownVia() contract.ApplicationVia {
	if a.Via == nil && a.AutoMatch {
		return contract.ApplicationViaAutoMatch
	}
	return optional.Value(a.Via)
}

// countChange is an application that counts for its recruiter (n = 1), or no longer (n = -1).
type countChange struct {
	*Application
	n int
}

// countActions returns the actions that move an application from the counts of was to those of is.
// A repeated delivery does not know a recruiter that the application has left, so that change is
// counted in the same transaction.
func (s *Store) countActions(ctx context.Context, was, is *Application, recounted map[string]bool) ([]entity.Action, error) {
	var actions []entity.Action
	if was != nil && (is == nil || is.RecruiterID != was.RecruiterID) {
		actions = append(actions, s.entities.CountedChange(withPart(preferencesKey(was.RecruiterID), changesPart)))
	}
	changes := map[entity.Key][]countChange{} // one key, if role and recruiter stay
	for _, c := range []countChange{{was, -1}, {is, 1}} {
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
