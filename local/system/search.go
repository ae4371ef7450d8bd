package system

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// fillBeforeRoles lets the publisher fill the search domain before the first request for roles,
// and publish nothing before that, so that a system without such requests creates no index.
func (f *functions) fillBeforeRoles() {
	list, publish, filled := f.http[string(contract.Roles)], f.publish, &atomic.Bool{}
	fill := sync.OnceValue(func() error {
		defer filled.Store(true)
		return publish(context.Background())
	})
	f.http[string(contract.Roles)] = func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		if err := fill(); err != nil {
			return events.APIGatewayV2HTTPResponse{}, err
		}
		return list(ctx, e)
	}
	f.publish = func(ctx context.Context) error {
		if !filled.Load() {
			return nil
		}
		return publish(ctx)
	}
}
