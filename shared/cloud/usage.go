package cloud

import (
	"context"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
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

func measureCall(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	m, metered := ctx.Value(meterKey{}).(*meter)
	if metered {
		requestCapacity(in.Parameters)
	}
	out, meta, err := next.HandleInitialize(ctx, in)
	if metered {
		m.addResult(out.Result)
	}
	return out, meta, err
}

// requestCapacity asks DynamoDB to report the units of an operation.
func requestCapacity(input any) {
	const total = types.ReturnConsumedCapacityTotal
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.QueryInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.BatchGetItemInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.TransactGetItemsInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.PutItemInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.UpdateItemInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.DeleteItemInput:
		in.ReturnConsumedCapacity = total
	case *dynamodb.TransactWriteItemsInput:
		in.ReturnConsumedCapacity = total
	}
}

// addResult counts an operation's result; a failed one has none and counts as a call.
func (m *meter) addResult(result any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.Calls++
	switch out := result.(type) {
	case *dynamodb.GetItemOutput:
		m.ReadUnits += capacityUnits(out.ConsumedCapacity)
	case *dynamodb.QueryOutput:
		m.ReadUnits += capacityUnits(out.ConsumedCapacity)
	case *dynamodb.BatchGetItemOutput:
		m.ReadUnits += sumCapacity(out.ConsumedCapacity)
	case *dynamodb.TransactGetItemsOutput:
		m.ReadUnits += sumCapacity(out.ConsumedCapacity)
	case *dynamodb.PutItemOutput:
		m.WriteUnits += capacityUnits(out.ConsumedCapacity)
	case *dynamodb.UpdateItemOutput:
		m.WriteUnits += capacityUnits(out.ConsumedCapacity)
	case *dynamodb.DeleteItemOutput:
		m.WriteUnits += capacityUnits(out.ConsumedCapacity)
	case *dynamodb.TransactWriteItemsOutput:
		m.WriteUnits += sumCapacity(out.ConsumedCapacity)
	}
}

func capacityUnits(c *types.ConsumedCapacity) float64 {
	if c == nil {
		return 0
	}
	return aws.ToFloat64(c.CapacityUnits)
}

func sumCapacity(tables []types.ConsumedCapacity) (sum float64) {
	for i := range tables {
		sum += capacityUnits(&tables[i])
	}
	return sum
}
