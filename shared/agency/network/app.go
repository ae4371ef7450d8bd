package network

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// SetOffMarket takes a membership, as it was read, off the market or puts it back, as a recruiter
// did in the app.
func (s *Store) SetOffMarket(ctx context.Context, m Membership, off bool, w Write) (_ Membership, err error) {
	defer fault.Wrap(&err, "network.SetOffMarket")

	return s.changeMarket(ctx, m, w, func(before Market) Market {
		return before.SetOff(off, w.statement(before.Stated), s.eligibility)
	})
}

// ErrOtherPerson says that the membership with an ID is of another person or another member.
var ErrOtherPerson = errors.New("the membership is of another person or member")

// AddByRoleSubmission stores a membership named newID for a candidate that a member submitted to a
// role, without preferences and without an end of eligibility. An existing membership only records
// the time and source of the submission. That is not a new submission, so a pre-exclusion of the
// person stays. It returns [ErrOtherPerson] if the candidate is new and newID is the
// membership of another person or member.
func (s *Store) AddByRoleSubmission(ctx context.Context, c Candidate, newID string, w Write) (err error) {
	defer fault.Wrap(&err, "network.AddByRoleSubmission(newID)")

	for range maxRounds {
		p, err := s.FindPlace(ctx, c, newID)
		if err != nil {
			return err
		}
		if p.existing != nil {
			_, err = s.changeMembership(ctx, *p.existing, w, func(m *Membership) { m.noteSubmission(contract.CandidateSourceRoleSubmission, w.Now) })
			return err
		}
		added := Membership{
			ID: p.ID, Tenant: c.Tenant, OwnerID: c.OwnerID, Person: c.Person,
			Source: contract.CandidateSourceRoleSubmission, SourceAt: w.Now, RoleSubmittedAt: w.Now, AddedAt: w.Now, UpdatedAt: w.Now,
			Market: Market{ExcludedAt: laterOf(p.linkedIn.exclusion(), p.email.exclusion())},
		}
		tx, err := s.putMembership(s.write(), Membership{}, added, w)
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
		m, found, err := s.Membership(ctx, newID)
		switch {
		case err != nil:
			return err
		case found && !m.isOf(c):
			return ErrOtherPerson
		}
	}
	return errContention
}

// isOf reports whether the membership is of the candidate's agency and member, and the candidate's LinkedIn URL leads to it.
func (m Membership) isOf(c Candidate) bool {
	if m.Tenant != c.Tenant || m.OwnerID != c.OwnerID {
		return false
	}
	return slices.Contains(m.identityKeys(), linkedInKey(c.Tenant, c.LinkedInURL))
}
