package client

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

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
		for at, more := first, true; more; {
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
