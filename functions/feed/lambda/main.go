// Command lambda is the feed worker.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	service := cloud.Must(feed.New(context.Background(), cloud.FromEnvironment()))
	lambda.Start(service.Handle)
}
