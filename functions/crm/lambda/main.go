// Command lambda is the crm function.
package main

import (
	"context"

	"github.com/recruiting-marketplace/external-api/functions/crm"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
)

func main() { lambdahttp.Start(context.Background(), crm.New) }
