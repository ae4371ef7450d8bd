package cloudtest

import (
	"context"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Calls counts the attempts of AWS calls: its method Hook is a cloud.Hook. The
// zero value is ready.
type Calls struct {
	mu    sync.Mutex
	names []string
}

// Hook counts the attempt and lets it happen.
func (c *Calls) Hook(_ context.Context, call cloud.Call, send func() error) error {
	c.mu.Lock()
	c.names = append(c.names, call.Service+"."+call.Operation)
	c.mu.Unlock()
	return send()
}

// Reset forgets what was counted and answers it: "Service.Operation" of every
// attempt, in order.
func (c *Calls) Reset() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := c.names
	c.names = nil
	return names
}

// Lost is an error that the SDK retries, as it does a broken connection.
type Lost struct{}

// Error says what the error is for.
func (Lost) Error() string { return "a test lost the answer" }

// RetryableError is what the SDK asks.
func (Lost) RetryableError() bool { return true }

// Lose makes a hook that lets the n-th attempt of an operation happen (1 is the
// first) and answers err in place of its answer: Lost{} for one that the SDK
// retries, any other to end the call.
func Lose(operation string, n int, err error) cloud.Hook {
	var mu sync.Mutex
	return func(_ context.Context, call cloud.Call, send func() error) error {
		answer := send()
		mu.Lock()
		defer mu.Unlock()
		if call.Operation != operation {
			return answer
		}
		if n--; n == 0 {
			return err
		}
		return answer
	}
}
