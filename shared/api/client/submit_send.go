package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// sendAll returns the outcomes that the journal knows, and uploads and submits what it does not have.
func (r *submitRun) sendAll(ctx context.Context) error {
	for _, reference := range r.order {
		if r.journal.isEnded(reference) && !r.yield(ctx, r.journal.last[reference].Outcome) {
			return ctx.Err()
		}
	}
	for _, b := range slices.Clone(r.journal.bulks) {
		if b.Response == nil && r.isHeld(b.References[0]) {
			continue
		}
		if err := r.sendBulk(ctx, b); err != nil && !errors.Is(err, errItemsHeld) {
			return err
		}
	}
	pending := slices.DeleteFunc(slices.Clone(r.order), func(reference string) bool {
		return r.journal.isSent(reference) || r.isHeld(reference)
	})
	for references := range slices.Chunk(pending, bulkItems) {
		uploaded, err := r.uploadAll(ctx, references)
		if err != nil {
			return err
		}
		if err := r.sendNew(ctx, uploaded); err != nil {
			return err
		}
	}
	return nil
}

// errItemsHeld means that a bulk was refused because of items that are held now.
var errItemsHeld = errors.New("items are held")

// sendNew submits candidates as a bulk, and again without those that are held because the service refused the
// bulk for them.
func (r *submitRun) sendNew(ctx context.Context, references []string) error {
	for {
		references = slices.DeleteFunc(references, r.isHeld)
		if len(references) == 0 {
			return nil
		}
		b := &sentBulk{IdempotencyKey: uuid.NewString(), References: slices.Clone(references), At: time.Now()}
		for _, reference := range references {
			b.Hashes = append(b.Hashes, r.hashes[reference])
		}
		if err := r.journal.append(record{Bulk: b}); err != nil {
			return err
		}
		if err := r.sendBulk(ctx, b); !errors.Is(err, errItemsHeld) {
			return err
		}
	}
}

// sendBulk submits a bulk that the journal has, unless it was answered, and has
// its batch followed.
func (r *submitRun) sendBulk(ctx context.Context, b *sentBulk) error {
	if b.Response == nil {
		in := contract.BulkRequest{IdempotencyKey: b.IdempotencyKey}
		for _, reference := range b.References {
			item := r.candidates[reference].Item
			item.Resume.ResumeFileID = r.journal.uploads[reference].ResumeFileID
			in.Items = append(in.Items, item)
		}
		sender := *r.client
		sender.last = b.At.Round(0).Add(keyLife)
		out, err := sender.SubmitBulk(ctx, in)
		// After any other error an earlier attempt may have been accepted.
		if refused, ok := errors.AsType[*Error](err); ok && isBodyRefused(refused) {
			if err := r.journal.append(record{Refused: b.IdempotencyKey}); err != nil {
				return err
			}
			if r.holdRefused(refused, b) {
				return errItemsHeld
			}
			return describeRefusal(refused, b)
		}
		if err == nil {
			err = r.journal.append(record{Answer: &bulkAnswer{b.IdempotencyKey, out}})
		}
		if err != nil {
			return err
		}
		b.Response = &out
		r.update(func(p *Progress) {
			p.Submitted += len(b.References)
			p.Requests--
		})
	}
	r.spawn(func() error { return r.follow(ctx, b) })
	return nil
}

// describeRefusal adds the problems, which name items by their index, and the references of the
// first and last item.
func describeRefusal(refused *Error, b *sentBulk) error {
	last := b.References[len(b.References)-1]
	return fmt.Errorf("the bulk of %q to %q: %w %s %s", b.References[0], last, refused, refused.Form, refused.Fields)
}
