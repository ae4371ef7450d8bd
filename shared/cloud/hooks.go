package cloud

import (
	"context"
	"fmt"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/smithy-go/middleware"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// Call names one attempt of an AWS call to a Hook.
type Call struct {
	// Service is the SDK's name of the service: "DynamoDB", "SQS" or "S3".
	Service string
	// Operation is the API's name of the call, as "UpdateItem".
	Operation string
	// Input is the operation's input, as *dynamodb.UpdateItemInput. It is read only.
	Input any
}

// Hook wraps one attempt of an AWS call, inside the SDK's retries. It decides the fate of
// the attempt:
//
//	return send()                                // observe or count it
//	wait(); return send()                        // delay it
//	return err                                   // fail it before it was sent
//	send(); return err                           // let it happen and lose the answer
//	send(); return send()                        // let it happen twice
//
// The SDK retries an error that has a method RetryableError() bool returning
// true (and the network's errors); any other ends the call. A hook is called by
// several goroutines at once.
type Hook func(ctx context.Context, call Call, send func() error) error

// WithHook returns cfg with the hook around every attempt of every client made from it.
// The first hook is the outermost. Budgets and faults are tested with it; a deployment
// has none.
func WithHook(cfg aws.Config, hook Hook) aws.Config {
	cfg.APIOptions = append(slices.Clone(cfg.APIOptions), func(stack *middleware.Stack) error {
		id := fmt.Sprintf("Hook%d", len(stack.Finalize.List())) // unique within a stack
		return stack.Finalize.Insert(middleware.FinalizeMiddlewareFunc(id, hook.aroundAttempt), "ResolveAuthScheme", middleware.Before)
	})
	return cfg
}

// aroundAttempt runs the hook; each send is a fresh copy of the request, since sending consumes one.
func (h Hook) aroundAttempt(
	ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler,
) (out middleware.FinalizeOutput, meta middleware.Metadata, err error) {
	request := in.Request.(*smithyhttp.Request)
	call := Call{
		Service:   awsmiddleware.GetServiceID(ctx),
		Operation: awsmiddleware.GetOperationName(ctx),
		Input:     callOf(ctx).input,
	}
	err = h(ctx, call, func() error {
		err := request.RewindStream()
		if err == nil {
			out, meta, err = next.HandleFinalize(ctx, middleware.FinalizeInput{Request: request.Clone()})
		}
		return err
	})
	return out, meta, err
}
