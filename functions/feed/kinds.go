package feed

import (
	"context"
	"errors"
	"slices"

	"github.com/recruiting-marketplace/external-api/shared/call"
	"github.com/recruiting-marketplace/external-api/shared/crm"
	"github.com/recruiting-marketplace/external-api/shared/feed"
	"github.com/recruiting-marketplace/external-api/shared/match"
	"github.com/recruiting-marketplace/external-api/shared/role"
)

//go:generate go run ./schemas

// Kinds lists every event and command that there is, to publish their schemas.
func Kinds() []feed.Kind { return (&Service{}).kinds() }

// kinds is the table of events. What stands here is all that there is.
func (s *Service) kinds() []feed.Kind {
	return slices.Concat(
		feed.Both("agency", s.agency),
		feed.Both("member", s.member),
		feed.Both("recruiter", s.recruiter),
		feed.Both("company", s.company),
		feed.Both("role", s.role),
		feed.Both("roleAssignment", s.assignment),
		feed.Both("hiringManagerMetrics", s.metrics),
		feed.Both("rolePipeline", s.pipeline),
		feed.Both("announcement", s.announcement),
		feed.Both("intakeTranscript", s.transcript),
		feed.Both("savedPreferences", s.preferences),
		feed.Both("application", s.application),
		feed.Both("crmCandidate", s.candidate),
		feed.Both("match", s.match),
		feed.Both("call", s.call),
		[]feed.Kind{
			feed.With("person.erased", s.erase),
			feed.With("membership.preferencesSet", s.preferencesSet),
			feed.With("membership.offMarketSet", s.offMarketSet),
			feed.With("membership.locked", s.locked),
			feed.With("membership.addedByRoleSubmission", s.added),
		},
	)
}

func (s *Service) company(ctx context.Context, e feed.Envelope, c *role.Company) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutCompany(ctx, id, e.Stamp(), c)
}

func (s *Service) role(ctx context.Context, e feed.Envelope, r *role.Role) error {
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
func (s *Service) assignment(ctx context.Context, e feed.Envelope, a *role.Assignment) error {
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

func (s *Service) metrics(ctx context.Context, e feed.Envelope, m *role.Metrics) error {
	roleID, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutMetrics(ctx, roleID, e.Version, m)
}

func (s *Service) pipeline(ctx context.Context, e feed.Envelope, p *role.Pipeline) error {
	roleID, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutPipeline(ctx, roleID, e.Version, p)
}

func (s *Service) announcement(ctx context.Context, e feed.Envelope, a *role.Announcement) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutAnnouncement(ctx, id, e.Stamp(), a)
}

func (s *Service) transcript(ctx context.Context, e feed.Envelope, t *role.Transcript) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutTranscript(ctx, id, e.Stamp(), t)
}

func (s *Service) preferences(ctx context.Context, e feed.Envelope, p *role.SavedPreferences) error {
	recruiterID, err := e.One()
	if err != nil {
		return err
	}
	return s.roles.PutPreferences(ctx, recruiterID, e.Version, p)
}

// candidate goes by recruiter and candidate.
func (s *Service) candidate(ctx context.Context, e feed.Envelope, c *crm.Candidate) error {
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

func (s *Service) match(ctx context.Context, e feed.Envelope, m *match.Match) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.matches.Put(ctx, id, e.Stamp(), m)
}

func (s *Service) call(ctx context.Context, e feed.Envelope, c *call.Call) error {
	id, err := e.One()
	if err != nil {
		return err
	}
	return s.calls.Put(ctx, id, e.Stamp(), c)
}
