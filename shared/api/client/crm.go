package client

import (
	"context"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// CRMCandidates reads a page of the recruiter's CRM. Ask for the next page with
// the same filters and the response's NextCursor, until that is nil.
func (c *Client) CRMCandidates(ctx context.Context, in contract.ListCRMCandidatesRequest) (contract.ListCRMCandidatesResponse, error) {
	out, _, err := callOperation[contract.ListCRMCandidatesResponse](ctx, c, "listCRMCandidates", in)
	return out, err
}

// CRMCandidate reads one CRM candidate in full.
func (c *Client) CRMCandidate(ctx context.Context, candidateID string) (contract.CRMCandidate, error) {
	out, _, err := callOperation[contract.CRMCandidate](ctx, c, "getCRMCandidate", contract.CRMCandidateRequest{CandidateID: candidateID})
	return out, err
}

// RecommendedRoles reads the roles that suit a CRM candidate, strongest first; none if
// recommendations are not enabled for the account.
func (c *Client) RecommendedRoles(ctx context.Context, candidateID string) (contract.RecommendedRolesResponse, error) {
	out, _, err := callOperation[contract.RecommendedRolesResponse](ctx, c, "listRecommendedRoles", contract.CRMCandidateRequest{CandidateID: candidateID})
	return out, err
}

// Matches reads a page of the matches that hiring managers requested, oldest first.
// Ask for the next page with the same status and the response's NextCursor, until
// that is nil; pages can be short or empty before.
func (c *Client) Matches(ctx context.Context, in contract.ListMatchesRequest) (contract.ListMatchesResponse, error) {
	out, _, err := callOperation[contract.ListMatchesResponse](ctx, c, "listMatches", in)
	return out, err
}

// Calls reads a page of the recruiter's recorded calls, newest first.
func (c *Client) Calls(ctx context.Context, in contract.ListCallsRequest) (contract.ListCallsResponse, error) {
	out, _, err := callOperation[contract.ListCallsResponse](ctx, c, "listCalls", in)
	return out, err
}

// Call reads a recorded call with its transcript.
func (c *Client) Call(ctx context.Context, callID string) (contract.RecordedCall, error) {
	out, _, err := callOperation[contract.RecordedCall](ctx, c, "getCall", contract.CallRequest{CallID: callID})
	return out, err
}
