// Command uploads serves the handlers of package submissions over plain HTTP, for
// the bodies that Lambda does not accept: up to the contract's 12 MB, with a length
// or chunked. The deployment leads the upload paths here and nothing else.
//
// It knows how many bodies fit into its memory, how many of them are handled at a time and how many one
// caller may have. The gateway decides on a request's meaning, limits and response.
package main

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/containerhttp"
)

// A request's body is read only when its caller has a place, and fails if it stalls; the request is handled only
// when the caller has a slot.
func main() {
	places := newSlots(maxPlaces, maxOwnPlaces)
	slots := newSlots(maxSlots, maxOwnSlots)
	containerhttp.Start(func(ctx context.Context, h cloud.Host) (http.Handler, error) {
		handlers, err := submissions.New(ctx, h)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := &queuedBody{ReadCloser: gateway.PaceBody(w, r, h.Now), places: places, slots: slots}
			defer body.release()
			r.Body = body
			handlers.ServeHTTP(w, r)
		}), err
	})
}

// turnTime is how long a request waits for a place, and then for a slot.
const turnTime = 20 * time.Second

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

func (b *queuedBody) release() {
	for _, release := range b.releases {
		release()
	}
}

// A body has a place while it is received and handled, and takes up to 12 MB. Its handler, which
// begins when the body has arrived, has a slot and takes 48 MB more for one of 12 MB. All places
// and slots fit into the task's 1 GB. One caller has a part of them only: all places are taken by
// nine callers at least, and the slots by requests that no client can slow down.
const (
	maxPlaces    = 36
	maxOwnPlaces = 4
	maxSlots     = 6
	maxOwnSlots  = 2
)

// slots counts slots, or places, of a process.
type slots struct {
	all    *semaphore.Weighted
	maxOwn int64
	// own has a *semaphore.Weighted of each caller who ever asked for one, which are no more than the accounts with keys.
	own sync.Map
}

func newSlots(all, maxOwn int64) *slots {
	return &slots{all: semaphore.NewWeighted(all), maxOwn: maxOwn}
}

// takeSlot waits for one of the caller's slots, and then for one of all. It fails when
// ctx ends; otherwise release must be called once.
func (s *slots) takeSlot(ctx context.Context, caller string) (release func(), err error) {
	found, _ := s.own.LoadOrStore(caller, semaphore.NewWeighted(s.maxOwn))
	own := found.(*semaphore.Weighted)
	if err := own.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	if err := s.all.Acquire(ctx, 1); err != nil {
		own.Release(1)
		return nil, err
	}
	return func() {
		s.all.Release(1)
		own.Release(1)
	}, nil
}
