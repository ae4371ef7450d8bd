package account

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// Standing is a recruiter with the agency for which he or she works.
type Standing struct {
	Recruiter Recruiter
	// Agency is nil for a recruiter without an agency.
	Agency *Agency
	// Member is the recruiter as a member of the agency; the zero value if he or she is not
	// an active member.
	Member Member
}

// FeesHidden reports whether the agency hides payment from the recruiter: from all
// members but its owners.
func (s Standing) FeesHidden() bool {
	return s.Agency != nil && s.Agency.HidesPayment && !s.Member.Owner
}

// Standing returns the current state of a recruiter and the agency; fault.Missing if there is no
// such recruiter. It costs one call if guess is the agency's id, otherwise two; guess may be empty.
func (s *Store) Standing(ctx context.Context, recruiterID, guess string) (_ Standing, err error) {
	defer fault.Wrap(&err, "account.Standing(recruiterID, guess)")

	wanted := []dynamo.Keyed{dynamo.Keys{recruiterKey(recruiterID), recruiterSK}}
	if guess != "" {
		wanted = append(memberKeys(guess, []string{recruiterID}, nil), wanted[0], dynamo.Keys{agencyKey(guess), agencySK})
	}
	found, err := s.readItems(ctx, wanted, true)
	if err != nil {
		return Standing{}, err
	}
	if found.recruiter.PK == "" || found.recruiter.Absent {
		return Standing{}, fault.Missing()
	}
	r := found.recruiter.Recruiter
	if r.AgencyID != guess || found.agency.PK == "" {
		return s.StandingOf(ctx, r)
	}
	return newStanding(r, found.agency.Agency, found.members, found.agency.missingIfAbsent(nil))
}

// StandingOf returns a recruiter who was already read, with the current state of the agency.
func (s *Store) StandingOf(ctx context.Context, r Recruiter) (_ Standing, err error) {
	defer fault.Wrap(&err, "account.StandingOf")

	if r.AgencyID == "" {
		return Standing{Recruiter: r}, nil
	}
	agency, members, err := s.AgencyWithMembers(ctx, r.AgencyID, []string{r.ID}, nil)
	return newStanding(r, agency, members, err)
}

// newStanding returns the standing of a recruiter. err is that of reading the agency; the
// agency's event may not have arrived yet.
func newStanding(r Recruiter, a Agency, members Members, err error) (Standing, error) {
	out := Standing{Recruiter: r}
	switch {
	case fault.IsMissing(err):
		return out, nil
	case err != nil:
		return Standing{}, err
	}
	out.Agency = &a
	if members.Active(r.ID) {
		out.Member = members.ByID(r.ID)
	}
	return out, nil
}
