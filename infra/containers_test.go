package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The container runs as two tasks at least, in the subnets of two zones, and is scaled by the
// requests of each.
func TestUploadsRunInTwoZones(t *testing.T) {
	tpl := synthDeployed(t).templates["prod-us"]
	service := tpl.findResource(t, "AWS::ECS::Service", "UploadsService").Properties
	network := service["NetworkConfiguration"].(map[string]any)["AwsvpcConfiguration"].(map[string]any)
	zones := map[string]bool{}
	for _, subnet := range asArray(network["Subnets"]) {
		zones[flatten(tpl.Resources[idOf(flatten(subnet))].Properties["AvailabilityZone"])] = true
	}
	if len(zones) != 2 || service["DesiredCount"] != nil || service["AvailabilityZoneRebalancing"] != "ENABLED" {
		t.Errorf("got %v in the zones %v", service, zones)
	}
	for id, r := range tpl.resourcesOf("AWS::ApplicationAutoScaling::ScalableTarget") {
		if strings.HasPrefix(id, "Uploads") && (r.Properties["MinCapacity"] != 2.0 || r.Properties["MaxCapacity"] != float64(maxTasks)) {
			t.Errorf("got %v", r.Properties)
		}
	}
	targets := map[string]float64{}
	for _, r := range tpl.resourcesOf("AWS::ApplicationAutoScaling::ScalingPolicy") {
		tracking := r.Properties["TargetTrackingScalingPolicyConfiguration"].(map[string]any)
		targets[tracking["PredefinedMetricSpecification"].(map[string]any)["PredefinedMetricType"].(string)] = tracking["TargetValue"].(float64)
	}
	if targets["ALBRequestCountPerTarget"] != requestsPerTask || len(targets) != 2 {
		t.Errorf("scaled by %v", targets)
	}
}

// The load balancer is in subnets that no route connects with the Internet, as VPC origins require, and
// the container, which calls AWS, in others.
func TestTheBalancerHasPrivateSubnets(t *testing.T) {
	tpl := synthService(t)
	public := map[string]bool{} // route tables
	for _, r := range tpl.resourcesOf("AWS::EC2::Route") {
		public[idOf(flatten(r.Properties["RouteTableId"]))] = r.Properties["DestinationCidrBlock"] == "0.0.0.0/0"
	}
	isPublic := map[string]bool{} // subnets
	for _, r := range tpl.resourcesOf("AWS::EC2::SubnetRouteTableAssociation") {
		isPublic[idOf(flatten(r.Properties["SubnetId"]))] = public[idOf(flatten(r.Properties["RouteTableId"]))]
	}
	network := tpl.findResource(t, "AWS::ECS::Service", "UploadsService").Properties["NetworkConfiguration"].(map[string]any)["AwsvpcConfiguration"].(map[string]any)
	for want, subnets := range map[bool]any{false: tpl.findResource(t, "AWS::ElasticLoadBalancingV2::LoadBalancer", "Balancer").Properties["Subnets"], true: network["Subnets"]} {
		if len(asArray(subnets)) != 2 {
			t.Errorf("got the subnets %v; want two", subnets)
		}
		for _, subnet := range asArray(subnets) {
			if got := isPublic[idOf(flatten(subnet))]; got != want {
				t.Errorf("%s is public: %t; want %t", flatten(subnet), got, want)
			}
		}
	}
}

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
