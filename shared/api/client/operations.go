package client

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// Candidates reads a page of the talent network, newest first. Ask for the next page
// with the same filters and the response's NextCursor, until that is nil; pages can be
// short or empty before.
func (c *Client) Candidates(ctx context.Context, in contract.ListCandidatesRequest) (contract.CandidateList, error) {
	return callFor[contract.CandidateList](ctx, c, "listCandidates", in)
}

// Candidate reads one candidate in full.
func (c *Client) Candidate(ctx context.Context, candidateUserID string) (contract.Candidate, error) {
	return callFor[contract.Candidate](ctx, c, "getCandidate", contract.CandidateRequest{CandidateUserID: candidateUserID})
}

// Changes reads a page of changes, oldest first. Continue with the response's NextCursor, which is
// always set: at once while HasMore, and else after the response's Retry-After.
func (c *Client) Changes(ctx context.Context, in contract.ListChangesRequest) (contract.ChangeList, error) {
	return callFor[contract.ChangeList](ctx, c, "listChanges", in)
}

// Lookup finds up to 50 candidates by id, LinkedIn URL or e-mail.
func (c *Client) Lookup(ctx context.Context, refs ...contract.CandidateReference) (contract.LookupResponse, error) {
	return callFor[contract.LookupResponse](ctx, c, "lookupCandidates", contract.LookupRequest{Candidates: refs})
}

// LookupPreferences reads the work preferences of up to 50 candidates.
func (c *Client) LookupPreferences(ctx context.Context, refs ...contract.CandidateReference) (contract.PreferencesLookupResponse, error) {
	return callFor[contract.PreferencesLookupResponse](ctx, c, "lookupPreferences", contract.LookupRequest{Candidates: refs})
}

// SetPreferences replaces a candidate's work preferences: fields that are not set are
// cleared. It returns what is stored.
func (c *Client) SetPreferences(
	ctx context.Context, candidateUserID string, p contract.WorkPreferences,
) (contract.CandidatePreferences, error) {
	return callFor[contract.CandidatePreferences](ctx, c, "putPreferences", contract.PutPreferencesRequest{
		CandidateRequest: contract.CandidateRequest{CandidateUserID: candidateUserID}, WorkPreferences: p,
	})
}

// FastTrack reads a candidate's fast-track opt-in.
func (c *Client) FastTrack(ctx context.Context, candidateUserID string) (contract.FastTrack, error) {
	return callFor[contract.FastTrack](ctx, c, "getFastTrack", contract.CandidateRequest{CandidateUserID: candidateUserID})
}

// SetFastTrack sets the opt-in of a candidate of the recruiter who created the key.
func (c *Client) SetFastTrack(ctx context.Context, candidateUserID string, on bool) (contract.FastTrack, error) {
	return callFor[contract.FastTrack](ctx, c, "putFastTrack", contract.PutFastTrackRequest{
		CandidateRequest: contract.CandidateRequest{CandidateUserID: candidateUserID}, FastTrack: on,
	})
}

// OffMarket takes up to 100 candidates off the auto-match market.
func (c *Client) OffMarket(ctx context.Context, refs ...contract.CandidateReference) (contract.MarketResponse, error) {
	return callFor[contract.MarketResponse](ctx, c, "offMarket", contract.MarketRequest{Candidates: refs})
}

// ReEnable puts up to 100 candidates back on the auto-match market.
func (c *Client) ReEnable(ctx context.Context, refs ...contract.CandidateReference) (contract.MarketResponse, error) {
	return callFor[contract.MarketResponse](ctx, c, "reEnable", contract.MarketRequest{Candidates: refs})
}

// Members reads a page of the agency's members, by e-mail address. Ask for the next page with the
// response's NextCursor, until that is nil; pages can be short or empty before.
func (c *Client) Members(ctx context.Context, in contract.ListMembersRequest) (contract.MemberList, error) {
	return callFor[contract.MemberList](ctx, c, "listMembers", in)
}

