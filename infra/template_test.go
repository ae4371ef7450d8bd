package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/jsii-runtime-go"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/run/resources"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

var stages = []string{"dev", "prod-eu", "prod-us", "scale"}

// eachStage runs a test on every stage's templates.
func eachStage(t *testing.T, test func(t *testing.T, tpl template)) {
	t.Helper()
	s := synthDeployed(t)
	for _, name := range stages {
		t.Run(name, func(t *testing.T) { test(t, s.templates[name]) })
	}
}

// No rule of CDK or cdk-nag is broken without a reason.
func TestRulesAreKept(t *testing.T) {
	s := synthDeployed(t)
	if len(s.templates) != len(stages) {
		t.Fatalf("got %d stages", len(s.templates))
	}
	for _, line := range s.annotations {
		t.Error(line)
	}
}

// A broken rule is found, so the test above can fail.
func TestPlantedFaultIsFound(t *testing.T) {
	s, err := synthChecked(map[string]any{"stage": "dev"}, nil, func(stack awscdk.Stack) { awss3.NewBucket(stack, jsii.String("Planted"), nil) })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(s.annotations, func(line string) bool { return strings.Contains(line, "AwsSolutions-S1") }) {
		t.Errorf("a bucket without access logs and excuse was not found in %q", s.annotations)
	}
}

// Every row of the route table has exactly one route, to its function, and
// besides them there is only $default, to platform.
func TestRoutesAreTheContracts(t *testing.T) {
	want := map[string]string{"$default": string(contract.Platform)}
	for _, r := range contract.Routes {
		want[r.Method+" "+contract.BasePath+r.Path] = string(r.Function)
	}
	eachStage(t, func(t *testing.T, tpl template) {
		got := map[string]string{}
		for id, r := range tpl.resourcesOf("AWS::ApiGatewayV2::Route") {
			key := r.Properties["RouteKey"].(string)
			if got[key] != "" {
				t.Errorf("%s has two routes", key)
			}
			got[key] = tpl.targetOf(t, id, r)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("routes (-want +got):\n%s", diff)
		}
	})
}

// targetOf returns the name of the function that a route leads to and may invoke.
func (tpl template) targetOf(t *testing.T, id string, route resource) string {
	t.Helper()
	integration := tpl.Resources[strings.TrimSuffix(strings.TrimPrefix(flatten(route.Properties["Target"]), "integrations/${"), "}")]
	uri := flatten(integration.Properties["IntegrationUri"])
	function := tpl.Resources[idOf(uri)]
	if function.Type == "AWS::Lambda::Alias" {
		function = tpl.Resources[idOf(flatten(function.Properties["FunctionName"]))]
	}
	if function.Type != "AWS::Lambda::Function" || integration.Properties["PayloadFormatVersion"] != "2.0" {
		t.Fatalf("%s leads to %s", id, uri)
	}
	allowed := 0
	for _, p := range tpl.resourcesOf("AWS::Lambda::Permission") {
		if flatten(p.Properties["FunctionName"]) == uri && p.Properties["Principal"] == "apigateway.amazonaws.com" {
			allowed++
		}
	}
	if allowed != 1 {
		t.Errorf("%s: the API has %d permissions to invoke it", id, allowed)
	}
	return variablesOf(function)[topology.SettingFunction]
}

// variablesOf returns a function's environment, flattened.
func variablesOf(function resource) map[string]string {
	env := map[string]string{}
	for name, value := range function.Properties["Environment"].(map[string]any)["Variables"].(map[string]any) {
		env[name] = flatten(value)
	}
	return env
}

// Tables, indexes and time to live equal those that the local system creates; how units are paid is a setting of the stage.
func TestTablesAreThoseOfTheLocalSystem(t *testing.T) {
	eachStage(t, func(t *testing.T, tpl template) {
		if got := len(tpl.resourcesOf("AWS::DynamoDB::Table")); got != len(topology.Tables) {
			t.Errorf("%d tables; want %d", got, len(topology.Tables))
		}
		for _, row := range topology.Tables {
			table := tpl.findResource(t, "AWS::DynamoDB::Table", constructID(row.Name)+"Table")
			want := createTableRequest(t, row)
			delete(want, "BillingMode")
			got := map[string]any{}
			for _, name := range []string{"KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes", "LocalSecondaryIndexes"} {
				got[name] = table.Properties[name]
			}
			indexes, _ := got["GlobalSecondaryIndexes"].([]any)
			for _, index := range indexes {
				delete(index.(map[string]any), "ProvisionedThroughput")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-local +template):\n%s", row.Name, diff)
			}
			if diff := cmp.Diff(map[string]any{"AttributeName": topology.TTL, "Enabled": true}, table.Properties["TimeToLiveSpecification"]); diff != "" {
				t.Errorf("%s, time to live (-want +got):\n%s", row.Name, diff)
			}
			if flatten(table.Properties["PointInTimeRecoverySpecification"]) != `{"PointInTimeRecoveryEnabled":true}` {
				t.Errorf("%s cannot be restored", row.Name)
			}
		}
	})
}

