// Command lambda is the ingest worker.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/ingest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	service := cloud.Must(ingest.New(context.Background(), cloud.FromEnvironment()))
	lambda.Start(service.Handle)
}
