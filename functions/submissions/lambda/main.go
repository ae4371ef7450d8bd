// Command lambda is the submissions function.
package main

import (
	"context"

	"github.com/recruiting-marketplace/external-api/functions/submissions"
	"github.com/recruiting-marketplace/external-api/shared/gateway/lambdahttp"
)

func main() { lambdahttp.Start(context.Background(), submissions.New) }
