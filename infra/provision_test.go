package main

import (
	"strings"
	"testing"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// The units of every table and index of stage scale follow the load, at 70 percent, between a tenth and
// one and a half times of what the model's load takes, or of an outage of the profile provider.
// Other stages pay for each unit.
func TestProvisionedTablesFollowTheirLoad(t *testing.T) {
	stages := synthDeployed(t).templates
	load := capacity.ReadMeasurements().TableUnits()
	outage := capacity.ReadMeasurements().OutageUnits()
	scalable, policies := stages["scale"].scaledCapacities(t)
	for _, table := range topology.Tables {
		resource := stages["scale"].findResource(t, "AWS::DynamoDB::Table", constructID(table.Name)+"Table")
		if resource.Properties["BillingMode"] == "PAY_PER_REQUEST" {
			t.Errorf("%s is paid for each unit", table.Name)
		}
		names := map[string]string{"table:ReadCapacityUnits table/rmk-scale-" + table.Name: table.Name}
		for _, index := range table.Indexes {
			names["index:ReadCapacityUnits table/rmk-scale-"+table.Name+"/index/"+index.Name] = table.Name + " " + index.Name
		}
		for name, of := range names {
			checkRange(t, scalable, name, load[of].Reads)
			checkRange(t, scalable, strings.Replace(name, "Read", "Write", 1), max(load[of].Writes, outage[of].Writes))
		}
	}
	if len(policies) != len(scalable) {
		t.Errorf("%d policies for %d capacities", len(policies), len(scalable))
	}
	for _, target := range policies {
		if target != targetUtilization {
			t.Errorf("a policy keeps %v percent", target)
		}
	}
	for _, name := range []string{"dev", "prod-us"} {
		if found, _ := stages[name].scaledCapacities(t); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func checkRange(t *testing.T, scalable map[string]unitRange, name string, load float64) {
	t.Helper()
	got, ok := scalable[name]
	if !ok || got.least < leastUnits || got.least > max(leastUnits, load) || got.most < 1.5*load || got.most <= got.least {
		t.Errorf("%s: %+v (%v) for a load of %.0f", name, got, ok, load)
	}
}

// scaledCapacities returns the range of each capacity of a table that is scaled, by its dimension and
// resource, and the target of each policy.
func (tpl template) scaledCapacities(t *testing.T) (scalable map[string]unitRange, targets []float64) {
	t.Helper()
	scalable = map[string]unitRange{}
	ids := map[string]bool{}
	for id, r := range tpl.resourcesOf("AWS::ApplicationAutoScaling::ScalableTarget") {
		dimension, isTable := strings.CutPrefix(r.Properties["ScalableDimension"].(string), "dynamodb:")
		if !isTable {
			continue
		}
		ids[id] = true
		name := flatten(r.Properties["ResourceId"])
		for id, table := range tpl.resourcesOf("AWS::DynamoDB::Table") {
			name = strings.ReplaceAll(name, "${"+id+"}", table.Properties["TableName"].(string))
		}
		scalable[dimension+" "+name] = unitRange{r.Properties["MinCapacity"].(float64), r.Properties["MaxCapacity"].(float64)}
	}
	for _, r := range tpl.resourcesOf("AWS::ApplicationAutoScaling::ScalingPolicy") {
		if ids[idOf(flatten(r.Properties["ScalingTargetId"]))] {
			targets = append(targets, r.Properties["TargetTrackingScalingPolicyConfiguration"].(map[string]any)["TargetValue"].(float64))
		}
	}
	return scalable, targets
}
