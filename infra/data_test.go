package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// dataIDs lists what holds data in a stage: type, logical id and name of each resource. Under
// another id or name it would be a new, empty one.
func dataIDs(stage string, tpl template) (lines []string) {
	for kind, name := range map[string]string{
		"AWS::DynamoDB::Table": "TableName", "AWS::S3::Bucket": "BucketName", "AWS::SQS::Queue": "QueueName", "AWS::SecretsManager::Secret": "Name",
	} {
		for id, r := range tpl.resourcesOf(kind) {
			lines = append(lines, fmt.Sprintf("%s %s %s %s", stage, kind, id, flatten(r.Properties[name])))
		}
	}
	return lines
}

// compareData compares what holds data with testdata/data.golden, and returns the difference.
func compareData(t *testing.T, templates map[string]template) string {
	t.Helper()
	golden, err := os.ReadFile("testdata/data.golden")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for stage, tpl := range templates {
		got = append(got, dataIDs(stage, tpl)...)
	}
	slices.Sort(got)
	return cmp.Diff(strings.Split(strings.TrimSpace(string(golden)), "\n"), got)
}

// What holds data has the ids and names that it has always had. A new resource is a new line of
// testdata/data.golden; no line may change or go.
func TestDataKeepsItsIDs(t *testing.T) {
	if diff := compareData(t, synthDeployed(t).templates); diff != "" {
		t.Errorf("testdata/data.golden (-golden +template):\n%s", diff)
	}
}

// A renamed construct, and a renamed table, are found.
func TestPlantedRenamesAreFound(t *testing.T) {
	for name, plant := range map[string]func(tables map[string]resource, id string){
		"the id": func(tables map[string]resource, id string) { tables["Renamed"] = tables[id]; delete(tables, id) },
		"the name": func(tables map[string]resource, id string) {
			tables[id].Properties["TableName"] = "rmk-prod-us-members"
		},
	} {
		templates := maps.Clone(synthDeployed(t).templates)
		templates["prod-us"] = copyTemplate(t, templates["prod-us"])
		plant(templates["prod-us"].Resources, templates["prod-us"].idNamed(t, "AWS::DynamoDB::Table", "NetworkTable"))
		if diff := compareData(t, templates); !strings.Contains(diff, "NetworkTable10EDB904") {
			t.Errorf("%s: got %q; want the table's lines", name, diff)
		}
	}
}

// All data is in the data stack, which has nothing else, and no stack imports from another: one
// that did could not be deployed or removed alone.
func TestStacksStandAlone(t *testing.T) {
	for name, tpl := range synthDeployed(t).stacks {
		if held := len(dataIDs("", tpl)) > 0; held != strings.HasSuffix(name, "-data") {
			t.Errorf("%s holds data: %v", name, held)
		}
		if compute := len(tpl.resourcesOf("AWS::Lambda::Function")) > 0; compute != strings.HasSuffix(name, "-service") {
			t.Errorf("%s has functions: %v", name, compute)
		}
		if text := flatten(map[string]any{"all": tpl.Resources}); strings.Contains(text, "Fn::ImportValue") || strings.Contains(text, "Custom::") {
			t.Errorf("%s imports, or has custom resources", name)
		}
	}
}
