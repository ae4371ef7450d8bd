// Package lambda does on this machine what AWS does around a Lambda function: [Gateway] is the HTTP API in front of it,
// [Poller] is its SQS event source, [Schedule] calls it at intervals, and [Runtime] runs its program as a process. None
// of them knows what the functions do, and no function can detect that it is called from here.
//
// Every event and every result is encoded as JSON and decoded again, so a field that JSON loses is lost here as well. A
// function that panics or exceeds its time-out is a failed invocation; since a goroutine cannot be killed, one that
// ignores its context keeps running unseen, where AWS would end it.
//
// Not simulated: cold starts, the 6 MB limit on a synchronous event, throttling, FIFO queues, batching windows, the
// ARN of an event's queue and scaling. The behaviour of HTTP API follows its developer guide and published measurements.
package lambda

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"
)

// invokeFunction calls a function with its event as Lambda does. The error is the function's own, its panic, an
// error of encoding or decoding the event or the result, or ctx's own if that ends first.
func invokeFunction[In, Out any](ctx context.Context, function func(context.Context, In) (Out, error), event In) (out Out, err error) {
	var in In
	if err := viaJSON(event, &in); err != nil {
		return out, err
	}
	type result struct {
		out Out
		err error
	}
	returned := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if v := recover(); v != nil {
				r.err = fmt.Errorf("panic: %v\n%s", v, debug.Stack())
			}
			returned <- r
		}()
		r.out, r.err = function(ctx, in)
	}()
	select {
	case r := <-returned:
		if r.err != nil {
			return out, r.err
		}
		return out, viaJSON(r.out, &out)
	case <-ctx.Done():
		return out, ctx.Err()
	}
}

func viaJSON(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return fmt.Errorf("encode the event: %w", err)
	}
	return json.Unmarshal(data, to)
}

// withGracePeriod returns a context that ends at least grace after ctx, which lets work in flight finish.
func withGracePeriod(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return longer, cancel
}

// Schedule calls a function at once and then at every tick until its context ends. A tick while the function is still
// running is skipped.
type Schedule struct {
	// Every is the time between two calls.
	Every time.Duration
	// Function is called without an event.
	Function func(context.Context) error
	// Timeout ends a call.
	Timeout time.Duration
	// Grace is how long a call in flight may continue after the context of Run has ended.
	Grace time.Duration
	// Failed is called for every failed call.
	Failed func(error)
}

// Run calls the function until ctx ends, and returns when a call in flight has ended.
func (s *Schedule) Run(ctx context.Context) {
	work, cancel := withGracePeriod(ctx, s.Grace)
	defer cancel()
	ticker := time.NewTicker(s.Every)
	defer ticker.Stop()
	function := func(ctx context.Context, _ struct{}) (struct{}, error) { return struct{}{}, s.Function(ctx) }
	for ctx.Err() == nil {
		call, end := context.WithTimeout(work, s.Timeout)
		if _, err := invokeFunction(call, function, struct{}{}); err != nil {
			s.Failed(err)
		}
		end()
		select {
		case <-ticker.C: // it came while the function was running
		default:
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
		}
	}
}
