package lambda_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
)

func TestScheduleRunsAtOnceAndSkipsWhileRunning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var calls, now, most atomic.Int32
		s := lambda.Schedule{Every: time.Minute, Timeout: time.Hour, Failed: func(error) {}, Function: func(context.Context) error {
			calls.Add(1)
			most.Store(max(most.Load(), now.Add(1)))
			defer now.Add(-1)
			time.Sleep(150 * time.Second) // over two ticks of the bubble's clock
			return nil
		}}
		ctx, cancel := context.WithCancel(t.Context())
		go s.Run(ctx)
		synctest.Wait()
		if calls.Load() != 1 {
			t.Errorf("%d calls at once, want 1", calls.Load())
		}
		time.Sleep(9*time.Minute + time.Second) // calls at 0, 3, 6 and 9 minutes
		synctest.Wait()
		if calls.Load() != 4 || most.Load() != 1 {
			t.Errorf("%d calls, %d at once; want 4, 1", calls.Load(), most.Load())
		}
		cancel()
		time.Sleep(time.Hour) // the last call ends
	})
}

func TestScheduleGoesOnAfterFailures(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		failed := make(chan error, 3)
		broken := errors.New("broken")
		var calls atomic.Int32
		s := lambda.Schedule{
			Every: time.Hour, Timeout: time.Minute, Failed: func(err error) { failed <- err },
			Function: func(ctx context.Context) error {
				switch calls.Add(1) {
				case 1:
					panic("oh")
				case 2:
					<-ctx.Done()
					return nil
				}
				return broken
			},
		}
		ctx, cancel := context.WithCancel(t.Context())
		go s.Run(ctx)
		if err := <-failed; !strings.HasPrefix(err.Error(), "panic: oh\n") {
			t.Errorf("got %v, want a panic", err)
		}
		for _, want := range []error{context.DeadlineExceeded, broken} {
			if err := <-failed; !errors.Is(err, want) {
				t.Errorf("the next failure is %v, want %v", err, want)
			}
		}
		cancel()
	})
}

func TestScheduleWaitsForItsCallWhenItStops(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for grace, want := range map[time.Duration]error{time.Minute: nil, time.Second: context.Canceled} {
			var ended error
			s := lambda.Schedule{Every: time.Hour, Timeout: time.Hour, Grace: grace, Failed: func(error) {}, Function: func(ctx context.Context) error {
				select {
				case <-ctx.Done():
				case <-time.After(30 * time.Second):
				}
				ended = ctx.Err()
				return nil
			}}
			ctx, cancel := context.WithCancel(t.Context())
			go func() { synctest.Wait(); cancel() }()
			s.Run(ctx)
			synctest.Wait()
			if !errors.Is(ended, want) {
				t.Errorf("with a grace of %v the call ended with %v, want %v", grace, ended, want)
			}
		}
	})
}
