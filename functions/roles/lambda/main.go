// Command lambda is the roles function.
package main

import (
	"context"

	"github.com/recruiting-marketplace/external-api/functions/roles"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
)

func main() { lambdahttp.Start(context.Background(), roles.New) }
