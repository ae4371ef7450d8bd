package feed

import (
	"context"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// application stores an application with its counts, and the candidate's furthest
// status with it.
func (s *Service) application(ctx context.Context, e event.Envelope, a *role.Application) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	if err := s.roles.PutApplication(ctx, id, e.Stamp(), a, s.follow); err != nil || a == nil {
		return err
	}
	return s.later.book(ctx, a.RecruiterID, e, false)
}

// follow lets the candidate's row in the recruiter's book follow an application.
func (s *Service) follow(ctx context.Context, was, is *role.Application) ([]entity.Action, error) {
	var steps []crm.ApplicationChange
	if was != nil {
		steps = append(steps, step(*was, -1))
	}
	if is != nil {
		steps = append(steps, step(*is, 1))
	}
	return s.crm.ProgressActions(ctx, steps)
}

func step(a role.Application, n int) crm.ApplicationChange {
	return crm.ApplicationChange{RecruiterID: a.RecruiterID, CandidateID: a.CandidateID, Status: crm.ReachedStatus(a.Status, a.CurrentStage, a.FurthestStage), Delta: n}
}
