package crm

import (
	"context"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// progress counts a candidate's applications by the status that they have reached.
type progress map[string]int

// pipelineOrder is that of the pipeline.
var pipelineOrder = []string{"HIRED", "OFFER", "INTERVIEWING", "IN_REVIEW", "SUBMITTED"}

// stageStatuses are what an application has reached that came to a stage.
var stageStatuses = map[string]string{
	"Submitted": "SUBMITTED", "First round": "INTERVIEWING", "Mid round": "INTERVIEWING", "Final round": "INTERVIEWING", "Offer": "OFFER", "Hired": "HIRED",
}

// ReachedStatus is the furthest status of the pipeline that an application has reached,
// by its status and its stages (nil: unknown). One that was rejected or withdrawn
// has reached its furthest stage, and was submitted in any case.
func ReachedStatus(status string, stage ...*string) string {
	p := progress{"SUBMITTED": 1, status: 1}
	for _, s := range stage {
		if s != nil {
			p[stageStatuses[*s]] = 1
		}
	}
	return p.furthestStatus()
}

// furthestStatus is the furthest status that an application has reached; "" for none.
func (p progress) furthestStatus() string {
	for _, status := range pipelineOrder {
		if p[status] > 0 {
			return status
		}
	}
	return ""
}

// ApplicationChange is an application of a candidate that comes or goes.
type ApplicationChange struct {
	RecruiterID, CandidateID string
	// Status is what the application has Reached.
	Status string
	// Delta is 1 for one that comes, -1 for one that goes.
	Delta int
}

// ProgressActions is the part of a transaction by which candidates' rows follow their
// applications. It holds while nobody else changes them.
func (s *Store) ProgressActions(ctx context.Context, steps []ApplicationChange) ([]entity.Action, error) {
	var actions []entity.Action
	for len(steps) > 0 {
		first := steps[0]
		same := func(t ApplicationChange) bool {
			return t.RecruiterID == first.RecruiterID && t.CandidateID == first.CandidateID
		}
		var mine []ApplicationChange
		for _, t := range steps {
			if same(t) {
				mine = append(mine, t)
			}
		}
		steps = slices.DeleteFunc(slices.Clone(steps), same)
		more, err := s.progressActions(ctx, mine)
		if err != nil {
			return nil, err
		}
		actions = append(actions, more...)
	}
	return actions, nil
}

// progressActions takes steps of one candidate.
func (s *Store) progressActions(ctx context.Context, steps []ApplicationChange) ([]entity.Action, error) {
	k := progressKey(steps[0].RecruiterID, steps[0].CandidateID)
	stored, err := s.entities.Get(ctx, k)
	if err != nil {
		return nil, err
	}
	p := progress{}
	if err := stored.Into(&p); err != nil {
		return nil, err
	}
	before := p.furthestStatus()
	for _, t := range steps {
		if p[t.Status] += t.Delta; p[t.Status] == 0 {
			delete(p, t.Status)
		}
	}
	counted, err := s.entities.Replace(k, stored, p)
	if err != nil || p.furthestStatus() == before {
		return []entity.Action{counted}, err
	}
	shown, err := s.showFurthest(ctx, steps[0].RecruiterID, steps[0].CandidateID, p.furthestStatus())
	return append(shown, counted), err
}

// showFurthest puts the furthest status on the candidate's row, if there is one.
func (s *Store) showFurthest(ctx context.Context, recruiterID, candidateID, furthest string) ([]entity.Action, error) {
	k := candidateKey(recruiterID, candidateID)
	stored, err := s.entities.Get(ctx, k)
	if err != nil {
		return nil, err
	}
	actions := []entity.Action{s.entities.CheckUnchanged(k, stored)}
	var c Candidate
	if err := stored.Into(&c); err != nil || !stored.Live() || !c.Listed() {
		return actions, err
	}
	put, err := s.entities.PutRow(c.listRow(furthest, s.writeTime()))
	return append(actions, put), err
}
