package client

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Roles reads a page of the roles that a recruiter may work on, in Browse order.
func (c *Client) Roles(ctx context.Context, in contract.ListRolesRequest) (contract.ListRolesResponse, error) {
	out, _, err := callOperation[contract.ListRolesResponse](ctx, c, "listRoles", in)
	return out, err
}

// Role reads one role in full.
func (c *Client) Role(ctx context.Context, roleID string) (contract.RoleDetail, error) {
	out, _, err := callOperation[contract.RoleDetail](ctx, c, "getRole", contract.RoleRequest{RoleID: roleID})
	return out, err
}

// ActiveRoles reads a page of the recruiter's active roles, last update first. A
// page can be empty though others follow.
func (c *Client) ActiveRoles(ctx context.Context, in contract.ActiveRolesRequest) (contract.ActiveRolesResponse, error) {
	out, _, err := callOperation[contract.ActiveRolesResponse](ctx, c, "listActiveRoles", in)
	return out, err
}

// SavedPreferences reads the recruiter's stated role preferences.
func (c *Client) SavedPreferences(ctx context.Context) (contract.SavedPreferences, error) {
	out, _, err := callOperation[contract.SavedPreferences](ctx, c, "getSavedPreferences", nil)
	return out, err
}

// AgencyRoles reads a page of roles on behalf of a member, last update first.
func (c *Client) AgencyRoles(ctx context.Context, in contract.ListAgencyRolesRequest) (contract.AgencyRolesResponse, error) {
	out, _, err := callOperation[contract.AgencyRolesResponse](ctx, c, "listAgencyRoles", in)
	return out, err
}

// SearchAgencyRoles searches roles on behalf of a member.
func (c *Client) SearchAgencyRoles(ctx context.Context, in contract.SearchAgencyRolesRequest) (contract.AgencyRolesResponse, error) {
	out, _, err := callOperation[contract.AgencyRolesResponse](ctx, c, "searchAgencyRoles", in)
	return out, err
}

// AgencyRole reads the brief of a role on behalf of a member.
func (c *Client) AgencyRole(ctx context.Context, in contract.AgencyRoleRequest) (contract.RoleBrief, error) {
	out, _, err := callOperation[contract.RoleBrief](ctx, c, "getAgencyRole", in)
	return out, err
}
