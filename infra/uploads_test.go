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
