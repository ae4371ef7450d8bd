package feed

import (
	"context"
	"errors"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// errNotYet brings a command back that came before its membership.
var errNotYet = errors.New("the membership does not exist yet")

func (s *Service) setPreferences(ctx context.Context, e event.Envelope, c *event.PreferencesSet) error {
	return s.runCommand(ctx, e, func(m network.Membership, w network.Write) error {
		_, err := s.network.SetPreferences(ctx, m, c.Preferences, w)
		return err
	})
}

func (s *Service) setOffMarket(ctx context.Context, e event.Envelope, c *event.OffMarketSet) error {
	return s.runCommand(ctx, e, func(m network.Membership, w network.Write) error {
		_, err := s.network.SetOffMarket(ctx, m, c.OffMarket, w)
		return err
	})
}

func (s *Service) setLocked(ctx context.Context, e event.Envelope, c *event.Locked) error {
	return s.runCommand(ctx, e, func(m network.Membership, w network.Write) error {
		_, err := s.network.SetLocked(ctx, m, c.Locked, w)
		return err
	})
}

// runCommand runs a command on a membership, which drops the command if a newer statement of
// its kind is stored. Commands are ordered by time, and within a millisecond by version.
func (s *Service) runCommand(ctx context.Context, e event.Envelope, run func(network.Membership, network.Write) error) error {
	id, err := e.SingleID()
	if err != nil {
		return err
	}
	m, found, err := s.network.Membership(ctx, id)
	if err != nil {
		return err
	}
	switch {
	case !found:
		return errNotYet
	case !m.Tenant.IsLive():
		return event.Invalidf("entityId: names a membership of another environment than the app's.")
	}
	return run(m, newWrite(e))
}

// newWrite returns the unit of work of a command.
func newWrite(e event.Envelope) network.Write {
	return network.Write{Now: e.OccurredAt.Time, Version: e.Version, Mark: e.ID}
}

// addMember makes a member of the network of a candidate, unless the person was
// erased since.
func (s *Service) addMember(ctx context.Context, id string, e event.Envelope, c *event.AddedByRoleSubmission) error {
	email, _ := identity.Email(c.Email)
	linkedIn, _ := identity.LinkedIn(c.LinkedInURL)
	persons := entity.PersonHashes(&email, &linkedIn)
	if erased, err := s.entities.IsErased(ctx, persons, e.OccurredAt.Time); erased || err != nil {
		return err
	}
	w := newWrite(e)
	for _, p := range persons {
		w.With = append(w.With, s.entities.CheckNotErased(p, e.OccurredAt.Time))
	}
	person := network.Person{
		Name: c.Name, Email: email, LinkedInURL: linkedIn,
		Title: optional.Value(c.Title), Company: optional.Value(c.Company), Location: optional.Value(c.Location),
	}
	candidate := network.Candidate{Tenant: tenant.Of(c.AgencyID, tenant.Live), OwnerID: c.RecruiterID, Person: person}
	err := s.network.AddByRoleSubmission(ctx, candidate, id, w)
	if errors.Is(err, network.ErrOtherPerson) {
		return event.Invalidf("entityId: names a membership of another person or recruiter.")
	}
	return err
}
