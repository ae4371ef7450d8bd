package terminal

import "github.com/recruiting-marketplace/external-api/shared/api/contract"

type membersCommand struct{ listFlags }

// Run lists the members.
func (m membersCommand) Run(c *call) error {
	api, err := c.agencyClient()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
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
