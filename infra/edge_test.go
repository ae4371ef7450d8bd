package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The CloudFront function, run by Node, accepts 12 MB and refuses one byte more.
func TestLimitAtTheEdge(t *testing.T) {
	script := limitCode() + `
var ask = function (headers) { return handler({ request: { headers: headers, uri: '/x' } }); };
console.log(JSON.stringify([ask({}), ask({ 'content-length': { value: '12582912' } }), ask({ 'content-length': { value: '12582913' } })]));`
	run := exec.Command("node", "-e", script)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	out, err := run.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	var answers []struct {
		URI        string
		StatusCode int
		Body       string
		Headers    map[string]struct{ Value string }
	}
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	if answers[0].URI != "/x" || answers[1].URI != "/x" {
		t.Errorf("a body within the limit does not pass: %s", out)
	}
	if a := answers[2]; a.StatusCode != 413 || strings.Contains(a.Body, "{") || a.Headers["content-type"].Value != "text/plain; charset=utf-8" {
		t.Errorf("got %+v; want the plain 413", a)
	}
}

// Callers cannot bypass the edge: CloudFront sends the secret to every origin, and every
// function that serves HTTP requires one of two secrets.
func TestOriginsAreShownTheSecret(t *testing.T) {
	tpl := synthDeployed(t).templates["rmk-prod"]
	config := tpl.findResource(t, "AWS::CloudFront::Distribution", "Edge").Properties["DistributionConfig"].(map[string]any)
	origins := config["Origins"].([]any)
	if len(origins) != 2 {
		t.Errorf("got %d origins; want the API and the uploads", len(origins))
	}
	for _, o := range origins {
		if text := flatten(o.(map[string]any)["OriginCustomHeaders"]); !strings.Contains(text, "X-Origin-Secret") || !strings.Contains(text, "OriginASecret") {
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

// The upload paths, and no others, lead to the container.
func TestUploadPathsLeadToTheContainer(t *testing.T) {
	config := synthDeployed(t).templates["rmk-prod"].findResource(t, "AWS::CloudFront::Distribution", "Edge").Properties["DistributionConfig"].(map[string]any)
	paths := map[string]bool{}
	for _, b := range config["CacheBehaviors"].([]any) {
		paths[b.(map[string]any)["PathPattern"].(string)] = true
	}
	for _, r := range contract.Routes {
		upload := r.Operation == "uploadResume" || r.Operation == "submitCandidate"
		if paths[contract.BasePath+r.Path] != upload {
			t.Errorf("%s: leads to the container: %v", r.Operation, !upload)
		}
	}
	if len(paths) != len(topology.UploadOperations) {
		t.Errorf("got %v", paths)
	}
}

// The container is reachable only from the load balancer, and the load balancer only from
// its own network.
func TestUploadsAreNotReachable(t *testing.T) {
	tpl := synthDeployed(t).templates["rmk-prod"]
	if balancer := tpl.findResource(t, "AWS::ElasticLoadBalancingV2::LoadBalancer", "Balancer"); balancer.Properties["Scheme"] != "internal" {
		t.Errorf("got %v", balancer.Properties)
	}
	for id, r := range tpl.resourcesOf("AWS::EC2::SecurityGroup") {
		for _, in := range asArray(r.Properties["SecurityGroupIngress"]) {
			if text := flatten(in); strings.Contains(text, "0.0.0.0/0") || strings.Contains(text, "::/0") {
				t.Errorf("%s lets everybody in: %s", id, text)
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

// An address over its rate limit gets the contract's error envelope.
func TestThrottledAnswer(t *testing.T) {
	var envelope contract.ErrorEnvelope
	if err := json.Unmarshal([]byte(throttledBody()), &envelope); err != nil {
		t.Fatal(err)
	}
	if e := envelope.Error; e.Code != contract.IPThrottled || e.Type != "rate_limit_error" || e.Message == "" || contract.Codes[e.Code] != 429 {
		t.Errorf("got %+v", e)
	}
}
