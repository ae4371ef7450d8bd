package crm

import (
	"context"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// progress counts a candidate's applications by the status that they have reached.
type progress map[string]int

// order is that of the pipeline.
var order = []string{"HIRED", "OFFER", "INTERVIEWING", "IN_REVIEW", "SUBMITTED"}

// stages are what an application has reached that came to a stage.
var stages = map[string]string{
	"Submitted": "SUBMITTED", "First round": "INTERVIEWING", "Mid round": "INTERVIEWING", "Final round": "INTERVIEWING", "Offer": "OFFER", "Hired": "HIRED",
}

// Reached is the furthest status of the pipeline that an application has reached,
// by its status and its stages (nil: unknown). One that was rejected or withdrawn
// has reached its furthest stage, and was submitted in any case.
func Reached(status string, stage ...*string) string {
	p := progress{"SUBMITTED": 1, status: 1}
	for _, s := range stage {
		if s != nil {
			p[stages[*s]] = 1
		}
	}
	return p.furthest()
}

// furthest is the furthest status that an application has reached; "" for none.
func (p progress) furthest() string {
	for _, status := range order {
		if p[status] > 0 {
			return status
		}
	}
	return ""
}

// Step is an application of a candidate that comes or goes.
type Step struct {
	RecruiterID, CandidateID string
	// Status is what the application has Reached.
	Status string
	// N is 1 for one that comes, -1 for one that goes.
	N int
}

// Count is the part of a transaction by which candidates' rows follow their
// applications. It holds while nobody else changes them.
func (s *Store) Count(ctx context.Context, steps []Step) ([]entity.Action, error) {
	var actions []entity.Action
	for len(steps) > 0 {
		first := steps[0]
		same := func(t Step) bool { return t.RecruiterID == first.RecruiterID && t.CandidateID == first.CandidateID }
		var mine []Step
		for _, t := range steps {
			if same(t) {
				mine = append(mine, t)
			}
		}
		steps = slices.DeleteFunc(slices.Clone(steps), same)
		more, err := s.count(ctx, mine)
		if err != nil {
			return nil, err
		}
		actions = append(actions, more...)
	}
	return actions, nil
}

// count takes steps of one candidate.
func (s *Store) count(ctx context.Context, steps []Step) ([]entity.Action, error) {
	k := progressKey(steps[0].RecruiterID, steps[0].CandidateID)
	stored, err := s.entities.Get(ctx, k)
	if err != nil {
		return nil, err
	}
	p := progress{}
	if err := stored.Into(&p); err != nil {
		return nil, err
	}
	before := p.furthest()
	for _, t := range steps {
		if p[t.Status] += t.N; p[t.Status] == 0 {
			delete(p, t.Status)
		}
	}
	counted, err := s.entities.Replace(k, stored, p)
	if err != nil || p.furthest() == before {
		return []entity.Action{counted}, err
	}
	shown, err := s.show(ctx, steps[0].RecruiterID, steps[0].CandidateID, p.furthest())
	return append(shown, counted), err
}

// show puts the furthest status on the candidate's row, if there is one.
func (s *Store) show(ctx context.Context, recruiterID, candidateID, furthest string) ([]entity.Action, error) {
	k := candidateKey(recruiterID, candidateID)
	stored, err := s.entities.Get(ctx, k)
	if err != nil {
		return nil, err
	}
	actions := []entity.Action{s.entities.Unchanged(k, stored)}
	var c Candidate
	if err := stored.Into(&c); err != nil || !stored.Live() || !c.Listed() {
		return actions, err
	}
	put, err := s.entities.PutRow(c.row(furthest, s.written()))
	return append(actions, put), err
}
