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

func newWrite(call *gateway.Call) network.Write {
	return network.Write{Now: call.Now, Mark: call.RequestID}
}

// owners are the members of the caller's agency who own the memberships of a request. Each is read
// once.
type owners struct {
	read func(ctx context.Context, ids []string) (account.Members, error)
	// known has the zero Member for an id that is not a member's.
	known map[string]account.Member
}

// newOwners returns owners, none of them read yet; consistent is passed to
// [account.Store.Members].
func (s *Service) newOwners(call *gateway.Call, consistent bool) owners {
	return owners{func(ctx context.Context, ids []string) (account.Members, error) {
		return s.accounts.Members(ctx, call.Caller.Principal, ids, consistent)
	}, map[string]account.Member{}}
}

// newManagedOwners is like newOwners for an agency that must be allowed to manage its network:
// otherwise reading the owners fails with fault.Forbidden.
func (s *Service) newManagedOwners(call *gateway.Call) owners {
	return owners{func(ctx context.Context, ids []string) (account.Members, error) {
		agency, members, err := s.accounts.AgencyWithMembers(ctx, call.Caller.Principal, ids, nil)
		if err == nil {
			err = agency.RequireManagement()
		}
		return members, err
	}, map[string]account.Member{}}
}

// check is a [network.OwnerCheck].
func (o owners) check(ctx context.Context, ids []string) (active func(string) bool, err error) {
	var unread []string
	for _, id := range ids {
		if _, ok := o.known[id]; !ok {
			unread = append(unread, id)
		}
	}
	members, err := o.read(ctx, unread)
	for _, id := range unread {
		o.known[id] = members.ByID(id)
	}
	return func(id string) bool { return o.known[id].Active() }, err
}
