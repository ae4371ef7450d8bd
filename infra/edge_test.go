package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// edgeAnswer is what the CloudFront function returns: a request, or a response.
type edgeAnswer struct {
	// Origin is the id of the origin that it has selected, if any.
	Origin     string
	URI        string
	StatusCode int
	Body       string
	Headers    map[string]struct{ Value string }
}

// edgeStage is the production stage.
func edgeStage(t *testing.T) Stage {
	t.Helper()
	context, err := cdkContext()
	if err != nil {
		t.Fatal(err)
	}
	s, err := parseStage("prod-us", context["stages"].(map[string]any)["prod-us"])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// runLimit runs the CloudFront function of a stage, in Node, on requests, which are JSON.
func runLimit(t *testing.T, requests ...string) (answers []edgeAnswer) {
	t.Helper()
	code, found := strings.CutPrefix(edgeStage(t).limitCode(), "import cf from 'cloudfront';")
	if !found || len(code) > 10_000 {
		t.Fatalf("the function has %d bytes, or does not begin with its import", len(code))
	}
	script := "'use strict'; let origin; const cf = { selectRequestOriginById: function (id) { origin = id; } };" + code + `
console.log(JSON.stringify([` + strings.Join(requests, ",") + `].map(function (r) {
  origin = '';
  const out = handler({ context: { requestId: 'id-1' }, request: Object.assign({ method: 'GET', uri: '/x', headers: {}, querystring: {}, cookies: {} }, r) });
  return Object.assign({ origin: origin }, out);
})));`
	run := exec.Command("node", "-")
	run.Stdin = strings.NewReader(script)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// The edge accepts 12 MB and refuses one byte more.
func TestLargeBodiesAreRefusedAtTheEdge(t *testing.T) {
	answers := runLimit(t, `{}`, `{headers: {'content-length': {value: '12582912'}}}`, `{headers: {'content-length': {value: '12582913'}}}`)
	if answers[0].URI != "/x" || answers[1].URI != "/x" {
		t.Errorf("a body within the limit does not pass: %+v", answers)
	}
	if a := answers[2]; a.StatusCode != 413 || strings.Contains(a.Body, "{") || a.Headers["content-type"].Value != "text/plain; charset=utf-8" || a.Headers["x-request-id"].Value != "" {
		t.Errorf("got %+v; want the plain 413", a)
	}
}

// Headers, cookies, queries and paths that are too large for API Gateway are refused at the edge
// with the contract's envelope. The limit leaves a kilobyte for the headers that CloudFront adds.
func TestLargeHeadersAreRefusedAtTheEdge(t *testing.T) {
	const gatewayLimit, added = 10240, 1024
	long := func(in string, size int) string { return fmt.Sprintf(in, strings.Repeat("a", size)) }
	for _, in := range []string{
		`{headers: {'x-long': {value: '%s'}}}`, `{headers: {'x-long': {multiValue: [{value: 'a'}, {value: '%s'}]}}}`,
		`{querystring: {long: {value: '%s'}}}`, `{cookies: {long: {value: '%s'}}}`, `{uri: '/%s'}`,
	} {
		answers := runLimit(t, long(in, 8192), long(in, gatewayLimit-added))
		if answers[0].StatusCode != 0 {
			t.Errorf("%s of 8 KB: got %+v; want it to pass", in, answers[0])
		}
		var envelope contract.ErrorEnvelope
		refused := answers[1]
		if err := json.Unmarshal([]byte(refused.Body), &envelope); err != nil || refused.StatusCode != 431 {
			t.Fatalf("%s of 9 KB: got %+v, %v; want 431", in, refused, err)
		}
		if e := envelope.Error; e.Type != fault.Invalid.Type || e.Message == "" || e.RequestID != "id-1" || refused.Headers["x-request-id"].Value != e.RequestID {
			t.Errorf("got %+v", refused)
		}
	}
}

// When an origin gives no response, CloudFront sends that of platform with the origin's status. No
// error is cached: a cached one would be sent to every caller.
func TestPlatformRespondsForFailedOrigins(t *testing.T) {
	config := synthDeployed(t).templates["prod-us"].findResource(t, "AWS::CloudFront::Distribution", "Edge").Properties["DistributionConfig"].(map[string]any)
	shaped := map[float64]bool{}
	cached := map[float64]bool{400: true, 403: true, 404: true, 405: true, 414: true, 416: true, 500: true, 501: true, 502: true, 503: true, 504: true}
	for _, e := range asArray(config["CustomErrorResponses"]) {
		row := e.(map[string]any)
		code := row["ErrorCode"].(float64)
		cached[code] = cached[code] && row["ErrorCachingMinTTL"] != float64(0)
		shaped[code] = row["ResponsePagePath"] == topology.UnavailablePath
		if shaped[code] && row["ResponseCode"] != code {
			t.Errorf("%v becomes %v", code, row["ResponseCode"])
		}
	}
	for code, is := range cached {
		if ours := code == 502 || code == 503 || code == 504; is || shaped[code] != ours {
			t.Errorf("%v: cached %v, shaped %v; want it not cached, and shaped only where the API has no response of its own", code, is, shaped[code])
		}
	}
}

// A hundred addresses at the firewall's limit stay within the gateway's, whose response cannot be
// customized.
func TestTheFirewallRefusesBeforeTheGateway(t *testing.T) {
	context, err := cdkContext()
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range context["stages"].(map[string]any) {
		s, err := parseStage(name, row)
		if err != nil {
			t.Fatal(err)
		}
		if perSecond := s.RequestsPerAddress / 300; s.Edge && (100*perSecond > s.RequestsPerSecond || 10*requestsPerKey > s.RequestsPerAddress) {
			t.Errorf("%s: a hundred addresses at %d requests a second exceed the gateway's %d, or ten keys their address's", s.Name, perSecond, s.RequestsPerSecond)
		}
	}
}

// Callers cannot bypass the edge: CloudFront sends the secret to every origin, and every
// function that serves HTTP requires one of two secrets.
func TestOriginsAreShownTheSecret(t *testing.T) {
	tpl := synthDeployed(t).templates["prod-us"]
	config := tpl.findResource(t, "AWS::CloudFront::Distribution", "Edge").Properties["DistributionConfig"].(map[string]any)
	origins := config["Origins"].([]any)
	if len(origins) != 2 {
		t.Errorf("got %d origins; want the API and the uploads", len(origins))
	}
	for _, o := range origins {
		if text := flatten(o.(map[string]any)["OriginCustomHeaders"]); !strings.Contains(text, "X-Origin-Secret") || !strings.Contains(text, "resolve:secretsmanager:rmk/prod-us/origin-a:") {
			t.Errorf("an origin is shown %s", text)
		}
	}
	for _, r := range tpl.resourcesOf("AWS::Lambda::Function") {
		env := variablesOf(r)
		if env[topology.SettingKeyEnvironments] == "" || env[topology.SettingFunction] == topology.Keys.Name {
			continue
		}
		accepted := strings.Split(env[topology.SettingOriginSecrets], ",")
		if len(accepted) != 2 || accepted[0] == accepted[1] || !strings.Contains(accepted[1], "resolve:secretsmanager") {
			t.Errorf("%s accepts %q", env[topology.SettingFunction], accepted)
		}
	}
}

// Of the two upload paths, large bodies and those without a length lead to the container; all
// other requests lead to the API.
func TestLargeUploadsLeadToTheContainer(t *testing.T) {
	config := synthDeployed(t).templates["prod-us"].findResource(t, "AWS::CloudFront::Distribution", "Edge").Properties["DistributionConfig"].(map[string]any)
	api := "api"
	container := ""
	origins := map[string]bool{}
	for _, o := range asArray(config["Origins"]) {
		origins[o.(map[string]any)["Id"].(string)] = o.(map[string]any)["VpcOriginConfig"] != nil
	}
	paths := map[string]bool{}
	for _, v := range asArray(config["CacheBehaviors"]) {
		b := v.(map[string]any)
		container = b["TargetOriginId"].(string)
		paths[b["PathPattern"].(string)] = true
	}
	if isContainer, found := origins[api]; !found || isContainer || !origins[container] || config["DefaultCacheBehavior"].(map[string]any)["TargetOriginId"] != api {
		t.Fatalf("the behaviours lead to %s by default and to %s, of the origins %v", api, container, origins)
	}
	for _, r := range contract.Routes {
		upload := r.Operation == "uploadResume" || r.Operation == "submitCandidate"
		if paths[contract.BasePath+r.Path] != upload {
			t.Errorf("%s: leads to the container: %v", r.Operation, !upload)
		}
	}
	const small, large = `{'content-length': {value: '4194304'}, `, `{'content-length': {value: '4194305'}, `
	for path := range paths {
		request := `{method: 'POST', uri: '` + path + `', headers: %sauthorization: {value: 'Bearer ` + newEdgeKey(t, "live") + `'}}}`
		answers := runLimit(t, fmt.Sprintf(request, small), fmt.Sprintf(request, large), fmt.Sprintf(request, "{"))
		for i, want := range []string{api, "", ""} {
			if answers[i].StatusCode != 0 || answers[i].Origin != want {
				t.Errorf("%s, request %d: got %+v; want the origin %q", path, i, answers[i], want)
			}
		}
	}
	if len(paths) != len(topology.UploadOperations) {
		t.Errorf("got %v", paths)
	}
}

// The container is reachable only from the load balancer, and the load balancer only from
// its own network.
func TestUploadsAreNotReachable(t *testing.T) {
	tpl := synthDeployed(t).templates["prod-us"]
	if balancer := tpl.findResource(t, "AWS::ElasticLoadBalancingV2::LoadBalancer", "Balancer"); balancer.Properties["Scheme"] != "internal" {
		t.Errorf("got %v", balancer.Properties)
	}
	for id, r := range tpl.resourcesOf("AWS::EC2::SecurityGroup") {
		for _, in := range asArray(r.Properties["SecurityGroupIngress"]) {
			if text := flatten(in); strings.Contains(text, "0.0.0.0/0") || strings.Contains(text, "::/0") {
				t.Errorf("%s is open to every address: %s", id, text)
			}
		}
	}
	for id, r := range tpl.resourcesOf("AWS::EC2::SecurityGroupIngress") {
		if !strings.Contains(flatten(r.Properties["SourceSecurityGroupId"]), "BalancerGroup") {
			t.Errorf("%s: got %v", id, r.Properties)
		}
	}
}

func asArray(v any) []any {
	all, _ := v.([]any)
	return all
}
