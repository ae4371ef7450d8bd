package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// newEdgeKey returns a key of an environment, made of its own name.
func newEdgeKey(t *testing.T, environment string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(t.Name()))
	key, err := apikey.Generate(bytes.NewReader(append(sum[:], bytes.Repeat(sum[:], 4)...)), environment)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// edgeHeaders returns Authorization headers: of good keys, in the forms that callers use, and of all
// that is no key.
func edgeHeaders(t *testing.T) (all []string) {
	t.Helper()
	good := newEdgeKey(t, "live")
	all = []string{
		"", "Bearer", "Bearer ", good, "Basic " + good, "Bearer " + good, "bearer  " + good + " ", "BEARER " + good, " Bearer " + good, "Bearer\t" + good,
		"Bearer " + good + " x", "Bearer " + good + ", Bearer " + good, "Bearer " + newEdgeKey(t, "test"), "Bearer " + newEdgeKey(t, "demo"), "Bearer abc", "Bearer rmk_live_",
		"Bearer " + good + "0", "Bearer " + good[:len(good)-1], "Bearer rmk__" + good[9:], "Bearer rmk_LIVE_" + good[9:], "Bearer sk" + good[3:],
		"Bearer rmk_live_" + strings.Repeat("0", 30) + "4M4otN", "Bearer rmk_live_0000000000_0000000000000000000000000", "Bearer " + strings.Repeat("a", 5000),
	}
	for i := range good { // a checksum notices each wrong character
		for _, c := range "0aZ_-" {
			all = append(all, "Bearer "+good[:i]+string(c)+good[i+1:])
		}
	}
	return all
}

// refusalOf returns the code with which the functions refuse a header before they read a table. They
// serve the keys of the canary, too.
func refusalOf(header string) (code contract.Code, message string) {
	defer func() { _ = recover() }() // the table of a possible key, which is none
	_, err := apikey.NewChecker(dynamo.Table{}, []string{"live", "test"}).Authenticate(context.Background(), header, contract.DefaultTier, time.Time{})
	e := fault.As(err)
	return e.Code, e.Message
}

// The edge knows the environments that the functions serve.
func TestTheEdgeServesTheEnvironmentsOfTheFunctions(t *testing.T) {
	tpl := synthDeployed(t).templates["prod-us"]
	served := variablesOf(tpl.findResource(t, "AWS::Lambda::Function", "Platform"))["KEY_ENVIRONMENTS"]
	code, _ := tpl.findResource(t, "AWS::CloudFront::Function", "Limit").Properties["FunctionCode"].(string)
	if want := encodeJSON(strings.Split(served, ",")) + ".includes(parts[1])"; !strings.Contains(code, want) {
		t.Errorf("the edge's function lacks %s", want)
	}
}

// The edge refuses exactly the headers that the functions refuse before they read a table, with
// the same response.
func TestKeysAreCheckedAtTheEdge(t *testing.T) {
	headers := edgeHeaders(t)
	var requests []string
	for _, h := range headers {
		requests = append(requests, fmt.Sprintf(`{uri: %q, headers: {authorization: {value: %q}}}`, contract.BasePath+"/recruiter/roles/r1", h))
	}
	passed := 0
	for i, got := range runLimit(t, requests...) {
		code, message := refusalOf(headers[i])
		if code == "" {
			passed++
			if got.StatusCode != 0 {
				t.Errorf("%q: got %+v; want it to pass", headers[i], got)
			}
			continue
		}
		var envelope contract.ErrorEnvelope
		if err := json.Unmarshal([]byte(got.Body), &envelope); err != nil {
			t.Fatalf("%q: %v, %+v", headers[i], err, got)
		}
		want := contract.ErrorBody{Type: fault.Unauthenticated.Type, Code: code, Message: message, RequestID: "id-1"}
		if got.StatusCode != 401 || envelope.Error != want || got.Headers["www-authenticate"].Value != "Bearer" {
			t.Errorf("%.60q: got %+v; want 401 with %+v", headers[i], got, want)
		}
	}
	if passed < 6 {
		t.Errorf("%d headers passed", passed)
	}
}

