package idempotency_test

import (
	"context"
	"fmt"
	"time"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The first attempt claims the key and stores its answer, which a repeat of the request
// replays. Another request with the key is refused.
func ExampleStore_Begin() {
	ctx := context.Background()
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	claims := idempotency.NewStore(cloudtest.Table(cloudtest.ForExample(), topology.Submissions))
	submit := idempotency.NewRequest(tenant.Admit("agency-1"), "import-42", "of POST /submit and its body")

	first, err := claims.Begin(ctx, submit, "batch-1", "nonce-1", now)
	fmt.Println(first.Ref, first.Answer == nil, err)
	_, err = claims.Begin(ctx, submit, "batch-2", "nonce-2", now.Add(time.Second))
	fmt.Println(err)

	fmt.Println(claims.Complete(ctx, first, []byte(`{"batchId":"batch-1"}`)))
	repeat, err := claims.Begin(ctx, submit, "batch-3", "nonce-3", now.Add(time.Minute))
	fmt.Println(repeat.Ref, string(repeat.Answer), err)

	other := idempotency.NewRequest(tenant.Admit("agency-1"), "import-42", "of another body")
	_, err = claims.Begin(ctx, other, "batch-4", "nonce-4", now.Add(time.Minute))
	fmt.Println(err)
	// Output:
	// batch-1 true <nil>
	// A request with this Idempotency-Key is still running. Retry after the time in Retry-After.
	// <nil>
	// batch-1 {"batchId":"batch-1"} <nil>
	// This Idempotency-Key was used with another request in the last 24 hours. Use a new key, or send the same bytes again.
}
