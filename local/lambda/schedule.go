package lambda

import (
	"cmp"
	"context"
	"time"
)

// Schedule calls a function at once and then at every tick until its context ends. A tick that comes while the function
// still runs is skipped.
type Schedule struct {
	// Every is the time between two calls.
	Every time.Duration
	// Function is called; it gets no event.
	Function func(context.Context) error
	// Timeout ends a call; 0 means 60 s.
	Timeout time.Duration
	// Grace is how long a call in flight may go on when Run is to end.
	Grace time.Duration
	// Tick, when not nil, takes the clock's place, and Every is not looked at.
	Tick <-chan time.Time
	// Failed, when not nil, is told of every call that failed.
	Failed func(error)
}

// Run calls the function until ctx ends, and returns when a call in flight has ended too.
func (s *Schedule) Run(ctx context.Context) {
	work, cancel := withGracePeriod(ctx, s.Grace)
	defer cancel()
	tick := s.Tick
	if tick == nil {
		ticker := time.NewTicker(s.Every)
		defer ticker.Stop()
		tick = ticker.C
	}
	running := s.startCall(work)
	for {
		select {
		case <-ctx.Done():
			<-running
			return
		case <-tick:
			select {
			case <-running:
				running = s.startCall(work)
			default: // still running: skip
			}
		}
	}
}

// startCall calls the function once, and closes what it returns when that is over.
func (s *Schedule) startCall(ctx context.Context) <-chan struct{} {
	over := make(chan struct{})
	go func() {
		defer close(over)
		ctx, cancel := context.WithTimeout(ctx, cmp.Or(s.Timeout, time.Minute))
		defer cancel()
		_, err := invokeFunction(ctx, func(ctx context.Context, _ struct{}) (struct{}, error) {
			return struct{}{}, s.Function(ctx)
		}, struct{}{})
		if err != nil && s.Failed != nil {
			s.Failed(err)
		}
	}()
	return over
}
