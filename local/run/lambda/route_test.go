package lambda_test

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
)

// echoFunction returns a function that responds with its name, the route key and the path's variables.
func echoFunction(name string) lambda.HTTPFunction {
	return func(_ context.Context, e request) (response, error) {
		body, err := json.Marshal([]any{name, e.RouteKey, e.PathParameters})
		return response{StatusCode: 200, Body: string(body)}, err
	}
}

var table = []lambda.Route{
	{Method: "GET", Path: "/a/{id}", Function: "f"},
	{Method: "GET", Path: "/a/mine", Function: "g"},
	{Method: "POST", Path: "/a/{id}", Function: "g"},
	{Method: "GET", Path: "/a/{x}/{y}", Function: "g"},
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	functions := map[string]lambda.HTTPFunction{"f": echoFunction("f"), "g": echoFunction("g"), "d": echoFunction("d")}
	plain := startGateway(t, lambda.GatewayConfig{Routes: table, Functions: functions})
	fallback := startGateway(t, lambda.GatewayConfig{
		Routes:    append([]lambda.Route{{Path: "$default", Function: "d"}}, table...),
		Functions: functions,
	})
	tests := []struct{ method, path, want string }{
		{"GET", "/a/1", `["f","GET /a/{id}",{"id":"1"}]`},
		{"GET", "/a/x%20y", `["f","GET /a/{id}",{"id":"x y"}]`},
		{"GET", "/a/mine", `["g","GET /a/mine",null]`},
		{"POST", "/a/mine", `["g","POST /a/{id}",{"id":"mine"}]`},
		{"GET", "/a/b/c", `["g","GET /a/{x}/{y}",{"x":"b","y":"c"}]`},
		{"GET", "/a/x%2Fy", `["g","GET /a/{x}/{y}",{"x":"x","y":"y"}]`},
		{"GET", "/a", ""},
		{"GET", "/a/", ""},
		{"GET", "//a/c", ""},
		{"GET", "/a/b/../c", ""},
		{"PUT", "/a/1", ""},
		{"POST", "/a/b/c", ""},
	}
	for _, tt := range tests {
		status, _, body := doRequest(t, tt.method, plain.URL+tt.path, nil, nil)
		if tt.want == "" && (status != 404 || body != `{"message":"Not Found"}`) || tt.want != "" && body != tt.want {
			t.Errorf("%s %s without $default: got %d %s, want %s", tt.method, tt.path, status, body, tt.want)
		}
		want := tt.want
		if want == "" {
			want = `["d","$default",null]`
		}
		if _, _, body := doRequest(t, tt.method, fallback.URL+tt.path, nil, nil); body != want {
			t.Errorf("%s %s with $default: got %s, want %s", tt.method, tt.path, body, want)
		}
	}
}

// A route of GET is none for HEAD.
func TestHeadIsNoGet(t *testing.T) {
	t.Parallel()
	called := make(chan string, 2)
	record := func(_ context.Context, e request) (response, error) {
		called <- e.RouteKey
		return response{StatusCode: 200}, nil
	}
	server := startGateway(t, lambda.GatewayConfig{
		Routes:    []lambda.Route{{Path: "$default", Function: "f"}, {Method: "GET", Path: "/a/{id}", Function: "f"}},
		Functions: singleFunction(record),
	})
	for method, want := range map[string]string{"GET": "GET /a/{id}", "HEAD": "$default"} {
		doRequest(t, method, server.URL+"/a/1", nil, nil)
		if got := <-called; got != want {
			t.Errorf("%s: got the route %s, want %s", method, got, want)
		}
	}
}

func TestEveryVariableComesBackAsSent(t *testing.T) {
	t.Parallel()
	server := startGateway(t, lambda.GatewayConfig{
		Routes:    []lambda.Route{{Method: "GET", Path: "/v/{a}/{b}", Function: "f"}},
		Functions: singleFunction(echoFunction("f")),
	})
	rapid.Check(t, func(rt *rapid.T) {
		segment := rapid.StringMatching(`[^/\x00]{1,20}`).Filter(func(s string) bool { return s != "." && s != ".." })
		a := segment.Draw(rt, "a")
		b := segment.Draw(rt, "b")
		_, _, body := doRequest(t, "GET", server.URL+"/v/"+url.PathEscape(a)+"/"+url.PathEscape(b), nil, nil)
		var got [3]any
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			rt.Fatalf("%s: %v", body, err)
		}
		want := map[string]any{"a": strings.ToValidUTF8(a, "\ufffd"), "b": strings.ToValidUTF8(b, "\ufffd")}
		if diff := cmp.Diff(want, got[2]); diff != "" {
			rt.Fatalf("variables (-want +got):\n%s", diff)
		}
	})
}
