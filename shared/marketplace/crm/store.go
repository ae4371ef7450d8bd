package crm

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// Store keeps recruiters' candidates. Every change drops what is not newer than
// what is stored and may be repeated (package entity).
type Store struct {
	entities *entity.Store
	now      func() time.Time
	// bulk keeps rows out of the index of changes.
	bulk bool
}

// NewStore works on the marketplace table. now tells when a row was written, by
// which readers find what changed: it is the clock, not an event's time.
func NewStore(entities *entity.Store, now func() time.Time) *Store {
	return &Store{entities: entities, now: now}
}

// ForBulkLoad is the store for a load that publishes the books that it has changed at
// its end: a large book that was published before does not show it until then.
func (s *Store) ForBulkLoad() *Store { return &Store{s.entities, s.now, true} }

// writeTime is when a row is written, as the index of changes has it.
func (s *Store) writeTime() time.Time {
	if s.bulk {
		return time.Time{}
	}
	return s.now()
}

// Put stores a candidate; nil deletes it. It goes by recruiter and candidate.
func (s *Store) Put(ctx context.Context, recruiterID, candidateID string, at entity.Stamp, c *Candidate) error {
	change := entity.Change{Key: candidateKey(recruiterID, candidateID), Stamp: at, PersonsOnItem: true}
	if c != nil {
		change.Persons = c.personHashes()
		change.Next = func(entity.State) (entity.NewState, error) { return s.nextState(ctx, *c) }
	}
	_, err := s.entities.Apply(ctx, change)
	return err
}

func (c Candidate) personHashes() []string { return entity.PersonHashes(c.Email, c.LinkedInURL) }

// errOtherPerson is the erasure of a candidate who is not that person any more.
var errOtherPerson = errors.New("the candidate is somebody else")

// Erase forgets a candidate, as entity.Store.IndexedCopies names it, if it still tells
// of the person with an identity of this hash, and says whether it did.
func (s *Store) Erase(ctx context.Context, k entity.Key, hash string) (erased bool, err error) {
	erased, err = s.entities.Erase(ctx, entity.Change{
		Key: k, PersonsOnItem: true,
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

// nextState is the candidate's item and row, which shows what its applications have
// come to while that does not change.
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
	return entity.NewState{
		Body: c, Rows: []entity.Row{c.listRow(p.furthestStatus(), s.writeTime())},
		Actions: []entity.Action{s.entities.CheckUnchanged(k, stored)},
	}, nil
}
