package soak

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// actor is the user of one key: it sends requests one at a time, drawn from actions, and
// remembers of the answers what it needs for the next.
type actor struct {
	api      *client.Client
	random   *rand.Rand
	recorder *recorder
	name     string // its own among all
	count    int

	batches, candidates, uploads, roles, crm, calls []string
}

// action is one kind of request, and how often it is made against the others.
type action struct {
	operation string
	read      bool
	weight    int
	send      func(context.Context, *actor) error
}

// run sends a request every pause, on average, until ctx ends.
func (a *actor) run(ctx context.Context, pause time.Duration, actions []action) {
	total := 0
	for _, act := range actions {
		total += act.weight
	}
	for {
		wait := time.Duration((0.5 + a.random.Float64()) * float64(pause))
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		at := a.random.IntN(total)
		for _, act := range actions {
			if at -= act.weight; at < 0 {
				// A request that was begun is finished.
				a.recorder.measure(act.operation, act.read, func() error { return act.send(context.WithoutCancel(ctx), a) })
				break
			}
		}
	}
}

// drawOne returns one of all, "" of none.
func (a *actor) drawOne(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[a.random.IntN(len(all))]
}

// withKnown calls send with one of the ids that the actor knows, or finds some by list if it
// knows none.
func (a *actor) withKnown(ctx context.Context, ids *[]string, list func(context.Context, *actor) error, send func(id string) error) error {
	if len(*ids) == 0 {
		return list(ctx, a)
	}
	return send(a.drawOne(*ids))
}

// dropResponse returns the error of a request whose response is not needed.
func dropResponse[T any](_ T, err error) error { return err }

// appendRecent keeps the last 50 of what an actor knows.
func appendRecent(known []string, more ...string) []string {
	known = append(known, more...)
	return known[max(0, len(known)-50):]
}
