package platform

import (
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// Identity serves GET /identity: what the key's record holds, and one read of the
// account that it acts as.
func (s *Service) Identity(ctx context.Context, call *gateway.Call) (contract.Identity, error) {
	out := identityOf(call.Caller)
	var err error
	if call.Caller.Type == contract.AgencyKey {
		out.Agency, err = s.readAgency(ctx, call.Caller.Principal)
	} else {
		out.Recruiter, err = s.readRecruiter(ctx, call.Caller.Principal)
	}
	if err != nil && fault.As(err).Kind == fault.NotFound {
		// The caller sent no id that could be wrong: our own records disagree.
		err = fmt.Errorf("the account of key %s is not there: %v", call.Caller.KeyID, err)
	}
	return out, err
}

// identityOf returns what the key's own record holds.
func identityOf(caller apikey.Caller) contract.Identity {
	out := contract.Identity{
		Principal:   caller.Type.Principal(),
		Scopes:      caller.Scopes,
		Environment: caller.Environment,
		APIVersion:  "v1",
		Key: contract.IdentityKey{
			ID: caller.KeyID, Name: caller.KeyName, Last4: caller.Last4,
			CreatedAt: contract.At(caller.CreatedAt),
			CreatedBy: contract.IdentityCreator{Name: caller.CreatorName, Email: caller.CreatorEmail},
		},
		RateLimits: contract.IdentityRateLimits{Default: rateLimitOf(contract.DefaultTier), Write: rateLimitOf(contract.WriteTier)},
	}
	if !caller.ExpiresAt.IsZero() {
		out.Key.ExpiresAt = new(contract.At(caller.ExpiresAt))
	}
	return out
}

func rateLimitOf(t contract.Tier) contract.IdentityRateLimit {
	return contract.IdentityRateLimit{Limit: t.Limit, WindowSeconds: contract.WindowSeconds}
}

func (s *Service) readAgency(ctx context.Context, id string) (*contract.IdentityAgency, error) {
	a, err := s.accounts.Agency(ctx, id)
	return &contract.IdentityAgency{
		ID: a.ID, Name: a.Name,
		TalentNetworkAccess: a.TalentNetworkAccess, TalentNetworkManagement: a.TalentNetworkManagement,
	}, err
}

func (s *Service) readRecruiter(ctx context.Context, id string) (*contract.IdentityRecruiter, error) {
	r, err := s.accounts.Recruiter(ctx, id)
	return &contract.IdentityRecruiter{ID: r.ID, Name: r.Name, Email: r.Email, AgencyID: optional.NonZero(r.AgencyID)}, err
}
