package system

import (
	"context"
	"net/http"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Functions holds the functions of [Start], for tests that call each one directly and run no
// poller.
type Functions struct {
	// API is the gateway in front of HTTP, the functions by name.
	API    http.Handler
	HTTP   map[string]lambda.HTTPFunction
	Ingest lambda.SQSFunction
	Feed   lambda.SQSFunction
	Sweep  func(context.Context) error
	// Publish publishes the role catalogue, as its schedule does. PublishCRMs publishes the CRMs
	// that the queue's notices name.
	Publish     func(context.Context) error
	PublishCRMs lambda.SQSFunction
}

// Permitted returns the host for a function that [Start] does not run.
var Permitted = permittedHost

// OpenFunctions constructs the functions as [Start] does with [Options.FillSearch].
func OpenFunctions(ctx context.Context, h cloud.Host) (Functions, error) {
	return OpenFunctionsWithContext(ctx, h, func(ctx context.Context) context.Context { return ctx })
}

// OpenFunctionsWithContext is like [OpenFunctions], but derives the context of every HTTP
// invocation with newContext, so that it may end sooner.
func OpenFunctionsWithContext(ctx context.Context, h cloud.Host, newContext func(context.Context) context.Context) (Functions, error) {
	f, err := newFunctions(ctx, h)
	if err != nil {
		return Functions{}, err
	}
	publish := f.publish
	if h.Getenv(topology.SettingSearchURL) != "" {
		f.fillBeforeRoles()
	}
	for name, function := range f.http {
		f.http[name] = func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
			return function(newContext(ctx), e)
		}
	}
	api, err := f.newGateway(h)
	return Functions{API: api, HTTP: f.http, Ingest: f.ingest, Feed: f.feed, Sweep: f.sweep, Publish: publish, PublishCRMs: f.publishCRMs}, err
}
