// Command lambda is the worker that publishes the role catalogue.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/publisher"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	s, err := publisher.New(context.Background(), cloud.FromEnvironment())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(s.Handle)
}
