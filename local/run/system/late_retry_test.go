package system_test

import (
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// A retry may come hours after the attempt that crashed. The items that it accepts have
// their full time from then on, in the batch of the first attempt.
func TestRetryLongAfterACrash(t *testing.T) {
	t.Parallel()
	var s faultInjector
	sys := startSystem(t, nil, s.Hook)
	key := sys.newAgencyKey()
	once, c := client.New(sys.BaseURL, key, client.WithAttempts(1)), client.New(sys.BaseURL, key, withShortWaits)
	s.injectAt(func(call cloud.Call) bool { return call.Operation == "TransactWriteItems" }, callFaults["fails before"])
	in := newSubmitRequest(t, priya, "")
	in.IdempotencyKey = "late"
	if _, err := once.Submit(t.Context(), in); err == nil {
		t.Fatal("the first attempt succeeded; want it to fail at its commit")
	}
	sys.advanceClock(5 * time.Hour)
	if item := submitAndWait(t, c, in); item.Status != contract.Succeeded {
		t.Errorf("got %+v; want succeeded, not timed out at birth", item)
	}
}
