package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// metrics are the attributes that become CloudWatch metrics, by function, with their units. Those of each
// finished unit of work are few: each is billed by the month, and Lambda and the gateway measure time and
// failures by themselves. Of the others, "alarm", true or false, says that an operator has to act.
var metrics = map[string]string{
	"read_units": countUnit, "write_units": countUnit, "cold": countUnit,
	"alarm": countUnit, topology.MetricCanaryFailed: countUnit, topology.MetricCanaryDuration: "Milliseconds",
	topology.MetricCatalogueAge: "Seconds", topology.MetricParked: "None", topology.MetricParkedLeft: "None",
}

const countUnit = "Count"

// NewLog returns a function's log: one JSON object a line. The line that a unit of work
// ends with ([Finished]) has its usage and whether it was the process's first. A line with one of
// metrics is in CloudWatch's embedded metric format, so that no call is needed to measure.
func NewLog(w io.Writer, function string) *slog.Logger { return NewStageLog(w, "", function) }

// NewStageLog is NewLog with the metrics in the namespace of a stage.
func NewStageLog(w io.Writer, stage, function string) *slog.Logger {
	l := &metricLines{namespace: topology.MetricsNamespace(stage), function: function}
	return slog.New(changedLog{slog.NewJSONHandler(w, nil), l.addMetrics})
}

type changedLog struct {
	slog.Handler
	change func(context.Context, slog.Record) slog.Record
}

// Handle implements slog.Handler.
func (l changedLog) Handle(ctx context.Context, r slog.Record) error {
	return l.Handler.Handle(ctx, l.change(ctx, r))
}

// WithAttrs implements slog.Handler.
func (l changedLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return changedLog{l.Handler.WithAttrs(attrs), l.change}
}

// WithGroup implements slog.Handler.
func (l changedLog) WithGroup(name string) slog.Handler {
	return changedLog{l.Handler.WithGroup(name), l.change}
}

type metricLines struct {
	namespace, function string
	warm                atomic.Bool
}

func (l *metricLines) addMetrics(ctx context.Context, r slog.Record) slog.Record {
	attrs := make([]slog.Attr, 0, r.NumAttrs()+4) // and usage
	r.Attrs(func(a slog.Attr) bool {
		attrs = append(attrs, a)
		return true
	})
	if usage := finishedUsage(ctx); usage != nil {
		attrs = append(append(attrs, usage...), slog.Bool("cold", !l.warm.Swap(true)))
	}
	set := metricSet{Namespace: l.namespace, Dimensions: [][]string{{"function"}}}
	for i, a := range attrs {
		unit := metrics[a.Key]
		if unit == "" {
			continue
		}
		set.Metrics = append(set.Metrics, metricName{a.Key, unit})
		switch {
		case a.Value.Kind() != slog.KindBool:
		case a.Value.Bool():
			attrs[i].Value = slog.IntValue(1)
		default:
			attrs[i].Value = slog.IntValue(0)
		}
	}
	if len(set.Metrics) == 0 {
		return r
	}
	line := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	line.AddAttrs(attrs...)
	line.AddAttrs(slog.String("function", l.function), slog.Any("_aws", embeddedMetrics{r.Time.UnixMilli(), []metricSet{set}}))
	return line
}

// embeddedMetrics is what the metric format requires beside the values.
type embeddedMetrics struct {
	Timestamp         int64
	CloudWatchMetrics []metricSet
}

type metricSet struct {
	Namespace  string
	Dimensions [][]string
	Metrics    []metricName
}

type metricName struct{ Name, Unit string }

const (
	maxLogID = 64     // more than any id of ours has
	keyMark  = "rmk_" // in every API key and in no id
)

// LogID returns an id from outside as a log may hold it: short, of the characters of ids, and no API key. It
// returns "" for anything else, which may be an address, a name or a secret in the wrong place.
func LogID(id string) string {
	const characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.:"
	if len(id) > maxLogID || strings.Contains(id, keyMark) || strings.Trim(id, characters) != "" {
		return ""
	}
	return id
}

// Panicked returns a recovered panic as a log may hold it: what the runtime says (of indexes, nil pointers
// and types), and of any other value its type alone, since it may contain what was being read.
func Panicked(value any) error {
	var err runtime.Error
	if e, is := value.(error); is && errors.As(e, &err) {
		return fmt.Errorf("panic: %s", err.Error())
	}
	return fmt.Errorf("panic: a value of type %T", value)
}

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
	var units float64 // that DynamoDB reports, for one table or for several
	if consumed := fieldOf(result, "ConsumedCapacity"); consumed.IsValid() {
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
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	if isRead {
		m.readUnits += units
	} else {
		m.writeUnits += units
	}
}
