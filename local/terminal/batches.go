package terminal

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// listFlags are the flags of lists.
type listFlags struct {
	Max int `default:"100" help:"Most rows to print; 0 is all."`
}

// Validate returns an error for a number that is too small. Kong calls it.
func (l listFlags) Validate() error { return checkMost(l.Max) }

func checkMost(most int) error {
	if most < 0 {
		return fmt.Errorf("--max must be 0 or more, not %d", most)
	}
	return nil
}

type batchesCommand struct {
	listFlags
	Reference string `help:"Only batches of one candidate with this reference of yours."`
	Since     string `placeholder:"TIME" help:"Only batches that are newer than this: 2026-03-01, 2026-03-01T09:00:00Z, or 90m or 24h ago."`
}

// parseSince returns the time that --since means; the zero time without it.
func (b batchesCommand) parseSince(now time.Time) (time.Time, error) {
	if b.Since == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(b.Since); err == nil {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, b.Since); err == nil {
			return at, nil
		}
	}
	return time.Time{}, newExitError(exitInput, "--since: %q is no time; write 2026-03-01, 2026-03-01T09:00:00Z or 24h", b.Since)
}

// choose returns the batches that the flags select, of all of them, newest first.
func (b batchesCommand) choose(all iter.Seq2[contract.BatchSummary, error], since time.Time) iter.Seq2[contract.BatchSummary, error] {
	return func(yield func(contract.BatchSummary, error) bool) {
		for batch, err := range all {
			isOlder := err == nil && batch.CreatedAt.Before(since)
			if isOlder {
				return
			}
			isOther := err == nil && b.Reference != "" && batch.ClientReferenceID != b.Reference
			if !isOther && !yield(batch, err) {
				return
			}
		}
	}
}

// Run lists the batches.
func (b batchesCommand) Run(ctx context.Context, c *call, api *client.Client) error {
	since, err := b.parseSince(time.Now())
	if err != nil {
		return err
	}
	type row = contract.BatchSummary
	return printRows(c, b.choose(api.AllBatches(ctx, contract.ListBatchesRequest{}), since), b.Max,
		column[row]{"BATCH", func(r row) string { return r.BatchID }},
		column[row]{"CREATED", func(r row) string { return formatTime(&r.CreatedAt) }},
		column[row]{"ITEMS", func(r row) string { return fmt.Sprint(r.ItemCount) }},
		column[row]{"OPEN", func(r row) string { return fmt.Sprint(r.Counts.Queued + r.Counts.Processing) }},
		column[row]{"SUCCEEDED", func(r row) string { return fmt.Sprint(r.Counts.Succeeded) }},
		column[row]{"FAILED", func(r row) string { return fmt.Sprint(r.Counts.Failed) }},
		column[row]{"DEDUPLICATED", func(r row) string { return fmt.Sprint(r.Counts.Deduplicated) }},
		column[row]{"REFERENCE", func(r row) string { return r.ClientReferenceID }})
}

type batchCommands struct {
	Show  batchShow  `cmd:"" default:"withargs" help:"Show the items of a batch as they are now."`
	Watch batchWatch `cmd:"" help:"Print each item when it has ended, until all have."`
}

type batchShow struct {
	Batch string `arg:"" help:"Id of the batch."`
}

type batchWatch struct {
	Batch string `arg:"" help:"Id of the batch."`
}

// Run shows the batch.
func (b batchShow) Run(ctx context.Context, c *call, api *client.Client) error {
	batch, err := api.Batch(ctx, b.Batch)
	return printRows(c, rowsOf(batch.Items, err), 0, itemColumns()...)
}

// Run prints the items as they end. It fails with its own exit code if one of them did.
func (b batchWatch) Run(ctx context.Context, c *call, api *client.Client) error {
	return watchBatch(ctx, c, api, b.Batch)
}

func watchBatch(ctx context.Context, c *call, api *client.Client, id string) error {
	printed := map[int]bool{}
	failed := 0
	for batch, err := range api.FollowBatch(ctx, id) {
		if err != nil {
			return explain(err)
		}
		ended := slices.DeleteFunc(slices.Clone(batch.Items), func(item contract.BatchItem) bool {
			return !item.Status.Terminal() || printed[item.Index]
		})
		for _, item := range ended {
			printed[item.Index] = true
			if item.Status == contract.Failed {
				failed++
			}
		}
		if len(ended) > 0 {
			if err := printRows(c, rowsOf(ended, nil), 0, itemColumns()...); err != nil {
				return err
			}
		}
	}
	if failed > 0 {
		return newExitError(exitOutcome, "%d of %d failed", failed, len(printed))
	}
	return nil
}

func itemColumns() []column[contract.BatchItem] {
	type row = contract.BatchItem
	return []column[row]{
		{"ITEM", func(r row) string { return fmt.Sprint(r.Index) }},
		{"STATUS", func(r row) string { return string(r.Status) }},
		{"CANDIDATE", func(r row) string { return r.CandidateUserID }},
		{"REFERENCE", func(r row) string { return r.ClientReferenceID }},
		{"UPDATED", func(r row) string { return formatTime(&r.UpdatedAt) }},
		{"ERROR", func(r row) string { return string(r.ErrorCode) }},
		{"MESSAGE", func(r row) string { return r.ErrorMessage }},
	}
}
