package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// turnTime is how long a request waits for a slot.
const turnTime = 20 * time.Second

// limitRequests serves the balancer's health check itself and passes other requests to the
// handlers. A request's body is read only when its caller has a slot, and fails if it stalls.
func limitRequests(handlers http.Handler, now func() time.Time) http.Handler {
	all := newSlots()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/healthz" {
			w.WriteHeader(http.StatusOK)
			return
		}
		body := &queuedBody{ReadCloser: gateway.PaceBody(w, r, now), slots: all, release: func() {}}
		defer func() { body.release() }()
		r.Body = body
		handlers.ServeHTTP(w, r)
	})
}

// queuedBody is a [gateway.QueuedBody] that waits for a slot and holds it until the request has
// ended.
type queuedBody struct {
	io.ReadCloser
	slots   *slots
	release func()
}

// AwaitTurn waits until the caller has a slot. It fails with fault.TooMany after turnTime.
func (b *queuedBody) AwaitTurn(ctx context.Context, caller apikey.Caller) error {
	ctx, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	release, err := b.slots.takeSlot(ctx, caller.Principal)
	if err != nil {
		busy := fault.New(fault.TooMany, contract.RateLimited, "Too many uploads are running at once. Retry after the time in Retry-After.")
		busy.RetryAfter = turnTime
		return busy.Because(err)
	}
	b.release = release
	return nil
}
