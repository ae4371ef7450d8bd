package api

import (
	"context"
	"fmt"
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

type batchesCommand struct{ listFlags }

// Run lists the batches.
func (b batchesCommand) Run(c *call) error {
	api, err := c.agencyClient()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	type row = contract.BatchSummary
	return printRows(c, api.AllBatches(ctx, contract.ListBatchesRequest{}), b.Max,
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
func (b batchShow) Run(c *call) error {
	api, err := c.agencyClient()
	if err != nil {
		return err
	}
	batch, err := api.Batch(context.Background(), b.Batch)
	return printRows(c, rowsOf(batch.Items, err), 0, itemColumns()...)
}

// Run prints the items as they end. It fails with its own exit code if one of them did.
func (b batchWatch) Run(c *call) error {
	api, err := c.agencyClient()
	if err != nil {
		return err
	}
	ctx, stop := interruptible()
	defer stop()
	return watchBatch(ctx, c, api, b.Batch)
}

func watchBatch(ctx context.Context, c *call, api *client.Client, id string) error {
	printed := map[int]bool{}
	failed := 0
	for {
		batch, err := api.Batch(ctx, id)
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
		switch {
		case len(printed) == len(batch.Items) && failed > 0:
			return newExitError(exitOutcome, "%d of %d failed", failed, len(batch.Items))
		case len(printed) == len(batch.Items):
			return nil
		}
		select {
		case <-ctx.Done():
			return explain(ctx.Err())
		case <-time.After(time.Second):
		}
	}
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
