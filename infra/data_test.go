package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// dataIDs lists what holds data in a stage: type, logical id and name of each resource, and the
// indexes of tables. Under another id or name it would be a new, empty one.
func dataIDs(stage string, tpl template) (lines []string) {
	for kind, name := range map[string]string{
		"AWS::DynamoDB::Table": "TableName", "AWS::S3::Bucket": "BucketName", "AWS::SQS::Queue": "QueueName", "AWS::SecretsManager::Secret": "Name",
	} {
		for id, r := range tpl.resourcesOf(kind) {
			lines = append(lines, fmt.Sprintf("%s %s %s %s", stage, kind, id, flatten(r.Properties[name])))
			for _, index := range asArray(r.Properties["GlobalSecondaryIndexes"]) {
				lines = append(lines, fmt.Sprintf("%s index %s %s", stage, id, index.(map[string]any)["IndexName"]))
			}
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
// testdata/data.golden; no line may change or go once a stage is deployed.
func TestDataKeepsItsIDs(t *testing.T) {
	if diff := compareData(t, synthDeployed(t).templates); diff != "" {
		t.Errorf("testdata/data.golden (-golden +template):\n%s", diff)
		t.Log("CloudFormation creates one index of a table in an update: deploy a first new one before you add a second.")
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

// Copies of erased data are gone within what is published: backups after 35 days, old versions of
// resumes after 30, an upload and its version 40 days after it was uploaded, each up to a day late.
func TestCopiesAreGoneInTime(t *testing.T) {
	s, err := synthInContext(map[string]any{"stage": "prod-eu"}, func(stage map[string]any) { stage["backupAccount"] = "210987654321" })
	if err != nil {
		t.Fatal(err)
	}
	tpl := s.templates["prod-eu"]
	plan := flatten(tpl.findResource(t, "AWS::Backup::BackupPlan", "BackupPlan").Properties)
	if strings.Count(plan, `"DeleteAfterDays":35`) != 2 || !strings.Contains(plan, "backup:eu-west-1:210987654321:backup-vault:rmk-prod-eu") {
		t.Errorf("got %s", plan)
	}
	selection := flatten(tpl.Resources[tpl.idNamed(t, "AWS::Backup::BackupSelection", "BackupPlanData")].Properties)
	for _, table := range topology.Tables {
		if !strings.Contains(selection, ":table/rmk-prod-eu-"+table.Name) {
			t.Errorf("%s is not backed up: %s", table.Name, selection)
		}
	}
	resumes := tpl.findResource(t, "AWS::S3::Bucket", "ResumesBucket").Properties
	const rules = `{"Rules":[{"AbortIncompleteMultipartUpload":{"DaysAfterInitiation":1},"ExpiredObjectDeleteMarker":true,"NoncurrentVersionExpiration":{"NoncurrentDays":30},"Status":"Enabled"},` +
		`{"ExpirationInDays":37,"NoncurrentVersionExpiration":{"NoncurrentDays":1},"Prefix":"uploads/","Status":"Enabled"}]}`
	if got := flatten(resumes["LifecycleConfiguration"]); got != rules || flatten(resumes["VersioningConfiguration"]) != `{"Status":"Enabled"}` {
		t.Errorf("got %s; want %s", got, rules)
	}
}

// A message of the feed is gone after as many days as are published: those of its queue, and as many
// again as a dead letter, as which the worker sends it anew. So does every other queue keep its messages.
func TestMessagesAreGoneInTime(t *testing.T) {
	for stage, tpl := range synthDeployed(t).templates {
		queues := tpl.resourcesOf("AWS::SQS::Queue")
		if len(queues) != 2*len(topology.Queues) {
			t.Errorf("%s has %d queues", stage, len(queues))
		}
		for id, queue := range queues {
			if got := queue.Properties["MessageRetentionPeriod"]; got != topology.MessageDays*86400.0 {
				t.Errorf("%s %s keeps messages for %v seconds", stage, id, got)
			}
		}
	}
	const days = topology.MessageDays
	for file, published := range map[string]string{
		"../docs/contract.md": fmt.Sprintf("They expire after %d days at most", 2*days),
		"../SECURITY.md":      fmt.Sprintf("within %d days, %d in the queue and %[2]d as a dead letter", 2*days, days),
	} {
		text, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(text), published) {
			t.Errorf("%s does not say %q: %v", file, published, err)
		}
	}
}

// Reads and writes of resumes are recorded, and nothing else is.
func TestReadsOfResumesAreRecorded(t *testing.T) {
	for stage, tpl := range synthDeployed(t).templates {
		for _, r := range tpl.resourcesOf("AWS::CloudTrail::Trail") {
			selectors := asArray(r.Properties["EventSelectors"])
			last := flatten(selectors[len(selectors)-1])
			if !strings.Contains(last, ":s3:::rmk-"+stage+"-resumes-") || !strings.Contains(last, `"ReadWriteType":"All"`) {
				t.Errorf("%s: got %s", stage, last)
			}
			for _, one := range selectors {
				if one.(map[string]any)["IncludeManagementEvents"] != false {
					t.Errorf("%s: got %v", stage, one)
				}
			}
		}
	}
}
