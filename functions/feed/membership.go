package feed

import (
	"context"
	"errors"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
	"github.com/recruiting-marketplace/external-api/shared/marketplace/entity"
)

// errNotYet brings a command back that came before its membership.
var errNotYet = errors.New("the membership is not there yet")

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

// runCommand runs a command on a membership, unless a newer one of its type has
// come: each type has versions of its own, because a lock does not replace
// preferences.
func (s *Service) runCommand(ctx context.Context, e event.Envelope, run func(network.Membership, network.Write) error) error {
	id, err := e.SingleID()
	if err != nil {
		return err
	}
	return s.runIfNewest(ctx, e, id, func(w network.Write) error {
		m, found, err := s.network.Membership(ctx, id)
		if err != nil {
			return err
		}
		if !found {
			return errNotYet
		}
		return run(m, w)
	})
}

// runIfNewest notes the command's version before it runs, and lets every transaction of
// it hold only while that is the newest. So of two commands that meet, the older
// one either ends before the newer one looks or changes nothing; and one that
// died in the middle runs again, because its own version is no newer one.
func (s *Service) runIfNewest(ctx context.Context, e event.Envelope, id string, run func(network.Write) error) error {
	k := entity.KeyOf(itemkey.Command, id)
	k.Part = commandParts[e.Type]
	if _, err := s.entities.Set(ctx, k, e.Version, true); err != nil {
		return err
	}
	noted, err := s.entities.Get(ctx, k)
	if err != nil || noted.Version > e.Version {
		return err
	}
	w := network.Write{Now: e.OccurredAt.Time, Mark: e.ID}
	w.With = append(w.With, s.entities.CheckUnchanged(k, noted))
	failed := run(w)
	if failed == nil {
		return nil
	}
	if noted, err = s.entities.Get(ctx, k); err == nil && noted.Version > e.Version {
		return nil // a newer command is what it lost against
	}
	return failed
}

// commandParts keep the versions of the types apart.
var commandParts = map[string]string{
	"membership.preferencesSet": "pr", "membership.offMarketSet": "of", "membership.locked": "lo", "membership.addedByRoleSubmission": "ad",
}

// addMember makes a member of the network of a candidate, unless the person was
// erased since.
func (s *Service) addMember(ctx context.Context, e event.Envelope, c *event.AddedByRoleSubmission) error {
	id, err := e.SingleID()
	if err != nil {
		return err
	}
	email, _ := identity.Email(c.Email)
	linkedIn, _ := identity.LinkedIn(c.LinkedInURL)
	persons := entity.PersonHashes(&email, &linkedIn)
	if erased, err := s.entities.IsErased(ctx, persons, e.OccurredAt.Time); erased || err != nil {
		return err
	}
	return s.runIfNewest(ctx, e, id, func(w network.Write) error {
		for _, p := range persons {
			w.With = append(w.With, s.entities.CheckNotErased(p, e.OccurredAt.Time))
		}
		return s.network.AddByRoleSubmission(ctx, network.Candidate{
			AgencyID: c.AgencyID, OwnerID: c.RecruiterID, Name: c.Name, Email: email, LinkedInURL: linkedIn,
			Title: optional.Value(c.Title), Company: optional.Value(c.Company), Location: optional.Value(c.Location),
		}, id, w)
	})
}
