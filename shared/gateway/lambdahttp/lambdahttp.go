// Package lambdahttp puts an http.Handler behind an API Gateway HTTP API: it
// turns a v2 event into a request and the response into what Lambda returns,
// through httpadapter.
//
// It corrects what API Gateway and the adapter (v0.16.2) do to a request: the path of
// an event is already decoded and would be parsed again, headers would be split on
// commas, and a request that cannot be converted would fail the whole invocation. It
// knows nothing of the API itself.
package lambdahttp

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
)

// Func is what lambda.Start takes.
type Func func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)

// answerTime is the part of an invocation's time that is kept to send the response.
const answerTime = 500 * time.Millisecond

// Handler returns a function that serves events with h. Its error is always nil: a
// request that cannot be converted gets h's response to an unknown path.
func Handler(h http.Handler) Func {
	return func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		if deadline, ok := ctx.Deadline(); ok {
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, deadline.Add(-answerTime))
			defer cancel()
		}
		answer, err := proxyEvent(ctx, h, escapeEvent(e))
		if err != nil {
			slog.ErrorContext(ctx, "event is no request",
				"request_id", e.RequestContext.RequestID, "trace_id", cloud.TraceOf(ctx), "cause", err)
			answer, err = proxyEvent(ctx, h, unknownPathEvent(e))
		}
		if err != nil {
			return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusServiceUnavailable}, nil
		}
		return answer, nil
	}
}

// proxyEvent runs the adapter and returns a panic as an error. The adapter would print
// what it cannot convert, so such an event never reaches it. No error quotes anything of the event.
func proxyEvent(ctx context.Context, h http.Handler, e events.APIGatewayV2HTTPRequest) (answer events.APIGatewayV2HTTPResponse, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w\n%s", cloud.Panicked(v), debug.Stack())
		}
	}()
	body, ok := bodyText(e)
	if !ok {
		return answer, errors.New("the body is no base64")
	}
	target := "https://" + e.RequestContext.DomainName + e.RawPath + "?" + e.RawQueryString
	if _, err := http.NewRequestWithContext(ctx, strings.ToUpper(e.RequestContext.HTTP.Method), target, nil); err != nil {
		return answer, errors.New("the method or the address is none")
	}
	e.Body = ""
	e.IsBase64Encoded = false
	answer, err = httpadapter.NewV2(asSent(h, e, body)).ProxyWithContext(ctx, e)
	if err != nil { // the adapter's may quote the request
		err = fmt.Errorf("%T", err)
	}
	return answer, err
}

// asSent passes h method and headers as the event has them, and the body. API Gateway
// has joined repeated headers with commas; the adapter splits them and trims each
// part, which would change an Idempotency-Key that contains a comma. It would also
// copy the body, which may be 12 MB, and make every method one of capitals.
func asSent(h http.Handler, e events.APIGatewayV2HTTPRequest, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Method = e.RequestContext.HTTP.Method
		for name, value := range e.Headers {
			r.Header.Set(name, value)
		}
		if body != "" {
			r.Body = gateway.NewStringBody(body)
			r.ContentLength = int64(len(body))
		}
		h.ServeHTTP(w, r)
	})
}

// bodyText returns the body of an event; false if it cannot be decoded.
func bodyText(e events.APIGatewayV2HTTPRequest) (string, bool) {
	if !e.IsBase64Encoded {
		return e.Body, true
	}
	var b strings.Builder
	b.Grow(base64.StdEncoding.DecodedLen(len(e.Body)))
	_, err := io.Copy(&b, base64.NewDecoder(base64.StdEncoding, strings.NewReader(e.Body)))
	return b.String(), err == nil
}

// escapeEvent escapes the path and the query, which the adapter parses again.
func escapeEvent(e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPRequest {
	path := e.RawPath
	if path == "" {
		path = e.RequestContext.HTTP.Path
	}
	e.RawPath = (&url.URL{Path: path}).EscapedPath()
	e.RawQueryString = escapeQuery(e.RawQueryString)
	return e
}

// escapeQuery encodes the bytes that end a query or make a URL unreadable and
// leaves everything else as it was sent.
func escapeQuery(q string) string {
	var b strings.Builder
	for i := range len(q) {
		if c := q[i]; c <= ' ' || c == '#' || c >= 0x7f {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// unknownPathEvent returns a request to an unknown path from the same caller.
func unknownPathEvent(e events.APIGatewayV2HTTPRequest) events.APIGatewayV2HTTPRequest {
	var u events.APIGatewayV2HTTPRequest
	u.RawPath = "/"
	u.Headers = e.Headers
	u.RequestContext.DomainName = "unreadable.invalid"
	u.RequestContext.HTTP.Method = http.MethodGet
	u.RequestContext.HTTP.SourceIP = e.RequestContext.HTTP.SourceIP
	return u
}

// Start is the main of an HTTP function: it opens the function with the settings
// of the process's environment and serves its events until the process ends. While it opens
// the function, it opens the connection that every request needs first.
func Start(ctx context.Context, open func(context.Context, cloud.Host) (http.Handler, error)) {
	host := cloud.FromEnvironment()
	warm := make(chan struct{})
	go func() {
		defer close(warm)
		host.Warm(ctx, topology.Accounts)
	}()
	h := cloud.Must(open(ctx, host))
	<-warm
	lambda.StartWithOptions(Handler(h), lambda.WithContext(ctx))
}
