package submission_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// cancelTransactions cancels the n-th transaction (1 is the first) for these reasons, which
// no emulator gives.
func cancelTransactions(n int32, reasons ...string) cloud.Hook {
	var count atomic.Int32
	return func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation != "TransactWriteItems" || count.Add(1) != n {
			return send()
		}
		cancelled := &types.TransactionCanceledException{}
		for _, reason := range reasons {
			cancelled.CancellationReasons = append(cancelled.CancellationReasons, types.CancellationReason{Code: aws.String(reason)})
		}
		return cancelled
	}
}

// A repeat finds its own in-flight item and, at the same moment, its header in another
// transaction: it must not take itself for a duplicate.
func TestARepeatIsNoDuplicateOfItself(t *testing.T) {
	t.Parallel()
	d := newTestStore(t, cancelTransactions(2, "TransactionConflict", "ConditionalCheckFailed"))
	b, subs := d.newBatch(1, "ada", start)
	want := d.mustAccept(b, subs)[0]
	if got := d.mustAccept(b, subs)[0]; got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAContendedTransactionIsTriedAgain(t *testing.T) {
	t.Parallel()
	for n := range int32(3) { // accept, claim, end
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			d := newTestStore(t, cancelTransactions(n+1, "None", "TransactionConflict"))
			s, wakeUp := d.acceptOne("ada", start)
			must(t, d.succeedAt(d.mustClaim(wakeUp, start), start))
			d.wantItem(s, start, contract.Succeeded, "")
		})
	}
}
