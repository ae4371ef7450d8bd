package bulk

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// WithoutTokens returns a configuration that sends transactions without the client
// token that the SDK adds. The writes of a load are conditional on a version, so a
// repeat changes nothing; and the emulator searches all tokens of the last ten minutes
// in every transaction, which takes more time in a long load than all of its writes.
func WithoutTokens(cfg aws.Config) aws.Config {
	drop := func(
		ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
	) (middleware.InitializeOutput, middleware.Metadata, error) {
		if tx, ok := in.Parameters.(*dynamodb.TransactWriteItemsInput); ok {
			tx.ClientRequestToken = nil
		}
		return next.HandleInitialize(ctx, in)
	}
	cfg.APIOptions = append(slices.Clone(cfg.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("WithoutTokens", drop), middleware.After)
	})
	return cfg
}
