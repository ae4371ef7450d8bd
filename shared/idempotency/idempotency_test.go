package idempotency_test

import (
	"context"
	"testing"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/idempotency"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

func TestFirstAttemptClaims(t *testing.T) {
	t.Parallel()
	s := idempotency.NewStore(cloudtest.Table(t, topology.Submissions))
	a, err := s.Begin(context.Background(), idempotency.Request{Principal: "agy", Key: "k", Fingerprint: "f"}, "ref", "n1", time.Unix(1000, 0))
	if err != nil || a.Ref != "ref" || a.Answer != nil {
		t.Fatalf("got %+v, %v; want a fresh attempt", a, err)
	}
}
