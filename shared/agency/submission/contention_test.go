package submission_test

import (
	"context"
	"slices"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// TestABatchThatCannotBeStored fails if a batch is reported as accepted although its transaction failed on a condition every time.
func TestABatchThatCannotBeStored(t *testing.T) {
	t.Parallel()
	reasons := []types.CancellationReason{{Code: aws.String("ConditionalCheckFailed")}, {Code: aws.String("None")}}
	d := newTestStore(t, func(_ context.Context, call cloud.Call, send func() error) error {
		if call.Operation == "TransactWriteItems" {
			return &types.TransactionCanceledException{CancellationReasons: reasons}
		}
		return send()
	})
	b, subs := d.newBatch(1, "ada", start)
	if outcomes, err := d.Accept(t.Context(), b, subs); err == nil {
		t.Errorf("got %+v", outcomes)
	}
	calls := d.calls.Reset()
	if others := slices.DeleteFunc(slices.Clone(calls), func(c string) bool { return c == "DynamoDB.TransactWriteItems" }); len(calls) != 8 || len(others) > 0 {
		t.Errorf("made the calls %v, want eight transactions", calls)
	}
}
