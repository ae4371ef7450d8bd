// Command lambda is the ingest worker.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/ingest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	s, err := ingest.New(context.Background(), cloud.FromEnvironment())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(s.Handle)
}
