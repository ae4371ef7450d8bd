package system

import (
	"context"
	"sync"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// fillBeforeRoles makes the publisher fill the search domain before the first request for roles. It
// returns the function of the publisher's schedule, which waits until then, so that a system that lists
// no roles creates no index. If the fill fails, the embedded index serves, and the next request tries again.
func (f *Functions) fillBeforeRoles() (publishAgain func(context.Context) error) {
	list := f.HTTP[string(contract.Roles)]
	var mu sync.Mutex
	filled := false
	fill := func(ctx context.Context) {
		mu.Lock()
		defer mu.Unlock()
		filled = filled || f.Publish(context.WithoutCancel(ctx)) == nil
	}
	f.HTTP[string(contract.Roles)] = func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		fill(ctx)
		return list(ctx, e)
	}
	return func(ctx context.Context) error {
		mu.Lock()
		isWaiting := !filled
		mu.Unlock()
		if isWaiting {
			return nil
		}
		return f.Publish(ctx)
	}
}
