package network

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// owners are those members of the caller's agency who own what a request meets. Each is
// read once.
type owners struct {
	read func(ctx context.Context, ids []string) (account.Members, error)
	// known has the zero member for who is none.
	known map[string]account.Member
}

// newOwners returns no owners yet; consistent is that of [account.Store.Members].
func (s *Service) newOwners(call *gateway.Call, consistent bool) owners {
	return owners{func(ctx context.Context, ids []string) (account.Members, error) {
		return s.accounts.Members(ctx, call.Caller.Principal, ids, consistent)
	}, map[string]account.Member{}}
}

// newManagedOwners returns owners of an agency that has to be allowed to manage its
// network: reading them fails with fault.Forbidden otherwise.
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
