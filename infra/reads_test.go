package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// In stage scale the paths of recruiters and agencies lead to the reads container, by a behaviour of the edge
// and a rule of the balancer, and all others to API Gateway as before. Every route on these paths is one of the
// functions that the container serves, and has no body that only uploads accept.
func TestReadsLeadToTheContainer(t *testing.T) {
	tpl := synthDeployed(t).templates["scale"]
	config := tpl.findResource(t, "AWS::CloudFront::Distribution", "Edge").Properties["DistributionConfig"].(map[string]any)
	paths := map[string]string{}
	for _, v := range asArray(config["CacheBehaviors"]) {
		b := v.(map[string]any)
		paths[b["PathPattern"].(string)] = b["TargetOriginId"].(string)
	}
	if got := config["DefaultCacheBehavior"].(map[string]any)["TargetOriginId"]; got != "api" || len(paths) != len(topology.UploadOperations)+len(topology.ReadPaths) {
		t.Errorf("by default to %v, and by path to %v", got, paths)
	}
	rule := flatten(tpl.findResource(t, "AWS::ElasticLoadBalancingV2::ListenerRule", "BalancerListenerReadsRule").Properties["Conditions"])
	for _, path := range topology.ReadPaths {
		pattern := contract.BasePath + path + "*"
		if origin := paths[pattern]; origin == "" || origin == "api" || !strings.Contains(rule, `"`+pattern+`"`) {
			t.Errorf("%s leads to %q, and by the rule %s", pattern, origin, rule)
		}
		for _, r := range contract.Routes {
			if strings.HasPrefix(r.Path, path) && !slices.Contains(topology.ReadFunctions, string(r.Function)) {
				t.Errorf("%s is served by %s", r.Operation, r.Function)
			}
		}
	}
	for _, name := range []string{"dev", "prod-us"} {
		if got := len(synthDeployed(t).templates[name].resourcesOf("AWS::ElasticLoadBalancingV2::ListenerRule")); got > 0 {
			t.Errorf("%s has %d rules", name, got)
		}
	}
}

// The tasks of the reads container are scaled by their processors, between the stage's number and four times
// of it.
func TestReadsAreScaled(t *testing.T) {
	tpl := synthDeployed(t).templates["scale"]
	for id, r := range tpl.resourcesOf("AWS::ApplicationAutoScaling::ScalableTarget") {
		if strings.HasPrefix(id, "Reads") && (r.Properties["MinCapacity"] != 16.0 || r.Properties["MaxCapacity"] != 64.0) {
			t.Errorf("got %v", r.Properties)
		}
	}
	tpl.findResource(t, "AWS::ApplicationAutoScaling::ScalingPolicy", "ReadsServiceTaskCountTargetProcessor")
}

// The lines of a stage that samples them count as often as the requests for which they stand, those of API
// Gateway, which has them all, once each.
func TestSampledLinesAreWeighed(t *testing.T) {
	for stage, want := range map[string]string{"scale": "$.weight", "prod-us": "1"} {
		tpl := synthDeployed(t).templates[stage]
		for id, r := range tpl.resourcesOf("AWS::Logs::MetricFilter") {
			log := flatten(r.Properties["LogGroupName"])
			transformation := asArray(r.Properties["MetricTransformations"])[0].(map[string]any)
			isSampled := transformation["MetricName"] == "succeeded" || strings.HasPrefix(log, "${ReadsLog")
			expected := "1"
			if isSampled {
				expected = want
			}
			if got := transformation["MetricValue"]; got != expected && !strings.HasPrefix(id, "SearchFailures") {
				t.Errorf("%s: %s counts %v of a line of %s; want %s", stage, id, got, log, expected)
			}
		}
	}
}
