package cloud

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/text"
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

// TraceHeader is the header of HTTP requests that carries X-Ray's trace id, in the form
// "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=…;Sampled=…".
const TraceHeader = "X-Amzn-Trace-Id"

// TraceAttribute is the system attribute of SQS messages with the same content. SQS neither
// bills it nor counts it as a part of the message.
const TraceAttribute = "AWSTraceHeader"

// lambdaTrace is the key under which Lambda's runtime puts the header of the invocation, which
// it also has in _X_AMZN_TRACE_ID, into the context.
const lambdaTrace = "x-amzn-trace-id"

type traceKey struct{}

// WithTrace returns a context that adds the trace id to log lines and messages, or ctx itself if
// the id is empty.
func WithTrace(ctx context.Context, id string) context.Context {
	if id == "" {
		return ctx
	}
	return context.WithValue(ctx, traceKey{}, id)
}

// WithRequestTrace returns the context of an HTTP request with its trace id: that of the
// invocation, or of the header, or a new one of the request's own id, a UUID v7. The id is the one
// under which X-Ray has the request, if it is traced.
func WithRequestTrace(ctx context.Context, header string, now time.Time, request uuid.UUID) context.Context {
	own := fmt.Sprintf("1-%08x-%x", uint32(now.Unix()), request[4:])
	return WithTrace(ctx, cmp.Or(TraceOf(ctx), ReadTrace(header), own))
}

// WithMessageTrace returns the context of a message's work with the trace id of the message's
// system attributes: that of the request or event from which the message comes.
func WithMessageTrace(ctx context.Context, attributes map[string]string) context.Context {
	return WithTrace(ctx, ReadTrace(attributes[TraceAttribute]))
}

// TraceOf returns the trace id of a context, by default that of Lambda's invocation; "" if it has none.
func TraceOf(ctx context.Context) string {
	if id, ok := ctx.Value(traceKey{}).(string); ok {
		return id
	}
	header, _ := ctx.Value(lambdaTrace).(string)
	return ReadTrace(header)
}

var (
	traceID     = text.Expression(`^1-[0-9a-f]{8}-[0-9a-f]{24}$`)
	traceParent = text.Expression(`^[0-9a-f]{2}-([0-9a-f]{8})([0-9a-f]{24})-[0-9a-f]{16}-[0-9a-f]{2}`)
)

// ReadTrace returns the trace id in a header of X-Ray's form; "" if there is none.
func ReadTrace(header string) string {
	for field := range strings.SplitSeq(header, ";") {
		if id, ok := strings.CutPrefix(strings.TrimSpace(field), "Root="); ok && traceID().MatchString(id) {
			return id
		}
	}
	return ""
}

// ReadTraceParent returns the trace id in a traceparent header (W3C Trace Context), in X-Ray's
// form; "" if there is none.
func ReadTraceParent(header string) string {
	if id := traceParent().FindStringSubmatch(header); id != nil {
		return "1-" + id[1] + "-" + id[2]
	}
	return ""
}

// addTrace adds the attribute trace_id to a line of a traced context.
func addTrace(ctx context.Context, r slog.Record) slog.Record {
	if id := TraceOf(ctx); id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String("trace_id", id))
	}
	return r
}
