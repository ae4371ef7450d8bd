package cloudtest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"

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
	var made atomic.Int64
	return func(_ context.Context, call cloud.Call, send func() error) error {
		answer := send()
		if call.Operation == operation && made.Add(1) == int64(n) {
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

// Waves makes every AWS call take longer, and counts calls, and waves of them: calls that are under
// way together are one wave. Its method Hook is a [cloud.Hook].
type Waves struct {
	// Delay is how much longer each call takes.
	Delay time.Duration

	underWay, calls, waves atomic.Int64
}

// Hook delays and counts the call.
func (w *Waves) Hook(_ context.Context, _ cloud.Call, send func() error) error {
	w.calls.Add(1)
	if w.underWay.Add(1) == 1 {
		w.waves.Add(1)
	}
	defer w.underWay.Add(-1)
	time.Sleep(w.Delay)
	return send()
}

// Reset returns the numbers since the last Reset, and begins again.
func (w *Waves) Reset() (calls, waves int) { return int(w.calls.Swap(0)), int(w.waves.Swap(0)) }

// Units adds up what DynamoDB reports that the reads of a host cost. The zero value is ready
// to use.
type Units struct {
	mu   sync.Mutex
	read map[string]float64 // by a table's deployed name
}

// Watch returns the host with its reads added up.
func (u *Units) Watch(h cloud.Host) cloud.Host {
	h.AWS = h.AWS.Copy()
	h.AWS.APIOptions = append(slices.Clone(h.AWS.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Units", u.addCall), middleware.Before)
	})
	return h
}

// Reset returns the read units since the last call, of the tables with a deployed name that
// begins with a prefix and of all.
func (u *Units) Reset(prefix string) (part, all float64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for name, units := range u.read {
		all += units
		if strings.HasPrefix(name, prefix) {
			part += units
		}
	}
	u.read = nil
	return part, all
}

func (u *Units) addCall(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	const total = types.ReturnConsumedCapacityTotal
	switch p := in.Parameters.(type) {
	case *dynamodb.QueryInput:
		p.ReturnConsumedCapacity = total
	case *dynamodb.GetItemInput:
		p.ReturnConsumedCapacity = total
	case *dynamodb.BatchGetItemInput:
		p.ReturnConsumedCapacity = total
	}
	out, meta, err := next.HandleInitialize(ctx, in)
	switch o := out.Result.(type) {
	case *dynamodb.QueryOutput:
		u.addCapacity(*o.ConsumedCapacity)
	case *dynamodb.GetItemOutput:
		u.addCapacity(*o.ConsumedCapacity)
	case *dynamodb.BatchGetItemOutput:
		u.addCapacity(o.ConsumedCapacity...)
	}
	return out, meta, err
}

func (u *Units) addCapacity(all ...types.ConsumedCapacity) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.read == nil {
		u.read = map[string]float64{}
	}
	for _, c := range all {
		u.read[aws.ToString(c.TableName)] += aws.ToFloat64(c.CapacityUnits)
	}
}
