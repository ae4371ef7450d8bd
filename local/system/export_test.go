package system

import (
	"context"
	"net/http"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/local/lambda"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Functions are the functions of [Start], for tests that call each directly.
type Functions struct {
	// API is the gateway in front of HTTP, the functions by name.
	API    http.Handler
	HTTP   map[string]lambda.HTTPFunction
	Ingest func(context.Context, events.SQSEvent) (events.SQSEventResponse, error)
	Sweep  func(context.Context) error
	// Publish runs the catalog worker.
	Publish func(context.Context) error
}

// Permitted returns the host for a function that [Start] does not run.
var Permitted = permittedHost

// OpenFunctions constructs the functions as [Start] does.
func OpenFunctions(ctx context.Context, h cloud.Host) (Functions, error) {
	f, err := newFunctions(ctx, h)
	if err != nil {
		return Functions{}, err
	}
	api, err := f.newGateway(h)
	return Functions{API: api, HTTP: f.http, Ingest: f.ingest, Sweep: f.sweep, Publish: f.publish}, err
}
