package platform

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/cursor"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// ListMembers serves GET /agency/members. The key, which was read at this moment, names the primary
// owner.
func (s *Service) ListMembers(
	ctx context.Context, call *gateway.Call, in contract.ListMembersRequest,
) (out contract.MemberList, err error) {
	after, err := cursor.Read(call, in.Cursor, isCanonicalEmail)
	if err != nil {
		return out, err
	}
	members, next, err := s.accounts.ListMembers(ctx, call.Caller.Principal, after, int(in.Limit))
	for _, m := range members {
		out.Members = append(out.Members, toAgencyMember(m, call.Caller.PrimaryOwner))
	}
	if next != "" {
		out.NextCursor = new(cursor.New(next))
	}
	return out, err
}

func isCanonicalEmail(text string) bool {
	canonical, ok := identity.Email(text)
	return ok && canonical == text
}

func toAgencyMember(m account.Member, primaryOwner string) contract.AgencyMember {
	out := contract.AgencyMember{
		Name: m.Name, Email: m.Email, PrimaryOwner: m.ID == primaryOwner, Role: contract.MemberRoleMember, Status: contract.MemberStatusApproved,
	}
	if m.Owner {
		out.Role = contract.MemberRoleOwner
	}
	if !m.Active() {
		out.Status = contract.MemberStatusDeactivated
	}
	return out
}
