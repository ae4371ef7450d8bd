// Package lambdahttp puts an http.Handler behind an API Gateway HTTP API: it
// turns a v2 event into a request and the response into what Lambda returns.
//
// Of httpadapter it uses only the cookies, the caller's address, the context and the response. It converts
// the rest of the request itself, as the adapter (v0.16.2) would parse the path again, which is already
// decoded, split headers on commas, copy the body, and fail the whole invocation for a request that it
// cannot convert. It knows nothing of the API itself.
package lambdahttp

import (
	"cmp"
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
		answer, err := proxyEvent(ctx, h, e)
		if err != nil {
			slog.ErrorContext(ctx, "event is not a request",
				"request_id", e.RequestContext.RequestID, "trace_id", cloud.TraceOf(ctx), "cause", err)
			unknown := events.APIGatewayV2HTTPRequest{RawPath: "/", Headers: e.Headers}
			unknown.RequestContext.HTTP.Method = http.MethodGet
			unknown.RequestContext.HTTP.SourceIP = e.RequestContext.HTTP.SourceIP
			answer, err = proxyEvent(ctx, h, unknown)
		}
		if err != nil {
			return events.APIGatewayV2HTTPResponse{StatusCode: http.StatusServiceUnavailable}, nil
		}
		return answer, nil
	}
}

// proxyEvent runs the adapter and returns a panic as an error. No error quotes anything of the event.
func proxyEvent(ctx context.Context, h http.Handler, e events.APIGatewayV2HTTPRequest) (answer events.APIGatewayV2HTTPResponse, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%w\n%s", cloud.Panicked(v), debug.Stack())
		}
	}()
	body := e.Body
	if e.IsBase64Encoded {
		var b strings.Builder
		b.Grow(base64.StdEncoding.DecodedLen(len(e.Body)))
		if _, err := io.Copy(&b, base64.NewDecoder(base64.StdEncoding, strings.NewReader(e.Body))); err != nil {
			return answer, errors.New("the body is not base64")
		}
		body = b.String()
	}
	var converted events.APIGatewayV2HTTPRequest // the part of the event that the adapter converts as it should
	converted.RequestContext.HTTP.SourceIP = e.RequestContext.HTTP.SourceIP
	converted.Cookies = e.Cookies
	return httpadapter.NewV2(asSent(h, e, body)).ProxyWithContext(ctx, converted)
}

// asSent passes h the method, the address and the headers as the event has them, and the body. API Gateway has
// joined repeated headers with commas: split, an Idempotency-Key that contains a comma would be another one.
func asSent(h http.Handler, e events.APIGatewayV2HTTPRequest, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Method = e.RequestContext.HTTP.Method
		r.Host = e.RequestContext.DomainName
		path := "/" + strings.TrimPrefix(cmp.Or(e.RawPath, e.RequestContext.HTTP.Path), "/")
		r.URL = &url.URL{Scheme: "https", Host: r.Host, Path: path, RawQuery: e.RawQueryString}
		r.RequestURI = r.URL.RequestURI()
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
