package main

import (
	"strings"
	"testing"
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
