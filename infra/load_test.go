package main

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A stage for the targets has tables that take what the model computes, reserved instances for
// functions that write, and as many workers as the provider has look-ups for. Dev has none of
// these.
func TestStageForTheTargets(t *testing.T) {
	const workers = 481 // 240 look-ups a second, of two seconds each
	s, err := synthInContext(map[string]any{"stage": "prod-us"}, func(stage map[string]any) {
		stage["warmRequests"] = 16_667
		stage["profileRate"] = int(math.Ceil(capacity.LookUps * 16_667 / capacity.Requests))
		stage["reservedConcurrency"] = map[string]any{"submissions": 100, topology.Ingest.Name: workers}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range s.annotations {
		t.Error(line)
	}
	units := capacity.ReadMeasurements().TableUnits()
	prod := s.templates["prod-us"]
	dev := synthDeployed(t).templates["dev"]
	for _, row := range topology.Tables {
		id := constructID(row.Name) + "Table"
		warm, _ := prod.findResource(t, "AWS::DynamoDB::Table", id).Properties["WarmThroughput"].(map[string]any)
		need := units[row.Name].Reads > newTableReads || units[row.Name].Writes > newTableWrites
		if need && (warm["ReadUnitsPerSecond"].(float64) < 0.99*units[row.Name].Reads || warm["WriteUnitsPerSecond"].(float64) < 0.99*units[row.Name].Writes) ||
			!need && warm != nil {
			t.Errorf("%s is warm for %v; want %+v", row.Name, warm, units[row.Name])
		}
		if text := flatten(dev.findResource(t, "AWS::DynamoDB::Table", id).Properties); strings.Contains(text, "WarmThroughput") {
			t.Errorf("dev: %s", text)
		}
	}
	want := map[string]any{"submissions": 100.0, topology.Ingest.Name: float64(workers)}
	if diff := cmp.Diff(want, prod.reservedByFunction()); diff != "" {
		t.Errorf("reserved concurrency (-want +got):\n%s", diff)
	}
	if got := dev.reservedByFunction(); len(got) > 0 {
		t.Errorf("dev reserves %v", got)
	}
	for tpl, want := range map[*template]float64{&prod: workers, &dev: float64(topology.IngestQueue.MaxConcurrency)} {
		if got := tpl.concurrencyOf(t, "IngestSource"); got != want {
			t.Errorf("%v workers; want %v", got, want)
		}
	}
}

// The throughput of a deployed table never sinks: what the model computes for a stage is pinned in
// cdk.json, so that fewer measured units change nothing. DynamoDB refuses a lower value, and with it
// every deployment.
func TestWarmThroughputIsPinned(t *testing.T) {
	context, err := cdkContext()
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range context["stages"].(map[string]any) {
		stage, err := parseStage(name, row)
		if err != nil {
			t.Fatal(err)
		}
		for _, table := range topology.Tables {
			names := []string{table.Name}
			for _, index := range table.Indexes {
				names = append(names, table.Name+" "+index.Name)
			}
			for _, of := range names {
				least := stage.modelThroughput(of)
				pinned := stage.WarmThroughput[of]
				isNew := least == capacity.Units{Reads: newTableReads, Writes: newTableWrites}
				if !isNew && (pinned.Reads < least.Reads || pinned.Writes < least.Writes) {
					t.Errorf("%s: warmThroughput of %q in cdk.json is %+v; want at least %+v", name, of, pinned, least)
				}
			}
		}
		for of, pinned := range stage.WarmThroughput {
			stage.WarmRequests = 0 // as if the operations took no units any more
			if warm := stage.warmThroughput(of); warm == nil || *warm.ReadUnitsPerSecond != pinned.Reads || *warm.WriteUnitsPerSecond != pinned.Writes {
				t.Errorf("%s: %q sinks below %+v", name, of, pinned)
			}
		}
	}
}

func (tpl template) reservedByFunction() map[string]any {
	reserved := map[string]any{}
	for _, r := range tpl.resourcesOf("AWS::Lambda::Function") {
		name := variablesOf(r)[topology.SettingFunction]
		if n, ok := r.Properties["ReservedConcurrentExecutions"]; ok && name != authorizer {
			reserved[name] = n
		}
	}
	return reserved
}

// concurrencyOf returns how many workers an event source starts.
func (tpl template) concurrencyOf(t *testing.T, id string) float64 {
	t.Helper()
	scaling := tpl.findResource(t, "AWS::Lambda::EventSourceMapping", id).Properties["ScalingConfig"]
	return scaling.(map[string]any)["MaximumConcurrency"].(float64)
}

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

// unitRange is between how many units a second auto scaling keeps a table or an index.
type unitRange struct{ least, most float64 }

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
