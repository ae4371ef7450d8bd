package gateway

import (
	"cmp"
	"log/slog"
	"strings"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// logRequest writes the one log line of a request. It names the key by its id and the
// path by its pattern, or by [loggedPath] if no route matched, so it cannot contain a key, an
// address, a body or a query value.
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
	}
	if x.route != nil {
		attrs = append(attrs, slog.String("operation", x.route.Operation), slog.String("route", x.route.Path))
	} else {
		attrs = append(attrs, slog.String("path", loggedPath(x.request.URL.Path)))
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

// maxLoggedSegments is more than any path of the contract has.
const maxLoggedSegments = 12

// loggedPath returns the path of a request that no route matched, so that a mistyped one can be
// found: segments that a log may not hold ([cloud.LogID]) are "*".
func loggedPath(path string) string {
	segments := splitPath(path)
	for i, s := range segments[:min(len(segments), maxLoggedSegments)] {
		if s != "" {
			segments[i] = cmp.Or(cloud.LogID(s), "*")
		}
	}
	if len(segments) > maxLoggedSegments {
		segments = append(segments[:maxLoggedSegments], "*")
	}
	return strings.Join(segments, "/")
}

// knownMethod returns the method if it is a common one, and "other" if not.
func knownMethod(m string) string {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return m
	}
	return "other"
}
