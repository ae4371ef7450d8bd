package client

import (
	"context"
	"slices"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// follow reads the batch of an answered bulk until all its items have ended. The more batches are
// open, the longer it waits, so that together they stay within half the rate.
func (r *submitRun) follow(ctx context.Context, b *sentBulk) error {
	r.open.Add(1)
	defer r.open.Add(-1)
	if err := r.endRejected(ctx, b); err != nil {
		return err
	}
	for slices.ContainsFunc(b.References, func(reference string) bool { return r.journal.awaits(b, reference) }) {
		batch, header, err := callOperation[contract.Batch](ctx, r.client, "getBatch", contract.BatchRequest{BatchID: b.Response.BatchID})
		if err != nil {
			return err
		}
		if err := r.endItems(ctx, b, batch); err != nil || batch.Terminal() {
			return err
		}
		if err := r.client.wait(ctx, max(retryAfter(header), time.Duration(r.open.Load())*time.Second)); err != nil {
			return err
		}
	}
	return nil
}

// endRejected ends the items that were rejected at submit time.
func (r *submitRun) endRejected(ctx context.Context, b *sentBulk) error {
	for _, item := range b.Response.Items {
		if reference := b.References[item.Index]; item.Status == contract.BulkRejected && r.journal.awaits(b, reference) {
			outcome := Outcome{
				ClientReferenceID: reference, Status: OutcomeRejected,
				BatchID: b.Response.BatchID, SubmissionID: item.SubmissionID, Errors: item.Errors,
			}
			if err := r.end(ctx, outcome, fingerprint{b.Hashes[item.Index], r.journal.resumeHash(reference)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// endItems ends the items of a batch that have a final status.
func (r *submitRun) endItems(ctx context.Context, b *sentBulk, batch contract.Batch) error {
	for _, item := range batch.Items {
		reference := b.References[item.Index]
		if !item.Status.Terminal() || !r.journal.awaits(b, reference) {
			continue
		}
		outcome := Outcome{
			ClientReferenceID: reference, Status: OutcomeStatus(item.Status),
			BatchID: batch.BatchID, SubmissionID: item.SubmissionID, CandidateUserID: item.CandidateUserID,
		}
		if item.ErrorCode != "" {
			outcome.Errors = []contract.BulkItemError{{Code: item.ErrorCode, Message: item.ErrorMessage}}
		}
		if err := r.end(ctx, outcome, fingerprint{b.Hashes[item.Index], r.journal.resumeHash(reference)}); err != nil {
			return err
		}
	}
	return nil
}
