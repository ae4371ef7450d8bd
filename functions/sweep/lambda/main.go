// Command lambda is the sweeper, run by the schedule.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/sweep"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	s, err := sweep.New(context.Background(), cloud.FromEnvironment())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(s.Handle)
}
