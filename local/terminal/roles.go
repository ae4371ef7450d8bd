package terminal

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

type roleFlags struct {
	As     string `enum:"agency,recruiter" default:"agency" help:"With the agency key, on behalf of a member, or with the recruiter key."`
	Member string `help:"The member's e-mail address, for the agency key (default: MEMBER_EMAIL; a search without either is for the primary owner)."`
}

type rolesSearch struct {
	roleFlags
	Max       int                 `default:"20" help:"Maximum number of rows to print; 0 for all."`
	Query     string              `arg:"" help:"Words to find in role and company."`
	Location  []contract.Location `help:"Only in these places." values:"location"`
	RoleType  []contract.RoleType `help:"Only these kinds of role." values:"roleType"`
	MinSalary *int64              `help:"The salary reaches this."`
	Sort      string              `enum:"relevance,browse,updated" default:"relevance" help:"Best match first, as the app lists roles (recruiter key), or most recently updated first (agency key)."`
}

type rolesShow struct {
	roleFlags
	Role string `arg:"" help:"Id of the role."`
}

// Validate returns an error for a number that is too small. Kong calls it.
func (r rolesSearch) Validate() error { return listFlags{r.Max}.Validate() }

// roleRow is a role as both lists have it.
type roleRow struct {
	ID        string                  `json:"id"`
	Title     string                  `json:"title"`
	Company   string                  `json:"company"`
	Locations []string                `json:"locations"`
	Workplace *contract.WorkplaceType `json:"workplaceType"`
}

// Run searches.
func (r rolesSearch) Run(ctx context.Context, c *call, api *client.Client, lookUp variables) error {
	var rows iter.Seq2[roleRow, error]
	switch r.As {
	case "agency":
		in := contract.SearchAgencyRolesRequest{Query: r.Query, MinSalary: r.MinSalary, Sort: new(contract.AgencyRoleSort(r.Sort))}
		in.Locations = r.Location
		in.RoleTypes = r.RoleType
		in.RecruiterEmail = r.findMember(lookUp)
		rows = func(yield func(roleRow, error) bool) {
			for role, err := range api.AllAgencyRolesFound(ctx, in) {
				if !yield(roleRow{role.ID, role.Title, role.Company.Name, role.Locations, role.WorkplaceType}, err) {
					return
				}
			}
		}
	case "recruiter":
		in := contract.ListRolesRequest{
			Query: &r.Query, MinSalary: r.MinSalary, Locations: r.Location, RoleTypes: r.RoleType, Sort: new(contract.RoleSort(r.Sort)),
		}
		rows = func(yield func(roleRow, error) bool) {
			for role, err := range api.AllRoles(ctx, in) {
				if !yield(roleRow{role.ID, role.Name, role.Company.Name, role.Locations, role.WorkplaceType}, err) {
					return
				}
			}
		}
	}
	return printRows(c, rows, r.Max, "ROLE, TITLE, COMPANY, LOCATIONS, WORKPLACE", func(r roleRow) []any {
		return []any{r.ID, r.Title, r.Company, strings.Join(r.Locations, ", "), r.Workplace}
	})
}

// findMember returns the member of the flag or of the settings; nil without one.
func (r roleFlags) findMember(lookUp variables) *string {
	return optional.NonZero(cmp.Or(r.Member, lookUp(memberVariable)))
}

// Run prints the role.
func (r rolesShow) Run(c *call, api *client.Client, lookUp variables) error {
	c.settings.JSON = true
	if r.As == "recruiter" {
		role, err := api.Role(context.Background(), r.Role)
		return printOne(c, role, err)
	}
	member := r.findMember(lookUp)
	if member == nil {
		return errors.New("--member is required: the e-mail address of the member to read the role for")
	}
	role, err := api.AgencyRole(context.Background(), contract.AgencyRoleRequest{RoleID: r.Role, RecruiterEmail: *member})
	return printOne(c, role, err)
}
