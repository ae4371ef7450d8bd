package platform

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// Identity serves GET /identity: what the key's record holds, and one read of the
// account that it acts as.
func (s *Service) Identity(ctx context.Context, call *gateway.Call) (contract.Identity, error) {
	out := identityOf(call.Caller)
	var err error
	if call.Caller.Type == contract.AgencyKey {
		err = s.addAgency(ctx, call.Caller, &out)
	} else {
		err = s.addRecruiter(ctx, call.Caller, &out)
	}
	if fault.IsMissing(err) {
		// The caller sent no id that could be wrong: our own records disagree.
		err = fmt.Errorf("the account of key %s is not there: %v", call.Caller.KeyID, err)
	}
	return out, err
}

// identityOf returns what the key's own record holds.
func identityOf(caller apikey.Caller) contract.Identity {
	return contract.Identity{
		Principal:   caller.Type.Principal(),
		Scopes:      caller.Scopes,
		Environment: caller.Environment,
		APIVersion:  "v1",
		Key: contract.IdentityKey{
			ID: caller.KeyID, Name: caller.KeyName, Last4: caller.Last4,
			CreatedAt: contract.At(cloud.FromMillis(caller.CreatedAt)),
			ExpiresAt: optional.NonZero(contract.At(cloud.FromMillis(caller.ExpiresAt))),
		},
		RateLimits: contract.IdentityRateLimits{Default: rateLimitOf(contract.DefaultTier), Write: rateLimitOf(contract.WriteTier)},
	}
}

func rateLimitOf(t contract.Tier) contract.IdentityRateLimit {
	return contract.IdentityRateLimit{Limit: t.Limit, WindowSeconds: contract.WindowSeconds}
}

// addAgency adds the agency, and the member who created the key unless he or she was deleted.
func (s *Service) addAgency(ctx context.Context, caller apikey.Caller, out *contract.Identity) error {
	a, members, err := s.accounts.AgencyWithMembers(ctx, caller.Principal, []string{caller.Creator}, nil)
	out.Agency = &contract.IdentityAgency{
		ID: a.ID, Name: a.Name,
		TalentNetworkAccess: a.TalentNetworkAccess, TalentNetworkManagement: a.TalentNetworkManagement,
	}
	creator := members.ByID(caller.Creator)
	out.Key.CreatedBy = contract.IdentityCreator{Name: creator.Name, Email: creator.Email}
	return err
}

// addRecruiter adds the recruiter, who is also the creator of the key.
func (s *Service) addRecruiter(ctx context.Context, caller apikey.Caller, out *contract.Identity) error {
	r, err := s.accounts.Recruiter(ctx, caller.Principal)
	out.Recruiter = &contract.IdentityRecruiter{ID: r.ID, Name: r.Name, Email: r.Email, AgencyID: optional.NonZero(r.AgencyID)}
	out.Key.CreatedBy = contract.IdentityCreator{Name: r.Name, Email: r.Email}
	return err
}
