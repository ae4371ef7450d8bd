package gateway

import (
	"encoding/binary"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// slowRequest is the time from which a request always has a line: that of the strictest objective.
const slowRequest = time.Second

// isSampled reports whether a successful read with this request id has a line when one in so many has
// one. The last bytes of a UUID v7 are random.
func isSampled(id uuid.UUID, sample int) bool {
	return sample <= 1 || binary.BigEndian.Uint32(id[12:])%uint32(sample) == 0
}

// lineWeight returns the number of requests that the line of this one represents, 0 if it has none.
// Lines of sampled requests represent those without a line, so that a sum of weights counts requests.
func (x *exchange) lineWeight(status int, took time.Duration) int {
	isRead := x.request.Method == http.MethodGet || x.request.Method == http.MethodHead
	isCommon := isRead && status < 400 && took < slowRequest
	switch {
	case !isCommon:
		return 1
	case x.sampled:
		return max(x.cfg.LogSample, 1)
	}
	return 0
}

// logRequest writes the one log line of a request, if it has one. It names the key by its id and the
// path by its pattern. Of a path that no route matched it has the length alone: a mistyped URL can
// be that of a person's profile. So it cannot contain a key, an address, a name, a body or a query value.
func (x *exchange) logRequest(status int) {
	took := x.cfg.Now().Sub(x.began)
	weight := x.lineWeight(status, took)
	if weight == 0 {
		return
	}
	attrs := []slog.Attr{
		slog.String("request_id", x.call.RequestID),
		slog.String("client_request_id", cloud.LogID(x.request.Header.Get("X-Request-Id"))),
		slog.String("client_trace_id", cloud.ReadTraceParent(x.request.Header.Get("Traceparent"))),
		slog.String("version", x.cfg.Version),
		slog.String("method", knownMethod(x.request.Method)),
		slog.Int("status", status),
		slog.Int64("ms", took.Milliseconds()),
		slog.String("key_id", x.call.Caller.KeyID),
		slog.String("environment", x.call.Caller.Environment),
	}
	if x.route != nil {
		attrs = append(attrs, slog.String("operation", x.route.Operation), slog.String("route", x.route.Path))
	} else {
		attrs = append(attrs, slog.Int("path_length", len(x.request.URL.EscapedPath())))
	}
	if x.cfg.LogSample > 1 {
		attrs = append(attrs, slog.Int("weight", weight))
	}
	if x.call.BatchID != "" {
		attrs = append(attrs, slog.String("batch", x.call.BatchID))
	}
	attrs = append(attrs, x.call.Details...)
	if e := x.failure; e != nil {
		attrs = append(attrs, slog.String("code", string(e.Code)))
		if e.Cause != nil {
			attrs = append(attrs, slog.String("cause", e.Cause.Error()))
		}
	}
	if x.stack != nil {
		attrs = append(attrs, slog.String("stack", string(x.stack)))
	}
	level := slog.LevelInfo
	if status >= 500 {
		level = slog.LevelError
	}
	x.cfg.Log.LogAttrs(cloud.Finished(x.request.Context()), level, "request", attrs...)
}

// knownMethod returns the method if it is a common one, and "other" if not.
func knownMethod(m string) string {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return m
	}
	return "other"
}
