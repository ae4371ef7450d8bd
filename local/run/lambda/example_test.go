package lambda_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
)

// A gateway sends the requests of each route to a function, with the variables of the
// path in the event, and responds itself where no route matches.
func ExampleGateway() {
	gateway, err := lambda.NewGateway(lambda.GatewayConfig{
		Routes: []lambda.Route{{Method: "GET", Path: "/batches/{batchId}", Function: "submissions"}},
		Functions: map[string]lambda.HTTPFunction{
			"submissions": func(_ context.Context, e events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
				return events.APIGatewayV2HTTPResponse{StatusCode: 200, Body: e.RouteKey + " " + e.PathParameters["batchId"]}, nil
			},
		},
		Now:     time.Now,
		NewID:   func() string { return "request-1" },
		Timeout: lambda.MaxWait,
		Failed:  func(function string, err error) { fmt.Println(function, err) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, path := range []string{"/batches/42", "/batches"} {
		response := httptest.NewRecorder()
		gateway.ServeHTTP(response, httptest.NewRequest(http.MethodGet, path, nil))
		fmt.Println(response.Code, response.Body)
	}
	// Output:
	// 200 GET /batches/{batchId} 42
	// 404 {"message":"Not Found"}
}

// A table of routes with a mistake is refused.
func ExampleNewGateway() {
	echo := func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return events.APIGatewayV2HTTPResponse{StatusCode: 204}, nil
	}
	_, err := lambda.NewGateway(lambda.GatewayConfig{
		Routes: []lambda.Route{
			{Method: "GET", Path: "/batches/{batchId}", Function: "submissions"},
			{Method: "GET", Path: "/roles", Function: "roles"},
		},
		Functions: map[string]lambda.HTTPFunction{"submissions": echo},
	})
	fmt.Println(err)
	// Output:
	// route GET /roles names a function that is not given: roles
}
