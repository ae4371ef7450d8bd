package terminal

import (
	"context"
	"fmt"
	"iter"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

type listFlags struct {
	Max int `default:"100" help:"Most rows to print; 0 is all."`
}

// Validate returns an error for a number that is too small. Kong calls it.
func (l listFlags) Validate() error {
	if l.Max < 0 {
		return fmt.Errorf("--max must be 0 or more, not %d", l.Max)
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
			isOther := err == nil && b.Reference != "" && batch.ClientReferenceID != b.Reference
			switch {
			case err == nil && batch.CreatedAt.Before(since):
				return
			case !isOther && !yield(batch, err):
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
	const headings = "BATCH, CREATED, ITEMS, OPEN, SUCCEEDED, FAILED, DEDUPLICATED, REFERENCE"
	rows := b.choose(api.AllBatches(ctx, contract.ListBatchesRequest{}), since)
	return printRows(c, rows, b.Max, headings, func(r contract.BatchSummary) []any {
		n := r.Counts
		return []any{
			r.BatchID, r.CreatedAt, r.ItemCount, n.Queued + n.Processing, n.Succeeded, n.Failed, n.Deduplicated, r.ClientReferenceID,
		}
	})
}

type batchShow struct {
	Batch string `arg:"" help:"Id of the batch."`
}

type batchWatch struct{ batchShow }

// Run shows the batch.
func (b batchShow) Run(ctx context.Context, c *call, api *client.Client) error {
	batch, err := api.Batch(ctx, b.Batch)
	return printItems(c, batch.Items, err)
}

// Run prints the items as they end. It fails with its own exit code if one of them did.
func (b batchWatch) Run(ctx context.Context, c *call, api *client.Client) error {
	printed := map[int]bool{}
	failed := 0
	for batch, err := range api.FollowBatch(ctx, b.Batch) {
		if err != nil {
			return explain(err)
		}
		var ended []contract.BatchItem
		for _, item := range batch.Items {
			if !item.Status.Terminal() || printed[item.Index] {
				continue
			}
			ended = append(ended, item)
			printed[item.Index] = true
			if item.Status == contract.Failed {
				failed++
			}
		}
		if len(ended) > 0 {
			if err := printItems(c, ended, nil); err != nil {
				return err
			}
		}
	}
	if failed > 0 {
		return newExitError(exitOutcome, "%d of %d failed", failed, len(printed))
	}
	return nil
}

func printItems(c *call, items []contract.BatchItem, err error) error {
	const headings = "ITEM, STATUS, CANDIDATE, REFERENCE, UPDATED, ERROR, MESSAGE"
	return printRows(c, rowsOf(items, err), 0, headings, func(i contract.BatchItem) []any {
		return []any{i.Index, i.Status, i.CandidateUserID, i.ClientReferenceID, i.UpdatedAt, i.ErrorCode, i.ErrorMessage}
	})
}
