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
