// Command lambda is the worker that publishes the role catalogue.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	service := cloud.Must(publisher.New(context.Background(), cloud.FromEnvironment()))
	lambda.Start(service.Handle)
}