// createTableRequest returns the local system's request, without absent fields.
func createTableRequest(t *testing.T, row topology.Table) map[string]any {
	t.Helper()
	data, err := json.Marshal(resources.NewCreateTableInput(row, "x"))
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	kept := map[string]any{}
	for _, name := range []string{"KeySchema", "AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "LocalSecondaryIndexes"} {
		kept[name] = dropNulls(all[name])
	}
	return kept
}

// dropNulls drops the fields that are null.
func dropNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = dropNulls(inner)
			if inner == nil {
				delete(v, name)
			}
		}
	case []any:
		for i := range v {
			v[i] = dropNulls(v[i])
		}
	}
	return v
}

// findResource returns the only resource of a type whose logical id has the prefix; CDK
// appends a hash.
func (tpl template) findResource(t *testing.T, kind, prefix string) resource {
	t.Helper()
	var found []resource
	for id, r := range tpl.resourcesOf(kind) {
		if len(id) == len(prefix)+8 && strings.HasPrefix(id, prefix) || id == prefix {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d resources %s are called %s", len(found), kind, prefix)
	}
	return found[0]
}

// Resources with data outlive the stack in prod, and are deleted with it in dev.
func TestDataIsKeptInProd(t *testing.T) {
	for name, want := range map[string]string{"dev": "Delete", "prod-us": "Retain"} {
		tpl := synthDeployed(t).templates[name]
		for _, kind := range []string{"AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::SQS::Queue", "AWS::SecretsManager::Secret"} {
			for id, r := range tpl.resourcesOf(kind) {
				if r.DeletionPolicy != want {
					t.Errorf("%s %s: got %s; want %s", name, id, r.DeletionPolicy, want)
				}
			}
		}
		for id, r := range tpl.resourcesOf("AWS::DynamoDB::Table") {
			if got := r.Properties["DeletionProtectionEnabled"] == true; got != (want == "Retain") {
				t.Errorf("%s %s: deletion protection is %v", name, id, got)
			}
		}
	}
}

// Every function has its row's memory and time-out, the names of exactly those resources
// that it may use, and an environment within Lambda's limit.
func TestFunctionsAreTheTopologys(t *testing.T) {
	eachStage(t, func(t *testing.T, tpl template) {
		functions := map[string]resource{}
		for _, r := range tpl.resourcesOf("AWS::Lambda::Function") {
			functions[variablesOf(r)[topology.SettingFunction]] = r
		}
		delete(functions, authorizer)
		if len(functions) != len(topology.Functions) {
			t.Errorf("%d functions; want %d", len(functions), len(topology.Functions))
		}
		for _, f := range topology.Functions {
			r := functions[f.Name]
			env := variablesOf(functions[f.Name])
			if r.Properties["MemorySize"] != float64(f.Memory) || r.Properties["Timeout"] != f.Timeout.Seconds() ||
				r.Properties["Runtime"] != "provided.al2023" || flatten(r.Properties["Architectures"]) != `["arm64"]` {
				t.Errorf("%s: got %v", f.Name, r.Properties)
			}
			for name := range env {
				_, resource := f.Environment()[name]
				if !resource && !slices.Contains(append(f.Settings, topology.SettingFunction, topology.SettingStage, topology.SettingVersion, "GOMEMLIMIT", "GOGC", "GOMAXPROCS"), name) {
					t.Errorf("%s has the variable %s", f.Name, name)
				}
			}
			for name := range f.Environment() {
				if env[name] == "" {
					t.Errorf("%s lacks the variable %s", f.Name, name)
				}
			}
			if limit := fmt.Sprintf("%dMiB", f.Memory*9/10); env["GOMEMLIMIT"] != limit {
				t.Errorf("%s: GOMEMLIMIT is %s; want %s", f.Name, env["GOMEMLIMIT"], limit)
			}
			if env["GOGC"] != "800" {
				t.Errorf("%s: GOGC is %s; want 800", f.Name, env["GOGC"])
			}
			isLessThanOne := f.Memory < fullProcessor && f.Name != topology.Ingest.Name
			if one := env["GOMAXPROCS"] == "1"; one != isLessThanOne {
				t.Errorf("%s: GOMAXPROCS is %q", f.Name, env["GOMAXPROCS"])
			}
			if size := sizeOf(env); size > 4096 {
				t.Errorf("%s: %d bytes of environment", f.Name, size)
			}
			if _, metadata := r.Metadata["aws:asset:path"]; !metadata {
				t.Errorf("%s: SAM does not find its code", f.Name)
			}
		}
	})
}

// sizeOf returns the largest possible size of an environment: a placeholder is a name or
// URL of at most 200 bytes, a secret has 40.
func sizeOf(env map[string]string) (size int) {
	for name, value := range env {
		size += len(name) + len(value) + 200*strings.Count(value, "${")
	}
	return size
}

// Every worker has the trigger of its row, and a scheduled one no retries of Lambda's own.
func TestWorkersAreStarted(t *testing.T) {
	eachStage(t, func(t *testing.T, tpl template) {
		queues := 0
		schedules := 0
		for _, w := range topology.Workers {
			if w.Queue != nil {
				queues++
				source := tpl.findResource(t, "AWS::Lambda::EventSourceMapping", constructID(w.Name)+"Source")
				if source.Properties["BatchSize"] != float64(w.Queue.BatchSize) || flatten(source.Properties["FunctionResponseTypes"]) != `["ReportBatchItemFailures"]` {
					t.Errorf("%s: got %v", w.Name, source.Properties)
				}
				queue := tpl.findResource(t, "AWS::SQS::Queue", constructID(w.Queue.Name)+"Queue")
				if queue.Properties["VisibilityTimeout"] != 6*w.Timeout.Seconds() ||
					queue.Properties["RedrivePolicy"].(map[string]any)["maxReceiveCount"] != float64(w.Queue.MaxReceives) {
					t.Errorf("%s: got %v", w.Queue.Name, queue.Properties)
				}
			}
			if w.Every > 0 {
				schedules++
				rule := tpl.findResource(t, "AWS::Events::Rule", constructID(w.Name)+"Schedule")
				if want := map[time.Duration]string{time.Minute: "rate(1 minute)", 5 * time.Minute: "rate(5 minutes)"}[w.Every]; rule.Properties["ScheduleExpression"] != want {
					t.Errorf("%s: got %v", w.Name, rule.Properties)
				}
				starts := constructID(w.Name)
				if len(tpl.resourcesOf("AWS::Lambda::Alias")) > 0 {
					starts += "Live"
				}
				async := tpl.findResource(t, "AWS::Lambda::EventInvokeConfig", starts+"EventInvokeConfig").Properties
				if async["MaximumRetryAttempts"] != 0.0 || async["MaximumEventAgeInSeconds"] != w.Every.Seconds() || async["DestinationConfig"] != nil {
					t.Errorf("%s: got %v", w.Name, async)
				}
			}
		}
		if len(tpl.resourcesOf("AWS::Lambda::EventSourceMapping")) != queues || tpl.schedules() != schedules ||
			len(tpl.resourcesOf("AWS::Lambda::EventInvokeConfig")) != schedules {
			t.Error("something starts a function that no row knows of")
		}
	})
}

// schedules returns the number of schedules; other rules match events.
func (tpl template) schedules() (n int) {
	for _, r := range tpl.resourcesOf("AWS::Events::Rule") {
		if r.Properties["ScheduleExpression"] != nil {
			n++
		}
	}
	return n
}

// ledTo lists the prefixes of objects that have, at any time, an item that leads to them.
var ledTo = []string{"resumes/", "transcripts/", "catalog/", "books/"}

// Every object that a function may write has an item that leads to it or expires, and the buckets
// have exactly the life cycles of the topology.
func TestEveryObjectExpiresOrHasAnItem(t *testing.T) {
	for _, f := range slices.Concat(topology.Functions, topology.Containers) {
		for _, g := range f.Grants {
			if g.On.Kind != topology.Objects || !slices.Contains(g.Actions, "s3:PutObject") {
				continue
			}
			i := slices.IndexFunc(topology.Buckets, func(b topology.Bucket) bool { return b.Name == g.On.Name })
			expires := slices.ContainsFunc(topology.Buckets[i].Expires, func(e topology.Expiry) bool { return e.Prefix == g.On.Part })
			if expires == slices.Contains(ledTo, g.On.Part) {
				t.Errorf("%s writes to %s of %s: it expires: %t; want that, or items that lead there", f.Name, g.On.Part, g.On.Name, expires)
			}
		}
	}
	eachStage(t, func(t *testing.T, tpl template) {
		for _, b := range topology.Buckets {
			var want, got []topology.Expiry
			want = append(want, b.Expires...)
			r := tpl.findResource(t, "AWS::S3::Bucket", constructID(b.Name)+"Bucket")
			for _, rule := range r.Properties["LifecycleConfiguration"].(map[string]any)["Rules"].([]any) {
				rule := rule.(map[string]any)
				if days, found := rule["ExpirationInDays"].(float64); found {
					prefix, _ := rule["Prefix"].(string)
					got = append(got, topology.Expiry{Prefix: prefix, Days: int(days)})
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("life cycles of %s (-want +got):\n%s", b.Name, diff)
			}
		}
	})
}
