package lambdahttp

import (
	"context"
	"net/http"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

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
