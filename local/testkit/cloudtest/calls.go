package cloudtest

import (
	"context"
	"sync"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Calls records the attempts of AWS calls; its method Hook is a [cloud.Hook]. The zero
// value is ready to use.
type Calls struct {
	mu    sync.Mutex
	names []string
}

// Hook records the attempt and sends it.
func (c *Calls) Hook(_ context.Context, call cloud.Call, send func() error) error {
	c.mu.Lock()
	c.names = append(c.names, call.Service+"."+call.Operation)
	c.mu.Unlock()
	return send()
}

// Reset returns the recorded attempts in order, each as "Service.Operation", and starts
// an empty record.
func (c *Calls) Reset() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := c.names
	c.names = nil
	return names
}

// Lost is an error that the SDK retries, like a broken connection.
type Lost struct{}

func (Lost) Error() string { return "a test lost the answer" }

// RetryableError returns true; the SDK asks errors for it.
func (Lost) RetryableError() bool { return true }

// Lose returns a hook that sends the n-th attempt of an operation (1 is the first) and
// returns err in place of its result: Lost{}, which the SDK retries, or any other error,
// which ends the call.
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

// LoseSome returns a hook that loses the answers of the attempts that lose chooses among those that succeeded, but of no call more than
// two: the SDK makes three attempts. lose is called by one goroutine at a time.
func LoseSome(lose func(cloud.Call) bool) cloud.Hook {
	var mu sync.Mutex
	lost := map[any]int{} // by the input of the call
	return func(_ context.Context, call cloud.Call, send func() error) error {
		err := send()
		mu.Lock()
		defer mu.Unlock()
		if err != nil || lost[call.Input] == 2 || !lose(call) {
			return err
		}
		lost[call.Input]++
		return Lost{}
	}
}
