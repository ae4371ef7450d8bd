package terminal

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type membersCommand struct{ listFlags }

// Run lists the members.
func (m membersCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	type row = contract.AgencyMember
	return printRows(c, api.AllMembers(ctx, contract.ListMembersRequest{}), m.Max,
		column[row]{"EMAIL", func(r row) string { return r.Email }},
		column[row]{"NAME", func(r row) string { return r.Name }},
		column[row]{"ROLE", func(r row) string { return string(r.Role) }},
		column[row]{"STATUS", func(r row) string { return string(r.Status) }},
		column[row]{"PRIMARY", func(r row) string {
			if r.PrimaryOwner {
				return "yes"
			}
			return ""
		}})
}
