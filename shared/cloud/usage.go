package cloud

import (
	"context"
	"reflect"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go/middleware"
)

// Usage is what one unit of work, a request or a worker's item, has cost in AWS.
type Usage struct {
	// Calls counts operations; an attempt that the SDK repeats is not counted again.
	Calls int
	// ReadUnits and WriteUnits are DynamoDB's, as it reports them.
	ReadUnits, WriteUnits float64
}

// meter adds up the usage of one unit of work.
type meter struct {
	mu sync.Mutex
	Usage
}

type meterKey struct{}

// Metered begins a unit of work: AWS calls with the returned context are added up, and
// the log reports them with [Finished].
func Metered(ctx context.Context) context.Context {
	return context.WithValue(ctx, meterKey{}, &meter{})
}

type finishedKey struct{}

// Finished marks the context of the one line that a unit of work ends with; a log of
// [NewLog] adds the usage to it.
func Finished(ctx context.Context) context.Context {
	return context.WithValue(ctx, finishedKey{}, true)
}

// finishedUsage returns the usage of a unit of work that has ended.
func finishedUsage(ctx context.Context) (Usage, bool) {
	m, metered := ctx.Value(meterKey{}).(*meter)
	if !metered || ctx.Value(finishedKey{}) == nil {
		return Usage{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.Usage, true
}

// addMeter adds a step to every client that asks DynamoDB what a call costs, in a
// metered context.
func addMeter(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Meter", measureCall), middleware.After)
}

func measureCall(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	m, metered := ctx.Value(meterKey{}).(*meter)
	if !metered {
		return next.HandleInitialize(ctx, in)
	}
	if asked := fieldOf(in.Parameters, "ReturnConsumedCapacity"); asked.IsValid() {
		asked.Set(reflect.ValueOf(types.ReturnConsumedCapacityTotal))
	}
	out, meta, err := next.HandleInitialize(ctx, in)
	m.addResult(out.Result, isRead(awsmiddleware.GetOperationName(ctx)))
	return out, meta, err
}

// addResult counts an operation's result; a failed one has none and counts as a call.
func (m *meter) addResult(result any, isRead bool) {
	units := consumedUnits(result)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Calls++
	if isRead {
		m.ReadUnits += units
	} else {
		m.WriteUnits += units
	}
}

// consumedUnits returns the units that a result of DynamoDB reports, for one table or for several.
func consumedUnits(result any) (units float64) {
	consumed := fieldOf(result, "ConsumedCapacity")
	if !consumed.IsValid() {
		return 0
	}
	switch c := consumed.Interface().(type) {
	case *types.ConsumedCapacity:
		if c != nil {
			units = aws.ToFloat64(c.CapacityUnits)
		}
	case []types.ConsumedCapacity:
		for _, table := range c {
			units += aws.ToFloat64(table.CapacityUnits)
		}
	}
	return units
}
