package client

import (
	"context"
	"iter"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Members reads a page of the agency's members, by e-mail address. Ask for the next page with the
// response's NextCursor, until that is nil; pages can be short or empty before.
func (c *Client) Members(ctx context.Context, in contract.ListMembersRequest) (contract.MemberList, error) {
	return callFor[contract.MemberList](ctx, c, "listMembers", in)
}

// AllMembers returns the members of all pages of [Client.Members].
func (c *Client) AllMembers(ctx context.Context, in contract.ListMembersRequest) iter.Seq2[contract.AgencyMember, error] {
	return listRows(ctx, c.Members, &in, &in.Cursor, func(page contract.MemberList) ([]contract.AgencyMember, *string) {
		return page.Members, page.NextCursor
	})
}
