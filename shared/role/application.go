package role

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/entity"
)

// Counts are a recruiter's own applications to a role.
type Counts struct {
	// Submitted ones wait for or are in review; Interviewing ones may have an offer.
	Submitted    int `json:"submitted"`
	Interviewing int `json:"interviewing"`
	Hired        int `json:"hired"`
	// Total includes rejected and withdrawn ones.
	Total int `json:"total"`
	// Active ones are submitted, reviewed, interviewing or at offer; AutoMatch are
	// those of them that were made from an auto-match.
	Active    int `json:"active"`
	AutoMatch int `json:"autoMatch"`
}

// add counts an application n times.
func (c *Counts) add(a Application, n int) {
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

// Along makes what else must change with an application, given what it was (nil:
// it was not there) and what it becomes (nil: it is gone).
type Along func(ctx context.Context, was, is *Application) ([]entity.Action, error)

// PutApplication stores an application, counts it for its recruiter and does what
// goes along, in one transaction; nil deletes it.
func (s *Store) PutApplication(ctx context.Context, id string, at entity.Stamp, a *Application, along Along) error {
	_, err := s.entities.Apply(ctx, s.application(ctx, id, at, a, along))
	return err
}

// EraseApplication forgets an application of an erased person. It no longer counts.
func (s *Store) EraseApplication(ctx context.Context, id string, along Along) error {
	_, err := s.entities.Erase(ctx, s.application(ctx, id, entity.Stamp{}, nil, along))
	return err
}

func (s *Store) application(ctx context.Context, id string, at entity.Stamp, a *Application, along Along) entity.Change {
	effects := func(old entity.State, is *Application) ([]entity.Action, error) {
		was, err := applicationOf(old)
		if err != nil {
			return nil, err
		}
		counted, err := s.count(ctx, was, is)
		if err != nil {
			return nil, err
		}
		others, err := along(ctx, was, is)
		return append(counted, others...), err
	}
	c := entity.Change{Key: ApplicationKey(id), Stamp: at}
	c.Dead = func(old entity.State) ([]entity.Action, error) { return effects(old, nil) }
	if a == nil {
		return c
	}
	c.Persons = entity.Persons(a.CandidateEmail, a.CandidateLinkedInURL)
	c.Live = func(old entity.State) (entity.Next, error) {
		with, err := effects(old, a)
		return entity.Next{Body: a, Rows: a.rows(id), With: with}, err
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

// count moves an application from where it counted to where it counts.
func (s *Store) count(ctx context.Context, was, is *Application) ([]entity.Action, error) {
	type step struct {
		a *Application
		n int
	}
	keys, steps := []entity.Key{}, map[entity.Key][]step{}
	for _, one := range []step{{was, -1}, {is, 1}} {
		if one.a == nil {
			continue
		}
		k := part(mineKey(one.a.RecruiterID, one.a.RoleID), countPart)
		if steps[k] == nil {
			keys = append(keys, k)
		}
		steps[k] = append(steps[k], one)
	}
	var actions []entity.Action
	for _, k := range keys {
		stored, err := s.entities.Get(ctx, k)
		if err != nil {
			return nil, err
		}
		var counts Counts
		if err := stored.Into(&counts); err != nil {
			return nil, err
		}
		before := counts
		for _, one := range steps[k] {
			counts.add(*one.a, one.n)
		}
		if counts == before {
			continue
		}
		action, err := s.entities.Replace(k, stored, counts)
		if err != nil {
			return nil, err
		}
		actions = append(actions, action)
	}
	return actions, nil
}
