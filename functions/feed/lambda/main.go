// Command lambda is the feed worker.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	s, err := feed.New(context.Background(), cloud.FromEnvironment())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(s.Handle)
}
