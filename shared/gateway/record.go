package gateway

import (
	"log/slog"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// logRequest writes the one log line of a request. It names the key by its id and the
// path by its pattern. Of a path that no route matched it has the length alone: a mistyped URL can
// be that of a person's profile. So it cannot contain a key, an address, a name, a body or a query value.
func (x *exchange) logRequest(status int) {
	took := x.cfg.Now().Sub(x.began)
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
	if x.call.BatchID != "" {
		attrs = append(attrs, slog.String("batch", x.call.BatchID))
	}
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
