package client

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

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
