// Command reads serves the functions roles and crm in one process over plain HTTP, for stages with so many
// requests that a container costs less than a gateway and an invocation each. The deployment leads the paths
// of recruiters and agencies here. None of their requests has a body of more than a few bytes.
package main

import (
	"context"
	"net/http"

	"github.com/recruiting-marketplace/external-api/functions/crm"
	"github.com/recruiting-marketplace/external-api/functions/platform"
	"github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway"
	"github.com/recruiting-marketplace/external-api/shared/gateway/containerhttp"
)

func main() { containerhttp.Start(open) }

// open opens the functions. Platform serves the members of agencies, and responds to unknown paths.
func open(ctx context.Context, h cloud.Host) (http.Handler, error) {
	var all []http.Handler
	for _, open := range []func(context.Context, cloud.Host) (http.Handler, error){platform.New, roles.New, crm.New} {
		handler, err := open(ctx, h)
		if err != nil {
			return nil, err
		}
		all = append(all, handler)
	}
	return gateway.Join(all...), nil
}
