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

// turnTime is how long a request waits for a place, and then for a slot.
const turnTime = 20 * time.Second

// limitRequests passes requests to the handlers. A request's body is read only when its caller has a
// place, and fails if it stalls; the request is handled only when the caller has a slot.
func limitRequests(handlers http.Handler, now func() time.Time) http.Handler {
	places := newSlots(maxPlaces, maxOwnPlaces)
	slots := newSlots(maxSlots, maxOwnSlots)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := &queuedBody{ReadCloser: gateway.PaceBody(w, r, now), places: places, slots: slots}
		defer body.release()
		r.Body = body
		handlers.ServeHTTP(w, r)
	})
}

// queuedBody is a [gateway.QueuedBody] that waits for a place and a slot, and holds them until
// the request has ended.
type queuedBody struct {
	io.ReadCloser
	places, slots *slots
	releases      []func()
}

// AwaitReading waits until the caller has a place. It fails with fault.TooMany after turnTime.
func (b *queuedBody) AwaitReading(ctx context.Context, caller apikey.Caller) error {
	return b.await(ctx, b.places, caller)
}

// AwaitHandling waits until the caller has a slot. It fails with fault.TooMany after turnTime.
func (b *queuedBody) AwaitHandling(ctx context.Context, caller apikey.Caller) error {
	return b.await(ctx, b.slots, caller)
}

func (b *queuedBody) await(ctx context.Context, from *slots, caller apikey.Caller) error {
	ctx, cancel := context.WithTimeout(ctx, turnTime)
	defer cancel()
	release, err := from.takeSlot(ctx, caller.Principal)
	if err != nil {
		busy := fault.New(fault.TooMany, contract.RateLimited, "Too many concurrent uploads. Retry after Retry-After seconds.")
		busy.RetryAfter = turnTime
		return busy.Because(err)
	}
	b.releases = append(b.releases, release)
	return nil
}

// release gives back the place and the slot.
func (b *queuedBody) release() {
	for _, release := range b.releases {
		release()
	}
}
