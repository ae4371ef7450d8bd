package cloud

import (
	"context"
	"log/slog"
	"sync"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// meter adds up what one unit of work, a request or a worker's item, has cost in AWS.
type meter struct {
	mu sync.Mutex
	// calls counts operations; an attempt that the SDK repeats is not counted again.
	calls int
	// readUnits and writeUnits are DynamoDB's, as it reports them.
	readUnits, writeUnits float64
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

// finishedUsage returns the usage of a unit of work that has ended, as attributes of its line; nil if it has not.
func finishedUsage(ctx context.Context) []slog.Attr {
	m, metered := ctx.Value(meterKey{}).(*meter)
	if !metered || ctx.Value(finishedKey{}) == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return []slog.Attr{
		slog.Int("calls", m.calls), slog.Float64("read_units", m.readUnits), slog.Float64("write_units", m.writeUnits),
	}
}

// count counts an operation by its result; a failed one has none and counts as a call.
func (m *meter) count(result any, isRead bool) {
	units := consumedUnits(result)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if isRead {
		m.readUnits += units
	} else {
		m.writeUnits += units
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
