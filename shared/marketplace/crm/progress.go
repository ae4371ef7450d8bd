package crm

import (
	"context"
	"maps"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// progress counts a candidate's applications by the status that they have reached.
type progress map[string]int

// pipelineOrder lists the statuses from the furthest on.
var pipelineOrder = []string{"HIRED", "OFFER", "INTERVIEWING", "IN_REVIEW", "SUBMITTED"}

// stageStatuses are the statuses that an application at a stage has reached.
var stageStatuses = map[string]string{
	"Submitted": "SUBMITTED", "First round": "INTERVIEWING", "Mid round": "INTERVIEWING", "Final round": "INTERVIEWING",
	"Offer": "OFFER", "Hired": "HIRED",
}

// ReachedStatus returns the furthest status that an application has reached, by its status and its stages (nil:
// unknown). A rejected or withdrawn one has reached its furthest stage, and was submitted in any case.
func ReachedStatus(status string, stage ...*string) string {
	p := progress{"SUBMITTED": 1, status: 1}
	for _, s := range stage {
		p[stageStatuses[optional.Value(s)]] = 1
	}
	return p.furthestStatus()
}

func progressKey(recruiterID, candidateID string) entity.Key {
	return entity.KeyOf(itemkey.CandidateProgress, recruiterID, candidateID)
}

func (p progress) furthestStatus() string {
	for _, status := range pipelineOrder {
		if p[status] > 0 {
			return status
		}
	}
	return ""
}

// ApplicationChange is an application of a candidate that is added or removed.
type ApplicationChange struct {
	RecruiterID, CandidateID string
	// Status is what [ReachedStatus] returns for the application.
	Status string
	// Delta is 1 for an application that is added, -1 for one that is removed.
	Delta int
}

// ProgressActions returns the actions of a transaction that keep candidates' rows in step
// with their applications. The transaction fails if the rows change before it commits.
func (s *Store) ProgressActions(ctx context.Context, changes []ApplicationChange) (_ []entity.Action, err error) {
	defer fault.Wrap(&err, "crm.ProgressActions")

	byCandidate := map[entity.Key][]ApplicationChange{}
	for _, c := range changes {
		k := progressKey(c.RecruiterID, c.CandidateID)
		byCandidate[k] = append(byCandidate[k], c)
	}
	var actions []entity.Action
	for k, mine := range byCandidate {
		stored, was, err := entity.Read[progress](ctx, s.entities, k)
		if err != nil {
			return nil, err
		}
		p := progress{}
		maps.Copy(p, was)
		for _, c := range mine {
			p[c.Status] += c.Delta
		}
		maps.DeleteFunc(p, func(_ string, count int) bool { return count == 0 })
		counted, err := s.entities.Replace(k, stored, p)
		actions = append(actions, counted)
		if furthest := p.furthestStatus(); err == nil && furthest != was.furthestStatus() {
			var shown []entity.Action
			shown, err = s.showFurthest(ctx, mine[0].RecruiterID, mine[0].CandidateID, furthest)
			actions = append(actions, shown...)
		}
		if err != nil {
			return nil, err
		}
	}
	return actions, nil
}

// showFurthest returns the actions that put the furthest status on the candidate's row, if any.
func (s *Store) showFurthest(ctx context.Context, recruiterID, candidateID, furthest string) ([]entity.Action, error) {
	k := candidateKey(recruiterID, candidateID)
	stored, c, err := entity.Read[Candidate](ctx, s.entities, k)
	if err != nil {
		return nil, err
	}
	actions := []entity.Action{s.entities.CheckUnchanged(k, stored)}
	if !stored.Live() || !c.Listed() {
		return actions, nil
	}
	put, err := s.entities.PutRow(c.newRow(furthest).listItem(recruiterID)) // searches do not depend on it
	return append(actions, put), err
}
