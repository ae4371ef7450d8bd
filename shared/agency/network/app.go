package network

import (
	"context"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// SetOffMarket takes a membership that was read off the market, or puts it back,
// as a recruiter did in the app.
func (s *Store) SetOffMarket(ctx context.Context, m Membership, off bool, w Write) (Membership, error) {
	return s.changeMarket(ctx, m, w, func(before Market) Market { return before.SetOff(off, w.Now, w.Now.Add(s.eligibility)) })
}

// SetOff marks the candidate as off or on, as the app says. A lock hides the mark and
// does not refuse it: the app's commands come in any order, and what stands after
// them must not depend on it. A pre-excluded one stays off.
func (m Market) SetOff(off bool, now, expires time.Time) Market {
	switch {
	case off:
		m.OffAt, m.Boosted = laterOf(m.OffAt, now), false
	case !m.Excluded:
		m.OffAt = time.Time{}
		if marketStatus(false, m.ExpiresAt, now) == contract.Expired {
			m.ExpiresAt = expires
		}
	}
	return m
}

// AddByRoleSubmission stores a membership named newID for a candidate whom a member
// submitted to a role, without preferences and without an end of eligibility.
// One that is there already stays as it is. It is no fresh submission, so a
// pre-exclusion of the person exists.
func (s *Store) AddByRoleSubmission(ctx context.Context, c Candidate, newID string, w Write) error {
	for range maxRounds {
		p, err := s.FindPlace(ctx, c, newID)
		if err != nil || p.existing != nil {
			return err
		}
		m := Membership{
			ID: p.ID, AgencyID: c.AgencyID, OwnerID: c.OwnerID, Source: FromRoleSubmission,
			Name: c.Name, Email: c.Email, LinkedInURL: c.LinkedInURL,
			Title: c.Title, Company: c.Company, Location: c.Location, AddedAt: w.Now, UpdatedAt: w.Now,
		}
		if at := laterOf(p.linkedIn.excluded, p.email.excluded); !at.IsZero() {
			m.Market.OffAt, m.Market.Excluded = at, true
		}
		tx, err := s.putMembership(s.write(), m, w.Mark)
		if err != nil {
			return err
		}
		var none time.Time // clears no exclusion
		tx = s.linkIdentities(tx, p, c.OwnerID, none)
		for _, join := range w.With {
			join(tx)
		}
		err = tx.Run(ctx)
		if !dynamo.IsCondCheckFailed(err) {
			return err
		}
	}
	return errContention
}
