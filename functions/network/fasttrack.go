package network

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// GetFastTrack serves GET /talent-network/candidates/{candidateUserId}/fast-track.
func (s *Service) GetFastTrack(ctx context.Context, call *gateway.Call, in contract.CandidateRequest) (contract.FastTrack, error) {
	m, err := s.readFastTracked(ctx, call, in.CandidateUserID)
	return toFastTrack(m), err
}

// PutFastTrack serves PUT /talent-network/candidates/{candidateUserId}/fast-track:
// for candidates of the member who created the key alone.
func (s *Service) PutFastTrack(ctx context.Context, call *gateway.Call, in contract.PutFastTrackRequest) (contract.FastTrack, error) {
	m, err := s.readFastTracked(ctx, call, in.CandidateUserID)
	if err != nil {
		return contract.FastTrack{}, err
	}
	if m.OwnerID != call.Caller.Creator {
		return contract.FastTrack{}, fault.New(fault.Forbidden, contract.KeyOwnerMismatch,
			"The candidate belongs to another recruiter than the one who created the key. Use a key of the candidate's recruiter.")
	}
	m, err = s.network.SetFastTrack(ctx, m, in.FastTrack, newWrite(call))
	return toFastTrack(m), err
}

// readFastTracked returns a membership with an owner who may use fast-track.
func (s *Service) readFastTracked(ctx context.Context, call *gateway.Call, id string) (network.Membership, error) {
	m, owner, err := s.readVisible(ctx, call, id)
	if err == nil && !owner.FastTrack {
		err = fault.New(fault.Forbidden, contract.FastTrackDisabled, "Fast-track is not enabled for the candidate's recruiter.")
	}
	return m, err
}

func toFastTrack(m network.Membership) contract.FastTrack {
	return contract.FastTrack{CandidateUserID: m.ID, FastTrack: m.Market.FastTrack, OffMarket: m.Market.Off()}
}
