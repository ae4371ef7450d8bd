package profile

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestPauseOnItsTimer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := waitFor(t.Context(), nil, time.Hour); err != nil || time.Since(began) != time.Hour {
			t.Errorf("paused %v, %v", time.Since(began), err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began = time.Now()
		if err := waitFor(ctx, nil, time.Hour); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			t.Errorf("paused %v beyond its context, %v", time.Since(began), err)
		}
	})
}
