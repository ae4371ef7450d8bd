package client

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// errRepeatedCursor ends a list that would go on for ever.
var errRepeatedCursor = errors.New("the server repeats the cursor of an earlier page, so the list has no end")

// listRows returns the rows of all pages of a list, from the page at first on. read returns one
// page and the cursor of the next one, nil if there is none. An error is the last pair.
func listRows[Row any, Cursor comparable](ctx context.Context, first *Cursor, read func(context.Context, *Cursor) ([]Row, *Cursor, error)) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		seen := map[Cursor]bool{}
		for at, more := first, true; more; {
			rows, next, err := read(ctx, at)
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
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *string) ([]contract.CandidateRow, *string, error) {
		in.Cursor = at
		page, err := c.Candidates(ctx, in)
		return page.Candidates, page.NextCursor, err
	})
}

// AllBatches returns the batches of all pages of [Client.Batches].
func (c *Client) AllBatches(ctx context.Context, in contract.ListBatchesRequest) iter.Seq2[contract.BatchSummary, error] {
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *string) ([]contract.BatchSummary, *string, error) {
		in.Cursor = at
		page, err := c.Batches(ctx, in)
		return page.Batches, page.NextCursor, err
	})
}

// AllRoles returns the roles of all pages of [Client.Roles].
func (c *Client) AllRoles(ctx context.Context, in contract.ListRolesRequest) iter.Seq2[contract.RoleSummary, error] {
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *int64) ([]contract.RoleSummary, *int64, error) {
		in.Cursor = at
		page, err := c.Roles(ctx, in)
		return page.Roles, page.NextCursor, err
	})
}

// AllActiveRoles returns the roles of all pages of [Client.ActiveRoles].
func (c *Client) AllActiveRoles(ctx context.Context, in contract.ActiveRolesRequest) iter.Seq2[contract.ActiveRole, error] {
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *string) ([]contract.ActiveRole, *string, error) {
		in.Cursor = at
		page, err := c.ActiveRoles(ctx, in)
		return page.Roles, page.NextCursor, err
	})
}

// AllAgencyRoles returns the roles of all pages of [Client.AgencyRoles].
func (c *Client) AllAgencyRoles(ctx context.Context, in contract.ListAgencyRolesRequest) iter.Seq2[contract.AgencyRole, error] {
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *string) ([]contract.AgencyRole, *string, error) {
		in.Cursor = at
		page, err := c.AgencyRoles(ctx, in)
		return page.Roles, page.NextCursor, err
	})
}

// AllAgencyRolesFound returns the roles of all pages of [Client.SearchAgencyRoles].
func (c *Client) AllAgencyRolesFound(ctx context.Context, in contract.SearchAgencyRolesRequest) iter.Seq2[contract.AgencyRole, error] {
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *string) ([]contract.AgencyRole, *string, error) {
		in.Cursor = at
		page, err := c.SearchAgencyRoles(ctx, in)
		return page.Roles, page.NextCursor, err
	})
}

// AllCRMCandidates returns the candidates of all pages of [Client.CRMCandidates].
func (c *Client) AllCRMCandidates(ctx context.Context, in contract.ListCRMCandidatesRequest) iter.Seq2[contract.CRMCandidateRow, error] {
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *int64) ([]contract.CRMCandidateRow, *int64, error) {
		in.Cursor = at
		page, err := c.CRMCandidates(ctx, in)
		return page.Candidates, page.NextCursor, err
	})
}

// AllMatches returns the matches of all pages of [Client.Matches].
func (c *Client) AllMatches(ctx context.Context, in contract.ListMatchesRequest) iter.Seq2[contract.Match, error] {
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *string) ([]contract.Match, *string, error) {
		in.Cursor = at
		page, err := c.Matches(ctx, in)
		return page.Recommendations, page.NextCursor, err
	})
}

// AllCalls returns the calls of all pages of [Client.Calls].
func (c *Client) AllCalls(ctx context.Context, in contract.ListCallsRequest) iter.Seq2[contract.CallRow, error] {
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *int64) ([]contract.CallRow, *int64, error) {
		in.Cursor = at
		page, err := c.Calls(ctx, in)
		return page.Calls, page.NextCursor, err
	})
}

// AllChanges returns the changes of all pages of [Client.Changes], until there are no more for now.
func (c *Client) AllChanges(ctx context.Context, in contract.ListChangesRequest) iter.Seq2[contract.Change, error] {
	return listRows(ctx, in.Cursor, func(ctx context.Context, at *string) ([]contract.Change, *string, error) {
		in.Cursor = at
		page, err := c.Changes(ctx, in)
		if !page.HasMore {
			return page.Changes, nil, err
		}
		return page.Changes, &page.NextCursor, err
	})
}

// FollowChanges returns the pages of [Client.Changes] that have changes, from in.Cursor on, and waits
// for more as long as the server advises. It ends with an error, the context's included. A program
// that stores each page's NextCursor once it has handled the page, and goes on with it, handles
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
