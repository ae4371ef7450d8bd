package bulk

import (
	"context"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"
)

// WithoutTokens sends transactions without the client token that the SDK gives
// each. What a load writes is a condition on a version, so a repeat changes nothing
// anyhow; and the emulator goes through all tokens of the last ten minutes in every
// transaction, which costs a long load more time than all of its writes.
func WithoutTokens(cfg aws.Config) aws.Config {
	drop := func(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
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
