// Command echo is a function for the tests of Runtime: it does what its event says.
package main

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

type event struct{ Do, Text string }

func main() {
	lambda.Start(func(ctx context.Context, e event) (map[string]string, error) {
		switch e.Do {
		case "fail":
			return nil, errors.New("failed as told")
		case "exit":
			os.Exit(3)
		case "hang":
			time.Sleep(time.Hour)
		}
		own, _ := lambdacontext.FromContext(ctx)
		deadline, ok := ctx.Deadline()
		return map[string]string{
			"text": e.Text, "id": own.AwsRequestID, "setting": os.Getenv("SETTING"), "home": os.Getenv("HOME"),
			"late": map[bool]string{true: "no", false: "yes"}[ok && time.Until(deadline) > 0],
		}, nil
	})
}
