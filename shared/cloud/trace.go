package cloud

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/text"
)

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
