// Package lambda does on this machine what AWS does around a Lambda function: Gateway is the HTTP API in front of it,
// Poller is its SQS event source, and Schedule calls it again and again. None of them knows what the functions do, and
// no function can tell that it is called from here.
//
// Every event and every answer really goes through JSON, so a field that does not survive that fails here as it would
// there. A function that panics or outlives its time-out is a failed invocation; as nothing can kill a goroutine, one
// that ignores its context goes on running unseen, where AWS would end it.
//
// Not done here: cold starts, the 6 MB limit on a synchronous event, throttling, FIFO queues, batching windows and
// scaling. How HTTP API behaves is taken from its developer guide and from what others measured on it.
package lambda

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"
)

// PanicError is the failure of an invocation that panicked.
type PanicError struct {
	Value any    // what was passed to panic
	Stack []byte // where, as debug.Stack prints it
}

func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// invokeFunction calls a function with its event as Lambda does. The error is the function's own, a *PanicError, a JSON error
// of either side, or ctx's own when that ends first.
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
		r.err = recoverPanic(func() (err error) {
			r.out, err = function(ctx, in)
			return err
		})
		returned <- r
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

// recoverPanic turns a panic of f into an error.
func recoverPanic(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	return f()
}

func viaJSON(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}

// withGracePeriod returns a context that goes on for grace after ctx has ended, so that work in flight can finish.
func withGracePeriod(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return longer, cancel
}
