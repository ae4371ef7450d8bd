package crm

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Store stores recruiters' candidates. A change is dropped unless it is newer than what
// is stored, and may be repeated (package entity).
type Store struct {
	entities *entity.Store
	now      func() time.Time
	// bulk keeps rows out of the log of changes.
	bulk bool
	// noteLoss is called before a change after which a person leads to a candidate no longer.
	noteLoss func(ctx context.Context, recruiterID string) error
}

// NewStore returns a store in the marketplace table. now is the time at which a row is
// written, by which readers find changes: the clock's, not an event's.
func NewStore(entities *entity.Store, now func() time.Time) *Store {
	return &Store{entities: entities, now: now, noteLoss: func(context.Context, string) error { return nil }}
}

// NotingLosses returns the store with a function that it calls before a change after which a person leads to a candidate no longer: an
// erasure of the person does not find the candidate then, but what was published of the CRM still names the person.
func (s *Store) NotingLosses(note func(ctx context.Context, recruiterID string) error) *Store {
	noting := *s
	noting.noteLoss = note
	return &noting
}

// ForBulkLoad returns the store for a load that publishes the indexes of the CRMs it has
// changed when it ends. Until then a search by an index does not find the changes.
func (s *Store) ForBulkLoad() *Store {
	bulk := *s
	bulk.bulk = true
	return &bulk
}

// Put stores a candidate of a recruiter; nil deletes it.
func (s *Store) Put(ctx context.Context, recruiterID, candidateID string, at entity.Stamp, c *Candidate) (err error) {
	defer fault.Wrap(&err, "crm.Put(recruiterID, candidateID)")

	change := entity.Change{
		Key: candidateKey(recruiterID, candidateID), Stamp: at,
		OnDelete: func(entity.State) ([]entity.Action, error) { return nil, s.noteLoss(ctx, recruiterID) },
	}
	if c != nil {
		change.Persons = c.personHashes()
		change.Next = func(old entity.State) (entity.NewState, error) {
			if old.LosesPersons(change.Key, change.Persons) {
				if err := s.noteLoss(ctx, recruiterID); err != nil {
					return entity.NewState{}, err
				}
			}
			return s.nextState(ctx, *c)
		}
	}
	_, err = s.entities.Apply(ctx, change)
	return err
}

func (c Candidate) personHashes() []string { return entity.PersonHashes(c.Email, c.LinkedInURL) }

// errOtherPerson reports that a candidate to be erased has become another person.
var errOtherPerson = errors.New("the candidate is another person")

// Erase erases a candidate if it is still of the person who has an identity with this hash and of no
// event after at, and reports whether it did.
func (s *Store) Erase(ctx context.Context, recruiterID, candidateID, hash string, at time.Time) (erased bool, err error) {
	defer fault.Wrap(&err, "crm.Erase(recruiterID, candidateID, hash)")

	erased, err = s.entities.Erase(ctx, entity.Change{
		Key: candidateKey(recruiterID, candidateID), Stamp: entity.Stamp{At: at},
		OnDelete: func(old entity.State) ([]entity.Action, error) {
			var c Candidate
			err := old.Into(&c)
			if err == nil && !slices.Contains(c.personHashes(), hash) {
				err = errOtherPerson
			}
			return nil, err
		},
	})
	if errors.Is(err, errOtherPerson) {
		err = nil
	}
	return erased, err
}

// nextState returns the candidate's item and row. The row shows the furthest status of
// the applications, which must not change before the transaction commits.
func (s *Store) nextState(ctx context.Context, c Candidate) (entity.NewState, error) {
	if !c.Listed() {
		return entity.NewState{Body: c}, nil
	}
	k := progressKey(c.RecruiterID, c.CandidateID)
	stored, err := s.entities.Get(ctx, k)
	if err != nil {
		return entity.NewState{}, err
	}
	var p progress
	if err := stored.Into(&p); err != nil {
		return entity.NewState{}, err
	}
	row := c.newRow(p.furthestStatus())
	next := entity.NewState{
		Body: c, Rows: []entity.Row{row.listItem(c.RecruiterID)}, Actions: []entity.Action{s.entities.CheckUnchanged(k, stored)},
	}
	if !s.bulk {
		next.Rows = append(next.Rows, row.changeItem(c.RecruiterID, s.now()))
	}
	return next, nil
}
