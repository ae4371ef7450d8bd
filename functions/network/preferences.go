package network

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// GetPreferences serves GET /talent-network/candidates/{candidateUserId}/preferences.
func (s *Service) GetPreferences(
	ctx context.Context, call *gateway.Call, in contract.CandidateRequest,
) (contract.CandidatePreferences, error) {
	m, _, err := s.readVisible(ctx, call, in.CandidateUserID)
	return toPreferences(m), err
}

// PutPreferences serves PUT /talent-network/candidates/{candidateUserId}/preferences.
func (s *Service) PutPreferences(
	ctx context.Context, call *gateway.Call, in contract.PutPreferencesRequest,
) (contract.CandidatePreferences, error) {
	if sent := optional.Or(in.SentCandidateUserID, in.CandidateUserID); sent != in.CandidateUserID {
		return contract.CandidatePreferences{}, fault.Field(contract.ValidationFailed, "candidateUserId",
			"candidateUserId: must equal the id in the path; send the body of the same candidate, or only the preferences.")
	}
	m, _, err := s.readVisible(ctx, call, in.CandidateUserID)
	if err != nil {
		return contract.CandidatePreferences{}, err
	}
	m, err = s.network.SetPreferences(ctx, m, optional.Or(in.SentPreferences, in.WorkPreferences), newWrite(call))
	return toPreferences(m), err
}

// LookupPreferences serves POST /talent-network/candidates/preferences/lookup.
func (s *Service) LookupPreferences(
	ctx context.Context, call *gateway.Call, in contract.LookupRequest,
) (out contract.PreferencesLookupResponse, err error) {
	found, _, err := s.resolveReferences(ctx, call, in.Candidates)
	for i, f := range found {
		r := contract.PreferencesResult{Result: lookupResult(i, f)}
		for _, m := range f.Memberships {
			r.Candidates = append(r.Candidates, toPreferences(m))
		}
		out.Results = append(out.Results, r)
	}
	return out, err
}

func toPreferences(m network.Membership) contract.CandidatePreferences {
	return contract.CandidatePreferences{CandidateUserID: m.ID, Preferences: m.Preferences}
}
