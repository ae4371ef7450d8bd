// Package network serves the endpoints of an agency's Talent Network.
//
// Only memberships that a currently approved member owns exist for any
// of them; every other one is treated as an id that never existed. A request
// reads the owners of the memberships it encounters, and no other member.
package network

import (
	"context"
	"net/http"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/agency/submission"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// Service holds what the handlers work with.
type Service struct {
	accounts *account.Store
	network  *network.Store
	changes  *changefeed.Feed
	// submissions has the client references of changes.
	submissions *submission.Store
}

// New opens the function's tables and mounts its handlers. It fails on a missing
// or malformed setting.
func New(_ context.Context, h cloud.Host) (http.Handler, error) {
	o := h.Opener()
	s := &Service{
		account.Open(o),
		network.Open(o),
		changefeed.Open(o),
		submission.Open(o),
	}
	return gateway.Open(o, contract.Network, map[string]gateway.Handler{
		"listCandidates":    gateway.Handle(s.ListCandidates).BeginEarly(),
		"getCandidate":      gateway.Handle(s.GetCandidate).BeginEarly(),
		"lookupCandidates":  gateway.Handle(s.LookupCandidates).BeginEarly(),
		"getPreferences":    gateway.Handle(s.GetPreferences).BeginEarly(),
		"lookupPreferences": gateway.Handle(s.LookupPreferences).BeginEarly(),
		"putPreferences":    gateway.Handle(s.PutPreferences),
		"getFastTrack":      gateway.Handle(s.GetFastTrack).BeginEarly(),
		"putFastTrack":      gateway.Handle(s.PutFastTrack),
		"offMarket":         gateway.Handle(s.OffMarket),
		"reEnable":          gateway.Handle(s.ReEnable),
		"listChanges":       gateway.Handle(s.ListChanges),
	})
}

// readVisible returns a membership that exists for the caller, its tenant's own of an
// owner who is active now, and that owner.
func (s *Service) readVisible(ctx context.Context, call *gateway.Call, id string) (m network.Membership, owner account.Member, err error) {
	m, found, err := s.network.Membership(ctx, id)
	if err == nil && (!found || m.Tenant != call.Caller.Tenant()) {
		err = fault.Missing()
	}
	if err == nil {
		owner, err = s.accounts.Member(ctx, call.Caller.Principal, m.OwnerID)
	}
	if err == nil && !owner.Active() {
		err = fault.Missing()
	}
	if err != nil {
		return network.Membership{}, account.Member{}, err
	}
	return m, owner, nil
}

// newWrite returns the call's unit of work.
func newWrite(call *gateway.Call) network.Write {
	return network.Write{Now: call.Now, Mark: call.RequestID}
}
