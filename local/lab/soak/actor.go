package soak

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/api/client"
)

// actor is the user of one key. It sends requests one at a time, drawn from actions, and
// remembers ids from the responses for later requests.
type actor struct {
	api      *client.Client
	random   *rand.Rand
	recorder *recorder
	name     string // unique
	count    int

	batches, candidates, uploads, roles, crm, calls []string
}

// action is one kind of request; weight is how often it is made relative to the others.
type action struct {
	operation string
	read      bool
	weight    int
	send      func(context.Context, *actor) error
}

// run sends requests until ctx ends, with an average pause between them.
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
			at -= act.weight
			if at < 0 {
				// a request that has begun is completed
				a.recorder.measure(act.operation, act.read, func() error { return act.send(context.WithoutCancel(ctx), a) })
				break
			}
		}
	}
}

// drawOne returns one of the strings at random, or "" if there are none.
func (a *actor) drawOne(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[a.random.IntN(len(all))]
}

// withKnown calls send with one of the ids that the actor knows. If it knows none, withKnown calls
// list, which finds some.
func (a *actor) withKnown(ctx context.Context, ids *[]string, list func(context.Context, *actor) error, send func(id string) error) error {
	if len(*ids) == 0 {
		return list(ctx, a)
	}
	return send(a.drawOne(*ids))
}

// onlyError returns the error of a request whose response is not needed.
func onlyError[T any](_ T, err error) error { return err }

// appendRecent appends ids to those that an actor knows, and keeps the last 50.
func appendRecent(known []string, more ...string) []string {
	known = append(known, more...)
	return known[max(0, len(known)-50):]
}
