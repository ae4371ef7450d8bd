package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
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
		if refused, ok := errors.AsType[*Error](err); ok && refused.Status == http.StatusNotFound {
			r.holdForgotten(b)
			return nil
		}
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

// holdForgotten holds the candidates of a bulk that have not ended: its batch is older than batches are kept.
func (r *submitRun) holdForgotten(b *sentBulk) {
	for _, reference := range b.References {
		if r.journal.awaits(b, reference) {
			r.hold(reference, "", fmt.Sprintf(reasonForgotten, b.Response.BatchID))
		}
	}
}

// endRejected ends the items that were rejected at submit time.
func (r *submitRun) endRejected(ctx context.Context, b *sentBulk) error {
	for _, item := range b.Response.Items {
		if item.Status != contract.BulkRejected {
			continue
		}
		outcome := Outcome{Status: OutcomeRejected, SubmissionID: item.SubmissionID, Errors: item.Errors}
		if err := r.endItem(ctx, b, item.Index, outcome); err != nil {
			return err
		}
	}
	return nil
}

// endItems ends the items of a batch that have a final status.
func (r *submitRun) endItems(ctx context.Context, b *sentBulk, batch contract.Batch) error {
	for _, item := range batch.Items {
		if !item.Status.Terminal() {
			continue
		}
		outcome := Outcome{
			Status: OutcomeStatus(item.Status), SubmissionID: item.SubmissionID, CandidateUserID: item.CandidateUserID,
		}
		if item.ErrorCode != "" {
			outcome.Errors = []contract.BulkItemError{{Code: item.ErrorCode, Message: item.ErrorMessage}}
		}
		if err := r.endItem(ctx, b, item.Index, outcome); err != nil {
			return err
		}
	}
	return nil
}

// endItem ends an item of a bulk, unless it has ended or its candidate is sent again.
func (r *submitRun) endItem(ctx context.Context, b *sentBulk, index int, outcome Outcome) error {
	reference := b.References[index]
	if !r.journal.awaits(b, reference) {
		return nil
	}
	outcome.ClientReferenceID = reference
	outcome.BatchID = b.Response.BatchID
	return r.end(ctx, outcome, fingerprint{b.Hashes[index], r.journal.resumeHash(reference)})
}
