package lambda

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	awslambda "github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"
)

// TestMain runs this test binary as a function if a [Runtime] has started it.
func TestMain(m *testing.M) {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		runEcho()
		return
	}
	os.Exit(m.Run())
}

type echoEvent struct{ Do, Text string }

// runEcho is a function that does what its event says.
func runEcho() {
	awslambda.Start(func(ctx context.Context, e echoEvent) (map[string]string, error) {
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
