// Command lambda is the platform function.
package main

import (
	"context"

	"github.com/recruiting-marketplace/external-api/functions/platform"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
)

func main() { lambdahttp.Start(context.Background(), platform.New) }
