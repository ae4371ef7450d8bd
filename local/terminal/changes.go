package terminal

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type changesCommands struct {
	List   changesList   `cmd:"" default:"withargs" help:"List the changes that are kept, in the order in which they were recorded. AT is when they happened, which can be earlier."`
	Follow changesFollow `cmd:"" help:"Print changes as they happen, until Ctrl-C."`
}

// changeFlags select changes.
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
	in := contract.ListChangesRequest{Types: f.Type}
	if cursor := f.Cursor; cursor != "" {
		in.Cursor = &cursor
	} else if first != "" {
		in.Cursor = &first
	}
	return in
}

// Run lists the changes.
func (l changesList) Run(ctx context.Context, c *call, api *client.Client) error {
	return printRows(c, api.AllChanges(ctx, l.newRequest("")), l.Max, changeColumns()...)
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
		for _, change := range page.Changes {
			if err := printChange(c, change); err != nil {
				return err
			}
		}
		cursor = page.NextCursor
	}
	return nil
}

// printChange prints one line at once; columns of a fixed width replace those of a table.
func printChange(c *call, change contract.Change) error {
	if c.settings.JSON {
		return json.NewEncoder(c.out).Encode(change)
	}
	_, err := fmt.Fprintf(c.out, "%s  %-29s %-10s %-26s %s %s\n",
		formatTime(&change.OccurredAt), printable(string(change.Type)), printable(string(change.Status)),
		printable(change.CandidateUserID), printable(change.ClientReferenceID), printable(string(change.ErrorCode)))
	return err
}

func changeColumns() []column[contract.Change] {
	type row = contract.Change
	return []column[row]{
		{"AT", func(r row) string { return formatTime(&r.OccurredAt) }},
		{"TYPE", func(r row) string { return string(r.Type) }},
		{"STATUS", func(r row) string { return string(r.Status) }},
		{"CANDIDATE", func(r row) string { return r.CandidateUserID }},
		{"REFERENCE", func(r row) string { return r.ClientReferenceID }},
		{"BATCH", func(r row) string { return r.BatchID }},
		{"ERROR", func(r row) string { return string(r.ErrorCode) }},
	}
}
