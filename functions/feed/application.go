package feed

import (
	"context"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

// putApplication stores an application with its counts, and with the candidate's furthest status,
// on which no search of the CRM depends.
func (s *Service) putApplication(ctx context.Context, id string, e event.Envelope, a *role.Application) error {
	return s.roles.PutApplication(ctx, id, e.Stamp(), a, s.updateCandidate)
}

// updateCandidate lets the candidate's row in the recruiter's CRM follow an application.
func (s *Service) updateCandidate(ctx context.Context, was, is *role.Application) ([]entity.Action, error) {
	var steps []crm.ApplicationChange
	if was != nil {
		steps = append(steps, applicationChange(*was, -1))
	}
	if is != nil {
		steps = append(steps, applicationChange(*is, 1))
	}
	return s.crm.ProgressActions(ctx, steps)
}

func applicationChange(a role.Application, n int) crm.ApplicationChange {
	reached := crm.ReachedStatus(a.Status, a.CurrentStage, a.FurthestStage)
	return crm.ApplicationChange{RecruiterID: a.RecruiterID, CandidateID: a.CandidateID, Status: reached, Delta: n}
}
