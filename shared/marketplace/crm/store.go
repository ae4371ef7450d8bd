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
	// quiet keeps rows out of the index of changes.
	quiet bool
}

// NewStore works on the marketplace table. now tells when a row was written, by
// which readers find what changed: it is the clock, not an event's time.
func NewStore(entities *entity.Store, now func() time.Time) *Store {
	return &Store{entities: entities, now: now}
}

// Quiet is the store for a load that publishes the books that it has changed at
// its end: a large book that was published before does not show it until then.
func (s *Store) Quiet() *Store { return &Store{s.entities, s.now, true} }

// written is when a row is written, as the index of changes has it.
func (s *Store) written() time.Time {
	if s.quiet {
		return time.Time{}
	}
	return s.now()
}

// Put stores a candidate; nil deletes it. It goes by recruiter and candidate.
func (s *Store) Put(ctx context.Context, recruiterID, candidateID string, at entity.Stamp, c *Candidate) error {
	change := entity.Change{Key: candidateKey(recruiterID, candidateID), Stamp: at, Lean: true}
	if c != nil {
		change.Persons = c.persons()
		change.Live = func(entity.State) (entity.Next, error) { return s.next(ctx, *c) }
	}
	_, err := s.entities.Apply(ctx, change)
	return err
}

func (c Candidate) persons() []string { return entity.Persons(c.Email, c.LinkedInURL) }

// errSomebodyElse is the erasure of a candidate who is not that person any more.
var errSomebodyElse = errors.New("the candidate is somebody else")

// Erase forgets a candidate, as entity.Store.LeanCopies names it, if it still tells
// of the person with an identity of this hash, and says whether it did.
func (s *Store) Erase(ctx context.Context, k entity.Key, hash string) (erased bool, err error) {
	erased, err = s.entities.Erase(ctx, entity.Change{
		Key: k, Lean: true,
		Dead: func(old entity.State) ([]entity.Action, error) {
			var c Candidate
			err := old.Into(&c)
			if err == nil && !slices.Contains(c.persons(), hash) {
				err = errSomebodyElse
			}
			return nil, err
		},
	})
	if errors.Is(err, errSomebodyElse) {
		err = nil
	}
	return erased, err
}

// next is the candidate's item and row, which shows what its applications have
// come to while that does not change.
func (s *Store) next(ctx context.Context, c Candidate) (entity.Next, error) {
	if !c.Listed() {
		return entity.Next{Body: c}, nil
	}
	k := progressKey(c.RecruiterID, c.CandidateID)
	stored, err := s.entities.Get(ctx, k)
	if err != nil {
		return entity.Next{}, err
	}
	var p progress
	if err := stored.Into(&p); err != nil {
		return entity.Next{}, err
	}
	return entity.Next{
		Body: c, Rows: []entity.Row{c.row(p.furthest(), s.written())},
		With: []entity.Action{s.entities.Unchanged(k, stored)},
	}, nil
}
