package system_test

import (
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// A queue that has been idle for longer than a client's time-out delivers the next
// message at once: the poller holds one long poll, and leaves no abandoned ones that
// would swallow messages.
func TestIdleQueueDeliversAtOnce(t *testing.T) {
	t.Parallel()
	sys := startSystem(t, map[string]string{"INGEST_RESEND": "1h"})
	c := sys.newAgencyClient()
	idle := time.NewTimer(7 * time.Second) // the functions' clients wait 5 s for an answer
	select {
	case <-idle.C:
	case <-t.Context().Done():
	}
	if item := submitAndWait(t, c, newSubmitRequest(t, priya, "")); item.Status != contract.Succeeded {
		t.Errorf("got %+v; want succeeded", item)
	}
}
