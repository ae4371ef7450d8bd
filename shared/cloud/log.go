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
	"sync/atomic"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// metrics are the attributes of a finished unit of work that become CloudWatch metrics, by
// function. They are few: each is billed by the month, and Lambda
// and the gateway measure time and failures by themselves.
var metrics = []string{"read_units", "write_units", "cold"}

// lineMetrics are the attributes that are metrics where a line has them, with their units. Of
// them "alarm", true or false, says that an operator has to act.
var lineMetrics = map[string]string{
	"alarm": countUnit, topology.MetricCanaryFailed: countUnit, topology.MetricCanaryDuration: "Milliseconds",
	topology.MetricCatalogueAge: "Seconds", topology.MetricParked: "None", topology.MetricParkedLeft: "None",
}

const countUnit = "Count"

// NewLog returns a function's log: one JSON object a line. The line that a unit of work
// ends with ([Finished]) has its usage and whether it was the process's first. It, and a line with
// one of lineMetrics, is in CloudWatch's embedded metric format, so that no call is needed to measure.
func NewLog(w io.Writer, function string) *slog.Logger { return NewStageLog(w, "", function) }

// NewStageLog is NewLog with the metrics in the namespace of a stage.
func NewStageLog(w io.Writer, stage, function string) *slog.Logger {
	return slog.New(workLog{slog.NewJSONHandler(w, nil), topology.MetricsNamespace(stage), function, &atomic.Bool{}})
}

type workLog struct {
	slog.Handler
	namespace, function string
	warm                *atomic.Bool
}

// Handle implements slog.Handler.
func (l workLog) Handle(ctx context.Context, r slog.Record) error {
	line := slog.NewRecord(r.Time, r.Level, r.Message, r.PC)
	var names []string
	r.Attrs(func(a slog.Attr) bool {
		if lineMetrics[a.Key] != "" {
			names = append(names, a.Key)
			if a.Value.Kind() == slog.KindBool {
				a.Value = boolMetric(a.Value.Bool())
			}
		}
		line.AddAttrs(a)
		return true
	})
	usage, isLast := finishedUsage(ctx)
	if isLast {
		names = append(names, metrics...)
		line.AddAttrs(slog.Int("calls", usage.Calls), slog.Float64("read_units", usage.ReadUnits), slog.Float64("write_units", usage.WriteUnits),
			slog.Attr{Key: "cold", Value: boolMetric(!l.warm.Swap(true))})
	}
	if len(names) == 0 {
		return l.Handler.Handle(ctx, r)
	}
	line.AddAttrs(slog.String("function", l.function), slog.Any("_aws", l.metricDirective(r.Time.UnixMilli(), names)))
	return l.Handler.Handle(ctx, line)
}

// WithAttrs implements slog.Handler.
func (l workLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return workLog{l.Handler.WithAttrs(attrs), l.namespace, l.function, l.warm}
}

// WithGroup implements slog.Handler.
func (l workLog) WithGroup(name string) slog.Handler {
	return workLog{l.Handler.WithGroup(name), l.namespace, l.function, l.warm}
}

func boolMetric(yes bool) slog.Value {
	if yes {
		return slog.IntValue(1)
	}
	return slog.IntValue(0)
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

// metricDirective names the attributes that are metrics.
func (l workLog) metricDirective(at int64, names []string) embeddedMetrics {
	set := metricSet{Namespace: l.namespace, Dimensions: [][]string{{"function"}}}
	for _, name := range names {
		set.Metrics = append(set.Metrics, metricName{name, cmp.Or(lineMetrics[name], countUnit)})
	}
	return embeddedMetrics{at, []metricSet{set}}
}

// maxLogID is more than any id of ours has.
const maxLogID = 64

// keyMark is in every API key and in no id.
const keyMark = "rmk_"

// LogID returns an id from outside as a log may hold it: short, of the characters of ids,
// and no API key. It returns "" for anything else, which may be an address, a name or a
// secret in the wrong place.
func LogID(id string) string {
	if len(id) > maxLogID || strings.Contains(id, keyMark) || strings.ContainsFunc(id, isForbiddenInLogID) {
		return ""
	}
	return id
}

func isForbiddenInLogID(r rune) bool {
	switch {
	case '0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z':
		return false
	}
	return !strings.ContainsRune("-_.:", r)
}

// Panicked returns a recovered panic as a log may hold it: what the runtime says (of
// indexes, nil pointers and types), and of any other value its type alone, since it may
// contain what was being read.
func Panicked(value any) error {
	var err runtime.Error
	if e, is := value.(error); is && errors.As(e, &err) {
		return fmt.Errorf("panic: %s", err.Error())
	}
	return fmt.Errorf("panic: a value of type %T", value)
}