// The edge asks for a key on the routes that need one, and on no others.
func TestRoutesThatNeedAKeyAtTheEdge(t *testing.T) {
	var requests []string
	routes := append(slices.Clone(contract.Routes), contract.Route{Operation: "unknown", Method: "GET", Path: "/recruiter"}, contract.Route{Operation: "unknown", Method: "PUT", Path: "/recruiter/roles"})
	for _, r := range routes {
		path := contract.BasePath + regexp.MustCompile(`\{[^}]+\}`).ReplaceAllString(r.Path, "x%20y")
		requests = append(requests, fmt.Sprintf(`{method: %q, uri: %q}`, r.Method, path))
	}
	for i, got := range runLimit(t, requests...) {
		if want := !routes[i].Public() && routes[i].Operation != "unknown"; (got.StatusCode == 401) != want {
			t.Errorf("%s: got %+v; want it to need a key: %t", requests[i], got, want)
		}
	}
}

// What the firewall takes for a key is what the edge does, apart from the checksum and the
// environment, which it cannot check.
func TestTheFirewallKnowsTheShapeOfKeys(t *testing.T) {
	shape := regexp.MustCompile(keyShape)
	for _, h := range edgeHeaders(t) {
		if code, _ := refusalOf(h); code == "" && !shape.MatchString(h) {
			t.Errorf("%q has a key and is limited like one without", h)
		}
	}
	for _, h := range []string{"", "Bearer", "Bearer x", "Bearer rmk_live_short", "Basic " + newEdgeKey(t, "live")} {
		if shape.MatchString(h) {
			t.Errorf("%q passes for a key", h)
		}
	}
}

// API Gateway lets pass the requests with one of the two origin secrets.
func TestTheAuthorizerKnowsTheSecrets(t *testing.T) {
	script := "process.env.ORIGIN_SECRETS = 'one,two'; const exports = {};" + authorizeSource + `
Promise.all(['one', 'two', '', 'one,two', 'three'].map(function (s) { return exports.handler({ identitySource: [s] }); }))
  .then(function (all) { console.log(all.map(function (a) { return a.isAuthorized; }).join()); });`
	run := exec.Command("node", "-e", "(function () {"+script+"})()")
	out, err := run.CombinedOutput()
	if got := strings.TrimSpace(string(out)); err != nil || got != "true,true,false,false,false" {
		t.Errorf("got %s, %v", got, err)
	}
}

// Nothing past the edge reaches a function but the authorizer: each route asks it, it needs the
// header, so that a request without one costs no invocation, and has few instances.
func TestEveryRouteNeedsTheOriginSecret(t *testing.T) {
	eachStage(t, func(t *testing.T, tpl template) {
		authorizers := tpl.resourcesOf("AWS::ApiGatewayV2::Authorizer")
		if hasEdge := len(tpl.resourcesOf("AWS::CloudFront::Distribution")) > 0; !hasEdge {
			if len(authorizers) > 0 {
				t.Error("a stage without an edge asks for its secret")
			}
			return
		}
		a := tpl.findResource(t, "AWS::ApiGatewayV2::Authorizer", "OriginAuthorizer").Properties
		if flatten(a["IdentitySource"]) != `["$request.header.X-Origin-Secret"]` || a["AuthorizerResultTtlInSeconds"] != 3600.0 || a["EnableSimpleResponses"] != true {
			t.Errorf("got %v", a)
		}
		for id, r := range tpl.resourcesOf("AWS::ApiGatewayV2::Route") {
			if r.Properties["AuthorizationType"] != "CUSTOM" || flatten(r.Properties["AuthorizerId"]) != "${OriginAuthorizer}" {
				t.Errorf("%s is open to requests past the edge", id)
			}
		}
		f := tpl.findResource(t, "AWS::Lambda::Function", "Authorizer")
		accepted := strings.Split(variablesOf(f)["ORIGIN_SECRETS"], ",")
		if f.Properties["ReservedConcurrentExecutions"] != float64(authorizerInstances) || len(accepted) != 2 || accepted[0] == accepted[1] {
			t.Errorf("got %v", f.Properties)
		}
	})
}
