package feed

import (
	"context"
	"errors"
	"slices"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/crm"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/match"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/notetaker"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/role"
)

//go:generate go run ./schemas

// Kinds lists every event and command that there is, to publish their schemas.
func Kinds() []event.Kind { return (&Service{}).kinds() }

// kinds is the table of events. What stands here is all that there is.
func (s *Service) kinds() []event.Kind {
	return slices.Concat(
		event.Both("agency", s.agency),
		event.Both("member", s.member),
		event.Both("recruiter", s.recruiter),
		event.Both("company", s.company),
		event.Both("role", s.role),
		event.Both("roleAssignment", s.assignment),
		event.Both("hiringManagerMetrics", s.metrics),
		event.Both("rolePipeline", s.pipeline),
		event.Both("announcement", s.announcement),
		event.Both("intakeTranscript", s.transcript),
		event.Both("savedPreferences", s.preferences),
		event.Both("application", s.application),
		event.Both("crmCandidate", s.candidate),
		event.Both("match", s.match),
		event.Both("call", s.call),
		[]event.Kind{
			event.With("person.erased", s.erase),
			event.With("membership.preferencesSet", s.preferencesSet),
			event.With("membership.offMarketSet", s.offMarketSet),
			event.With("membership.locked", s.locked),
			event.With("membership.addedByRoleSubmission", s.added),
		},
	)
}

func (s *Service) company(ctx context.Context, e event.Envelope, c *role.Company) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutCompany(ctx, id, e.Stamp(), c)
}

func (s *Service) role(ctx context.Context, e event.Envelope, r *role.Role) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	if r == nil {
		return s.roles.Delete(ctx, id, e.Stamp())
	}
	return s.roles.Put(ctx, id, e.Stamp(), *r)
}

// assignment goes by role and recruiter.
func (s *Service) assignment(ctx context.Context, e event.Envelope, a *role.Assignment) error {
	roleID, recruiterID, err := e.Pair()
	if err != nil {
		return err
	}
	if a != nil {
		if err := errors.Join(e.Same("roleId", a.RoleID, roleID), e.Same("recruiterId", a.RecruiterID, recruiterID)); err != nil {
			return err
		}
	}
	return s.roles.PutAssignment(ctx, roleID, recruiterID, e.Version, a)
}

func (s *Service) metrics(ctx context.Context, e event.Envelope, m *role.Metrics) error {
	roleID, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutMetrics(ctx, roleID, e.Version, m)
}

func (s *Service) pipeline(ctx context.Context, e event.Envelope, p *role.Pipeline) error {
	roleID, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutPipeline(ctx, roleID, e.Version, p)
}

func (s *Service) announcement(ctx context.Context, e event.Envelope, a *role.Announcement) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutAnnouncement(ctx, id, e.Stamp(), a)
}

func (s *Service) transcript(ctx context.Context, e event.Envelope, t *role.Transcript) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutTranscript(ctx, id, e.Stamp(), t)
}

func (s *Service) preferences(ctx context.Context, e event.Envelope, p *role.SavedPreferences) error {
	recruiterID, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutPreferences(ctx, recruiterID, e.Version, p)
}

// candidate goes by recruiter and candidate.
func (s *Service) candidate(ctx context.Context, e event.Envelope, c *crm.Candidate) error {
	recruiterID, candidateID, err := e.Pair()
	if err != nil {
		return err
	}
	if c != nil {
		if err := errors.Join(e.Same("recruiterId", c.RecruiterID, recruiterID), e.Same("candidateId", c.CandidateID, candidateID)); err != nil {
			return err
		}
	}
	if err := s.crm.Put(ctx, recruiterID, candidateID, e.Stamp(), c); err != nil {
		return err
	}
	return s.later.book(ctx, recruiterID, e, c == nil)
}

func (s *Service) match(ctx context.Context, e event.Envelope, m *match.Match) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.matches.Put(ctx, id, e.Stamp(), m)
}

func (s *Service) call(ctx context.Context, e event.Envelope, c *notetaker.Call) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.calls.Put(ctx, id, e.Stamp(), c)
}
