package client

import (
	"context"
	"errors"
	"iter"
	"time"

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

// errRepeatedCursor ends a list that would never end.
var errRepeatedCursor = errors.New("the server repeats the cursor of an earlier page, so the list has no end")

// listRows returns the rows of all pages of a list that read reads, from the page that in asks for by
// its cursor on. split returns the rows of a page and the cursor of the next one, nil if there is none.
// An error is the last pair.
func listRows[In, Page, Row any, Cursor comparable](
	ctx context.Context, read func(context.Context, In) (Page, error), in *In, cursor **Cursor, split func(Page) ([]Row, *Cursor),
) iter.Seq2[Row, error] {
	first := *cursor
	return func(yield func(Row, error) bool) {
		seen := map[Cursor]bool{}
		for at, more := first, true; more; { // at is of this iteration: two of one list share in
			*cursor = at
			page, err := read(ctx, *in)
			rows, next := split(page)
			for _, row := range rows {
				if !yield(row, nil) {
					return
				}
			}
			if at != nil {
				seen[*at] = true
			}
			if err == nil && next != nil && seen[*next] {
				err = errRepeatedCursor
			}
			if err != nil {
				yield(*new(Row), err)
				return
			}
			at = next
			more = next != nil
		}
	}
}

// AllCandidates returns the candidates of all pages of [Client.Candidates], from in.Cursor on. As
// with the other iterators, pages are read as they are needed, and an error ends them.
func (c *Client) AllCandidates(ctx context.Context, in contract.ListCandidatesRequest) iter.Seq2[contract.CandidateRow, error] {
	return listRows(ctx, c.Candidates, &in, &in.Cursor, func(page contract.CandidateList) ([]contract.CandidateRow, *string) {
		return page.Candidates, page.NextCursor
	})
}

// AllBatches returns the batches of all pages of [Client.Batches].
func (c *Client) AllBatches(ctx context.Context, in contract.ListBatchesRequest) iter.Seq2[contract.BatchSummary, error] {
	return listRows(ctx, c.Batches, &in, &in.Cursor, func(page contract.BatchList) ([]contract.BatchSummary, *string) {
		return page.Batches, page.NextCursor
	})
}

// AllMembers returns the members of all pages of [Client.Members].
func (c *Client) AllMembers(ctx context.Context, in contract.ListMembersRequest) iter.Seq2[contract.AgencyMember, error] {
	return listRows(ctx, c.Members, &in, &in.Cursor, func(page contract.MemberList) ([]contract.AgencyMember, *string) {
		return page.Members, page.NextCursor
	})
}

// AllRoles returns the roles of all pages of [Client.Roles].
func (c *Client) AllRoles(ctx context.Context, in contract.ListRolesRequest) iter.Seq2[contract.RoleSummary, error] {
	return listRows(ctx, c.Roles, &in, &in.Cursor, func(page contract.RoleList) ([]contract.RoleSummary, *int64) {
		return page.Roles, page.NextCursor
	})
}

// AllActiveRoles returns the roles of all pages of [Client.ActiveRoles].
func (c *Client) AllActiveRoles(ctx context.Context, in contract.ActiveRolesRequest) iter.Seq2[contract.ActiveRole, error] {
	return listRows(ctx, c.ActiveRoles, &in, &in.Cursor, func(page contract.ActiveRolesResponse) ([]contract.ActiveRole, *string) {
		return page.Roles, page.NextCursor
	})
}

// AllAgencyRoles returns the roles of all pages of [Client.AgencyRoles].
func (c *Client) AllAgencyRoles(ctx context.Context, in contract.ListAgencyRolesRequest) iter.Seq2[contract.AgencyRole, error] {
	return listRows(ctx, c.AgencyRoles, &in, &in.Cursor, func(page contract.AgencyRolesResponse) ([]contract.AgencyRole, *string) {
		return page.Roles, page.NextCursor
	})
}

// AllAgencyRolesFound returns the roles of all pages of [Client.SearchAgencyRoles].
func (c *Client) AllAgencyRolesFound(ctx context.Context, in contract.SearchAgencyRolesRequest) iter.Seq2[contract.AgencyRole, error] {
	return listRows(ctx, c.SearchAgencyRoles, &in, &in.Cursor, func(page contract.AgencyRolesResponse) ([]contract.AgencyRole, *string) {
		return page.Roles, page.NextCursor
	})
}

// AllCRMCandidates returns the candidates of all pages of [Client.CRMCandidates].
func (c *Client) AllCRMCandidates(ctx context.Context, in contract.ListCRMCandidatesRequest) iter.Seq2[contract.CRMCandidateRow, error] {
	return listRows(ctx, c.CRMCandidates, &in, &in.Cursor, func(page contract.CRMCandidateList) ([]contract.CRMCandidateRow, *int64) {
		return page.Candidates, page.NextCursor
	})
}

// AllMatches returns the matches of all pages of [Client.Matches].
func (c *Client) AllMatches(ctx context.Context, in contract.ListMatchesRequest) iter.Seq2[contract.Match, error] {
	return listRows(ctx, c.Matches, &in, &in.Cursor, func(page contract.MatchList) ([]contract.Match, *string) {
		return page.Recommendations, page.NextCursor
	})
}

// AllCalls returns the calls of all pages of [Client.Calls].
func (c *Client) AllCalls(ctx context.Context, in contract.ListCallsRequest) iter.Seq2[contract.CallRow, error] {
	return listRows(ctx, c.Calls, &in, &in.Cursor, func(page contract.CallList) ([]contract.CallRow, *int64) {
		return page.Calls, page.NextCursor
	})
}

// AllChanges returns the changes of all pages of [Client.Changes], until there are no more for now.
func (c *Client) AllChanges(ctx context.Context, in contract.ListChangesRequest) iter.Seq2[contract.Change, error] {
	return listRows(ctx, c.Changes, &in, &in.Cursor, func(page contract.ChangeList) ([]contract.Change, *string) {
		if !page.HasMore {
			return page.Changes, nil
		}
		return page.Changes, &page.NextCursor
	})
}

// FollowChanges returns the pages of [Client.Changes] that have changes, from in.Cursor on, and waits
// for more as long as the server advises. It ends with an error, the context's included. A program
// that stores each page's NextCursor once it has handled the page, and continues with it, handles
// every change at least once.
func (c *Client) FollowChanges(ctx context.Context, in contract.ListChangesRequest) iter.Seq2[contract.ChangeList, error] {
	return func(yield func(contract.ChangeList, error) bool) {
		for {
			page, header, err := callOperation[contract.ChangeList](ctx, c, "listChanges", in)
			isRepeated := in.Cursor != nil && *in.Cursor == page.NextCursor
			if err == nil && page.HasMore && isRepeated {
				err = errRepeatedCursor
			}
			if err == nil && len(page.Changes) == 0 && !page.HasMore {
				err = c.wait(ctx, max(retryAfter(header), time.Second))
			}
			isNews := err != nil || len(page.Changes) > 0
			if isNews && !yield(page, err) || err != nil {
				return
			}
			in.Cursor = &page.NextCursor
		}
	}
}
