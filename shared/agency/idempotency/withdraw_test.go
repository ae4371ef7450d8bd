package idempotency_test

import (
	"context"
	"testing"

	"github.com/recruiting-marketplace/external-api/local/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// A withdrawn answer is replayed to nobody, the attempt still holds the key, and
// nothing that is late brings the answer back.
func TestWithdraw(t *testing.T) {
	t.Parallel()
	var late []func() error
	d := newTestStore(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "UpdateItem" {
			late = append(late, send)
		}
		return send()
	})
	first := d.mustBegin("first", start, "first", "")
	must(t, d.Complete(ctx, first, []byte("queued")))
	d.mustBegin("retry", start, "first", "queued")
	next, err := d.Withdraw(ctx, first)
	must(t, err)
	_ = late[0]()
	must(t, d.Complete(ctx, first, []byte("late")))
	d.mustRefuse("retry", start, contract.IdempotencyInProgress)
	must(t, d.Complete(ctx, next, []byte("rejected")))
	_, _ = late[0](), late[1]()
	d.mustBegin("retry", start, "first", "rejected")
}

func TestWithdrawMayBeRepeatedOrComeToNothing(t *testing.T) {
	t.Parallel()
	d := newTestStore(t, cloudtest.Lose("UpdateItem", 1, cloudtest.Lost{}))
	next, err := d.Withdraw(ctx, d.mustBegin("first", start, "first", ""))
	must(t, err)
	must(t, d.Complete(ctx, next, []byte("answer")))
	d.mustBegin("retry", start, "first", "answer")

	dead := d.mustBegin("dead", start.Add(idempotency.Window), "dead", "")
	at := start.Add(idempotency.Window + idempotency.Lease)
	d.mustBegin("heir", at, "dead", "")
	next, err = d.Withdraw(ctx, dead) // the heir answers
	must(t, err)
	must(t, d.Complete(ctx, next, []byte("late")))
	d.mustRefuse("retry", at, contract.IdempotencyInProgress)
}
