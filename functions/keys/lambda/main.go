// The keys function on AWS Lambda.
package main

import (
	"context"
	"log"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	service, err := keys.New(context.Background(), cloud.FromEnvironment())
	if err != nil {
		log.Fatal(err)
	}
	lambda.Start(service.Invoke)
}
