package network

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

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
