// Command lambda is the sweeper, run by the schedule.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	service := cloud.Must(sweep.New(context.Background(), cloud.FromEnvironment()))
	lambda.Start(service.Handle)
}
