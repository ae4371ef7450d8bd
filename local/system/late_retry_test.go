package system_test

import (
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// A retry may come hours after the attempt that crashed. What it accepts gets
// its whole time from then on, in the batch that the first attempt began.
func TestRetryLongAfterACrash(t *testing.T) {
	t.Parallel()
	var s spoiler
	b := start(t, nil, s.Hook)
	key := b.agencyKey()
	once, c := client.New(b.BaseURL, key, client.WithAttempts(1)), client.New(b.BaseURL, key, hurried)
	s.arm(func(call cloud.Call) bool { return call.Operation == "TransactWriteItems" }, spoils["fails before"])
	in := request(t, priya, "")
	in.IdempotencyKey = "late"
	if _, err := once.Submit(t.Context(), in); err == nil {
		t.Fatal("the first attempt succeeded; want it to fail at its commit")
	}
	b.move(5 * time.Hour)
	if item := outcome(t, c, in); item.Status != contract.Succeeded {
		t.Errorf("got %+v; want succeeded, not timed out at birth", item)
	}
}
