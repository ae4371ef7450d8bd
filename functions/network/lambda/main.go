// Command lambda is the network function.
package main

import (
	"context"

	"github.com/recruiting-marketplace/external-api/functions/network"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
)

func main() { lambdahttp.Start(context.Background(), network.New) }
