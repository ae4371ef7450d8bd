// Command lambda is the canary, run by the schedule.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/canary"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	service := cloud.Must(canary.New(context.Background(), cloud.FromEnvironment()))
	lambda.Start(service.Handle)
}
