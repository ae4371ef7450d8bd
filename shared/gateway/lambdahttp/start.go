package lambdahttp

import (
	"context"
	"log"
	"net/http"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// Start is the main of an HTTP function: it opens the function in the process's
// own environment and serves its events for ever.
func Start(ctx context.Context, open func(context.Context, cloud.Host) (http.Handler, error)) {
	h, err := open(ctx, cloud.FromEnvironment())
	if err != nil {
		log.Fatal(err)
	}
	lambda.StartWithOptions(Handler(h), lambda.WithContext(ctx))
}
