// Package network serves the endpoints of an agency's Talent Network.
//
// Only memberships whose owner is an approved member at the moment exist for any
// of them; every other one answers like an id that never was.
package network

import (
	"context"
	"net/http"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/contract"
	"github.com/recruiting-marketplace/external-api/shared/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/network"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Service holds what the handlers work with.
type Service struct {
	accounts *account.Store
	network  *network.Store
}

// New opens the function's tables and mounts its handlers. It fails on a missing
// or malformed setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	accounts, err := h.Table(topology.Accounts)
	if err != nil {
		return nil, err
	}
	table, err := h.Table(topology.Network)
	if err != nil {
		return nil, err
	}
	s := &Service{account.NewStore(accounts, dynamo.New(h.AWS).WriteTx), network.NewStore(table, network.DefaultEligibility)}
	return gateway.ForHost(h, contract.Network, map[string]gateway.Handler{
		"getPreferences": gateway.Handle(s.GetPreferences),
	})
}

// GetPreferences serves GET /talent-network/candidates/{candidateUserId}/preferences.
func (s *Service) GetPreferences(ctx context.Context, call *gateway.Call, in contract.CandidateRequest) (contract.CandidatePreferences, error) {
	m, err := s.visible(ctx, call.Caller.Principal, in.CandidateUserID)
	return contract.CandidatePreferences{CandidateUserID: m.ID, Preferences: m.Preferences}, err
}

// visible reads a membership that exists for the agency: its own, of an owner who
// is active now. One wave of two reads.
func (s *Service) visible(ctx context.Context, agencyID, id string) (m network.Membership, err error) {
	var found bool
	var agency account.Agency
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() (err error) { m, found, err = s.network.Membership(ctx, id); return err })
	group.Go(func() (err error) { agency, err = s.accounts.Agency(ctx, agencyID); return err })
	if err := group.Wait(); err != nil {
		return network.Membership{}, err
	}
	if !found || m.AgencyID != agencyID || !agency.Members[m.OwnerID].Active() {
		return network.Membership{}, fault.Missing()
	}
	return m, nil
}
