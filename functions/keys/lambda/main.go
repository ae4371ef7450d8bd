// Command lambda is the keys function.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"

	"github.com/recruiting-marketplace/external-api/functions/keys"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

func main() {
	service := cloud.Must(keys.New(context.Background(), cloud.FromEnvironment()))
	lambda.Start(service.Invoke)
}
