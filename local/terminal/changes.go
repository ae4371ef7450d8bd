package terminal

import (
	"cmp"
	"context"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
)

type changeFlags struct {
	Type   []contract.ChangeType `help:"Only these types." values:"changeType"`
	Cursor string                `help:"Continue after this position, which follow prints at its end."`
}

type changesList struct {
	changeFlags
	listFlags
}

type changesFollow struct{ changeFlags }

func (f changeFlags) newRequest(first string) contract.ListChangesRequest {
	return contract.ListChangesRequest{Types: f.Type, Cursor: optional.NonZero(cmp.Or(f.Cursor, first))}
}

// Run lists the changes.
func (l changesList) Run(ctx context.Context, c *call, api *client.Client) error {
	const headings = "AT, TYPE, STATUS, CANDIDATE, REFERENCE, BATCH, ERROR"
	return printRows(c, api.AllChanges(ctx, l.newRequest("")), l.Max, headings, func(r contract.Change) []any {
		return []any{r.OccurredAt, r.Type, r.Status, r.CandidateUserID, r.ClientReferenceID, r.BatchID, r.ErrorCode}
	})
}

// Run prints changes as they happen: from now on, without a cursor. At the end, also after an error, it prints the
// cursor after the last one.
func (f changesFollow) Run(ctx context.Context, c *call, api *client.Client) error {
	in := f.newRequest("latest")
	if f.Cursor == "" {
		now, err := api.Changes(ctx, in)
		if err != nil {
			return explain(err)
		}
		in.Cursor = &now.NextCursor
	}
	cursor := *in.Cursor
	defer func() { _, _ = fmt.Fprintf(c.messages, "continue with --cursor %s\n", cursor) }()
	for page, err := range api.FollowChanges(ctx, in) {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return explain(err)
		}
		for _, change := range page.Changes { // columns of a fixed width replace those of a table
			text := fmt.Sprintf("%s  %-29s %-10s %-26s %s %s",
				cellOf(change.OccurredAt), printable(string(change.Type)), printable(string(change.Status)),
				printable(change.CandidateUserID), printable(change.ClientReferenceID), printable(string(change.ErrorCode)))
			if err := printNow(c, change, text); err != nil {
				return err
			}
		}
		cursor = page.NextCursor
	}
	return nil
}
