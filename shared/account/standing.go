package account

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// Standing is a recruiter with the agency that he or she works for.
type Standing struct {
	Recruiter Recruiter
	// Agency is nil for a recruiter of none.
	Agency *Agency
	// Member is the recruiter as a member of the agency; the zero one if he or she is no
	// active member.
	Member Member
}

// FeesHidden reports whether the agency hides payment from the recruiter: from all
// members but its owners.
func (s Standing) FeesHidden() bool {
	return s.Agency != nil && s.Agency.HidesPayment && !s.Member.Owner
}

// Standing returns a recruiter with the agency as they are now; fault.Missing if there
// is no such recruiter. It costs one call if the agency is the one that is guessed
// ("" guesses none), else two.
func (s *Store) Standing(ctx context.Context, recruiterID, guess string) (Standing, error) {
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

// StandingOf returns a recruiter who was read with the agency as it is now.
func (s *Store) StandingOf(ctx context.Context, r Recruiter) (Standing, error) {
	if r.AgencyID == "" {
		return Standing{Recruiter: r}, nil
	}
	agency, members, err := s.AgencyWithMembers(ctx, r.AgencyID, []string{r.ID}, nil)
	return newStanding(r, agency, members, err)
}

// newStanding returns a standing of what was read of the agency, which may not have come
// yet.
func newStanding(r Recruiter, a Agency, members Members, err error) (Standing, error) {
	out := Standing{Recruiter: r}
	if isMissing(err) {
		return out, nil
	}
	if out.Agency = &a; members.Active(r.ID) {
		out.Member = members.ByID(r.ID)
	}
	return out, err
}
