package system

import (
	"context"
	"sync"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// fillBeforeRoles makes the publisher fill the search domain before the first request for roles,
// and makes its schedule wait until then, so that a system that lists no roles creates no index. If
// the fill fails, the embedded index serves, and the next request tries again.
func (f *functions) fillBeforeRoles() {
	list := f.http[string(contract.Roles)]
	publish := f.publish
	var mu sync.Mutex
	filled := false
	fill := func(ctx context.Context) {
		mu.Lock()
		defer mu.Unlock()
		filled = filled || publish(context.WithoutCancel(ctx)) == nil
	}
	f.http[string(contract.Roles)] = func(ctx context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		fill(ctx)
		return list(ctx, e)
	}
	f.publish = func(ctx context.Context) error {
		mu.Lock()
		isWaiting := !filled
		mu.Unlock()
		if isWaiting {
			return nil
		}
		return publish(ctx)
	}
}
