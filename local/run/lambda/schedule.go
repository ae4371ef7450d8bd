package lambda

import (
	"context"
	"time"
)

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
	for ctx.Err() == nil {
		s.call(work)
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

func (s *Schedule) call(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	_, err := invokeFunction(ctx, func(ctx context.Context, _ struct{}) (struct{}, error) {
		return struct{}{}, s.Function(ctx)
	}, struct{}{})
	if err != nil {
		s.Failed(err)
	}
}
