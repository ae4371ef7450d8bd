package crm

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/entity"
)

// Store keeps recruiters' candidates. Every change drops what is not newer than
// what is stored and may be repeated (package entity).
type Store struct{ entities *entity.Store }

// NewStore works on the marketplace table.
func NewStore(entities *entity.Store) *Store { return &Store{entities} }

// Put stores a candidate; nil deletes it. It goes by recruiter and candidate.
func (s *Store) Put(ctx context.Context, recruiterID, candidateID string, at entity.Stamp, c *Candidate) error {
	change := entity.Change{Key: CandidateKey(recruiterID, candidateID), Stamp: at}
	if c != nil {
		change.Persons = entity.Persons(c.Email, c.LinkedInURL)
		change.Live = func(entity.State) (entity.Next, error) { return s.next(ctx, *c) }
	}
	_, err := s.entities.Apply(ctx, change)
	return err
}

// Erase forgets a candidate of an erased person.
func (s *Store) Erase(ctx context.Context, recruiterID, candidateID string) error {
	_, err := s.entities.Erase(ctx, entity.Change{Key: CandidateKey(recruiterID, candidateID)})
	return err
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
		Body: c, Rows: []entity.Row{c.row(p.furthest())},
		With: []entity.Action{s.entities.Unchanged(k, stored)},
	}, nil
}