// CRMCandidates reads a page of the recruiter's CRM. Ask for the next page with
// the same filters and the response's NextCursor, until that is nil.
func (c *Client) CRMCandidates(ctx context.Context, in contract.ListCRMCandidatesRequest) (contract.CRMCandidateList, error) {
	return callFor[contract.CRMCandidateList](ctx, c, "listCRMCandidates", in)
}

// CRMCandidate reads one CRM candidate in full.
func (c *Client) CRMCandidate(ctx context.Context, candidateID string) (contract.CRMCandidate, error) {
	return callFor[contract.CRMCandidate](ctx, c, "getCRMCandidate", contract.CRMCandidateRequest{CandidateID: candidateID})
}

// RecommendedRoles reads the roles that suit a CRM candidate, strongest first; none if
// recommendations are not enabled for the account.
func (c *Client) RecommendedRoles(ctx context.Context, candidateID string) (contract.RecommendedRolesResponse, error) {
	return callFor[contract.RecommendedRolesResponse](ctx, c, "listRecommendedRoles", contract.CRMCandidateRequest{CandidateID: candidateID})
}

// Matches reads a page of the matches that hiring managers requested, oldest first.
// Ask for the next page with the same status and the response's NextCursor, until
// that is nil; pages can be short or empty before.
func (c *Client) Matches(ctx context.Context, in contract.ListMatchesRequest) (contract.MatchList, error) {
	return callFor[contract.MatchList](ctx, c, "listMatches", in)
}

// Calls reads a page of the recruiter's recorded calls, newest first.
func (c *Client) Calls(ctx context.Context, in contract.ListCallsRequest) (contract.CallList, error) {
	return callFor[contract.CallList](ctx, c, "listCalls", in)
}

// Call reads a recorded call with its transcript.
func (c *Client) Call(ctx context.Context, callID string) (contract.RecordedCall, error) {
	return callFor[contract.RecordedCall](ctx, c, "getCall", contract.CallRequest{CallID: callID})
}

// Roles reads a page of the roles that a recruiter may work on, by default in Browse order.
func (c *Client) Roles(ctx context.Context, in contract.ListRolesRequest) (contract.RoleList, error) {
	return callFor[contract.RoleList](ctx, c, "listRoles", in)
}

// Role reads one role in full.
func (c *Client) Role(ctx context.Context, roleID string) (contract.RoleDetail, error) {
	return callFor[contract.RoleDetail](ctx, c, "getRole", contract.RoleRequest{RoleID: roleID})
}

// ActiveRoles reads a page of the recruiter's active roles, last update first. A
// page can be empty though others follow.
func (c *Client) ActiveRoles(ctx context.Context, in contract.ActiveRolesRequest) (contract.ActiveRolesResponse, error) {
	return callFor[contract.ActiveRolesResponse](ctx, c, "listActiveRoles", in)
}

// SavedPreferences reads the recruiter's stated role preferences.
func (c *Client) SavedPreferences(ctx context.Context) (contract.SavedPreferences, error) {
	return callFor[contract.SavedPreferences](ctx, c, "getSavedPreferences", nil)
}

// AgencyRoles reads a page of roles on behalf of a member, last update first.
func (c *Client) AgencyRoles(ctx context.Context, in contract.ListAgencyRolesRequest) (contract.AgencyRolesResponse, error) {
	return callFor[contract.AgencyRolesResponse](ctx, c, "listAgencyRoles", in)
}

// SearchAgencyRoles searches roles on behalf of a member, by default the best match first.
func (c *Client) SearchAgencyRoles(ctx context.Context, in contract.SearchAgencyRolesRequest) (contract.AgencyRolesResponse, error) {
	return callFor[contract.AgencyRolesResponse](ctx, c, "searchAgencyRoles", in)
}

// AgencyRole reads the brief of a role on behalf of a member.
func (c *Client) AgencyRole(ctx context.Context, in contract.AgencyRoleRequest) (contract.RoleBrief, error) {
	return callFor[contract.RoleBrief](ctx, c, "getAgencyRole", in)
}
