// Command uploads serves the handlers of package submissions over plain HTTP, for
// the bodies that Lambda does not accept: up to the contract's 12 MB, with a length
// or chunked. The deployment leads the upload paths here and nothing else.
//
// It knows how many bodies fit into its memory, how many of them are handled at a time and how many one
// caller may have. The gateway decides on a request's meaning, limits and response.
package main

import (
	"context"
	"net/http"

	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/gateway/containerhttp"
)

func main() {
	containerhttp.Start(func(ctx context.Context, h cloud.Host) (http.Handler, error) {
		handlers, err := submissions.New(ctx, h)
		if err != nil {
			return nil, err
		}
		return limitRequests(handlers, h.Now), nil
	})
}
