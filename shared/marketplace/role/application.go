package role

import (
	"context"

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
	// Active ones are submitted, reviewed, interviewing or at offer; AutoMatch are
	// those of them that were made from an auto-match.
	Active    int `json:"active,omitempty"`
	AutoMatch int `json:"autoMatch,omitempty"`
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
	if a.AutoMatch {
		c.AutoMatch += n
	}
}

// FollowUp returns what else must change with an application, given what it was (nil:
// it was not there) and what it becomes (nil: it is gone).
type FollowUp func(ctx context.Context, was, is *Application) ([]entity.Action, error)

// PutApplication stores an application, counts it for its recruiter and does what
// goes along, in one transaction; nil deletes it.
func (s *Store) PutApplication(ctx context.Context, id string, at entity.Stamp, a *Application, along FollowUp) error {
	_, err := s.entities.Apply(ctx, s.applicationChange(ctx, id, at, a, along))
	return err
}

// ApplicationEraser erases the applications of a person. They no longer count.
func (s *Store) ApplicationEraser(along FollowUp) entity.Eraser {
	return entity.Eraser{Name: "applications", Kind: itemkey.Application, Erase: func(ctx context.Context, id string) error {
		_, err := s.entities.Erase(ctx, s.applicationChange(ctx, id, entity.Stamp{}, nil, along))
		return err
	}}
}

func (s *Store) applicationChange(ctx context.Context, id string, at entity.Stamp, a *Application, along FollowUp) entity.Change {
	effects := func(old entity.State, is *Application) ([]entity.Action, error) {
		was, err := applicationOf(old)
		if err != nil {
			return nil, err
		}
		counted, err := s.countActions(ctx, was, is)
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
		with, err := effects(old, a)
		return entity.NewState{Body: a, Rows: a.newRows(id), Actions: with}, err
	}
	return c
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

// countChanges says whose counts change when an application does.
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

// countActions moves an application from where it counted to where it counts.
func (s *Store) countActions(ctx context.Context, was, is *Application) ([]entity.Action, error) {
	var actions []entity.Action
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
	}
	return actions, nil
}
