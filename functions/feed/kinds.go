package feed

import (
	"context"
	"errors"
	"slices"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

//go:generate go run ./schemas

// Kinds lists every event and command that there is, to publish their schemas.
func Kinds() []event.Kind { return (&Service{}).eventKinds() }

// eventKinds is the table of events. There are no others.
func (s *Service) eventKinds() []event.Kind {
	return slices.Concat(
		event.NewEntityKinds("agency", s.putAgency),
		event.NewEntityKinds("member", s.putMember),
		event.NewEntityKinds("recruiter", s.putRecruiter),
		event.NewEntityKinds("company", s.putCompany),
		event.NewEntityKinds("role", s.putRole),
		event.NewEntityKinds("roleAssignment", s.putAssignment),
		event.NewEntityKinds("hiringManagerMetrics", s.putMetrics),
		event.NewEntityKinds("rolePipeline", s.putPipeline),
		event.NewEntityKinds("announcement", s.putAnnouncement),
		event.NewEntityKinds("intakeTranscript", s.putTranscript),
		event.NewEntityKinds("savedPreferences", s.putPreferences),
		event.NewEntityKinds("application", s.putApplication),
		event.NewEntityKinds("crmCandidate", s.putCandidate),
		event.NewEntityKinds("match", s.putMatch),
		event.NewEntityKinds("call", s.putCall),
		[]event.Kind{
			event.NewKind("person.erased", s.applyErasure),
			event.NewKind("membership.preferencesSet", s.setPreferences),
			event.NewKind("membership.offMarketSet", s.setOffMarket),
			event.NewKind("membership.locked", s.setLocked),
			event.NewKind("membership.addedByRoleSubmission", s.addMember),
		},
	)
}

func (s *Service) putCompany(ctx context.Context, e event.Envelope, c *role.Company) error {
	id, err := e.SingleID()
	if err != nil {
		return err
	}
	return s.roles.PutCompany(ctx, id, e.Stamp(), c)
}

func (s *Service) putRole(ctx context.Context, e event.Envelope, r *role.Role) error {
	id, err := e.SingleID()
	if err != nil {
		return err
	}
	if id == itemkey.Call.SK() || id == itemkey.CallDetail.SK() { // the row of a role with this id would have the key of a call
		return event.Invalidf("entityId: %s is no id of a role.", id)
	}
	if r == nil {
		return s.roles.Delete(ctx, id, e.Stamp())
	}
	return s.roles.Put(ctx, id, e.Stamp(), *r)
}

// putAssignment goes by role and recruiter.
func (s *Service) putAssignment(ctx context.Context, e event.Envelope, a *role.Assignment) error {
	roleID, recruiterID, err := e.IDPair()
	if err != nil {
		return err
	}
	if a != nil {
		if err := errors.Join(e.CheckID("roleId", a.RoleID, roleID), e.CheckID("recruiterId", a.RecruiterID, recruiterID)); err != nil {
			return err
		}
	}
	return s.roles.PutAssignment(ctx, roleID, recruiterID, e.Version, a)
}

func (s *Service) putMetrics(ctx context.Context, e event.Envelope, m *role.Metrics) error {
	roleID, err := e.SingleID()
	if err != nil {
		return err
	}
	return s.roles.PutMetrics(ctx, roleID, e.Version, m)
}

func (s *Service) putPipeline(ctx context.Context, e event.Envelope, p *role.Pipeline) error {
	roleID, err := e.SingleID()
	if err != nil {
		return err
	}
	return s.roles.PutPipeline(ctx, roleID, e.Version, p)
}

func (s *Service) putAnnouncement(ctx context.Context, e event.Envelope, a *role.Announcement) error {
	id, err := e.SingleID()
	if err != nil {
		return err
	}
	return s.roles.PutAnnouncement(ctx, id, e.Stamp(), a)
}

func (s *Service) putTranscript(ctx context.Context, e event.Envelope, t *role.Transcript) error {
	id, err := e.SingleID()
	if err != nil {
		return err
	}
	return s.roles.PutTranscript(ctx, id, e.Stamp(), t)
}

func (s *Service) putPreferences(ctx context.Context, e event.Envelope, p *role.SavedPreferences) error {
	recruiterID, err := e.SingleID()
	if err != nil {
		return err
	}
	return s.roles.PutPreferences(ctx, recruiterID, e.Version, p)
}

// putCandidate goes by recruiter and candidate.
func (s *Service) putCandidate(ctx context.Context, e event.Envelope, c *crm.Candidate) error {
	recruiterID, candidateID, err := e.IDPair()
	if err != nil {
		return err
	}
	if c != nil {
		if err := errors.Join(e.CheckID("recruiterId", c.RecruiterID, recruiterID), e.CheckID("candidateId", c.CandidateID, candidateID)); err != nil {
			return err
		}
	}
	if err := s.crm.Put(ctx, recruiterID, candidateID, e.Stamp(), c); err != nil {
		return err
	}
	return s.followUps.noteCRMChange(ctx, recruiterID, e, c == nil)
}

func (s *Service) putMatch(ctx context.Context, e event.Envelope, m *match.Match) error {
	id, err := e.SingleID()
	if err != nil {
		return err
	}
	return s.matches.Put(ctx, id, e.Stamp(), m)
}

func (s *Service) putCall(ctx context.Context, e event.Envelope, c *notetaker.Call) error {
	id, err := e.SingleID()
	if err != nil {
		return err
	}
	return s.calls.Put(ctx, id, e.Stamp(), c)
}
