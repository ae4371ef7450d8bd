package feed

import (
	"context"

	"github.com/recruiting-marketplace/external-api/functions/feed/event"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

func (s *Service) putAgency(ctx context.Context, id string, e event.Envelope, a *event.Agency) error {
	if a == nil {
		return s.accounts.ApplyAgency(ctx, id, e.Version, nil)
	}
	return s.accounts.ApplyAgency(ctx, id, e.Version, &account.Agency{
		Name: a.Name, APIAccess: a.APIAccess, TalentNetworkAccess: a.TalentNetworkAccess,
		TalentNetworkManagement: a.TalentNetworkManagement, HidesPayment: a.HidesPayment, PrimaryOwner: a.PrimaryOwner,
	})
}

// putMember goes by agency and recruiter.
func (s *Service) putMember(ctx context.Context, e event.Envelope, m *event.Member) error {
	agencyID, id, err := e.IDPair()
	if err != nil {
		return err
	}
	if m == nil {
		return s.accounts.ApplyMember(ctx, agencyID, id, e.Version, nil)
	}
	email, _ := identity.Email(m.Email)
	return s.accounts.ApplyMember(ctx, agencyID, id, e.Version, &account.Member{
		ID: id, Name: m.Name, Email: email, Owner: m.Owner, Approved: m.Approved,
		Deactivated: m.Deactivated, FastTrack: m.FastTrack,
	})
}

func (s *Service) putRecruiter(ctx context.Context, id string, e event.Envelope, r *event.Recruiter) error {
	if r == nil {
		return s.accounts.ApplyRecruiter(ctx, id, e.Version, nil)
	}
	email, _ := identity.Email(r.Email)
	return s.accounts.ApplyRecruiter(ctx, id, e.Version, &account.Recruiter{
		ID: id, Name: r.Name, Email: email, AgencyID: optional.Value(r.AgencyID), CanRecruit: r.CanRecruit,
		PersonalKeys: r.PersonalKeys, Recommendations: r.Recommendations,
	})
}
