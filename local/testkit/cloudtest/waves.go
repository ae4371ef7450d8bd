package cloudtest

import (
	"context"
	"sync"
	"time"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Waves makes every AWS call take longer, and counts calls, and waves of them: calls that are under
// way together are one wave. Its method Hook is a [cloud.Hook].
type Waves struct {
	// Delay is how much longer each call takes.
	Delay time.Duration

	mu                  sync.Mutex
	under, calls, waves int
}

// Hook delays and counts the call.
func (w *Waves) Hook(_ context.Context, _ cloud.Call, send func() error) error {
	w.mu.Lock()
	if w.calls++; w.under == 0 {
		w.waves++
	}
	w.under++
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.under--
		w.mu.Unlock()
	}()
	time.Sleep(w.Delay)
	return send()
}

// Reset returns the numbers since the last Reset, and begins again.
func (w *Waves) Reset() (calls, waves int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	calls = w.calls
	waves = w.waves
	w.calls = 0
	w.waves = 0
	return calls, waves
}
