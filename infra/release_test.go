package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// atOnce are functions with too few calls to judge a version by a tenth of them.
var atOnce = []string{topology.Sweep.Name, topology.Publisher.Name, topology.Canary.Name, topology.Keys.Name}

// In a gradual stage everything that starts a function starts its alias, which CodeDeploy moves to
// a new version in two steps, that of roles in ten, and back if one of the function's alarms is raised.
// In dev, where SAM must find functions, nothing has an alias.
func TestFunctionsAreDeployedGradually(t *testing.T) {
	s := synthDeployed(t)
	tpl := s.templates["prod-us"]
	for _, f := range topology.Functions {
		alias := tpl.Resources[tpl.aliasOf(t, f)]
		if alias.Properties["Name"] != liveAlias {
			t.Errorf("%s: got %v", f.Name, alias)
		}
		if slices.Contains(atOnce, f.Name) {
			if alias.UpdatePolicy != nil {
				t.Errorf("%s: got %v; want all calls at once", f.Name, alias.UpdatePolicy)
			}
			continue
		}
		group := tpl.Resources[tpl.idNamed(t, "AWS::CodeDeploy::DeploymentGroup", constructID(f.Name)+"Deployment")].Properties
		rollback := group["AutoRollbackConfiguration"].(map[string]any)
		steps := "CodeDeployDefault.LambdaCanary10Percent5Minutes"
		if f.Name == string(contract.Roles) { // its instances load the catalogue when they start
			steps = "CodeDeployDefault.LambdaLinear10PercentEvery1Minute"
		}
		if group["DeploymentConfigName"] != steps || rollback["Enabled"] != true ||
			!strings.Contains(flatten(rollback["Events"]), "DEPLOYMENT_STOP_ON_ALARM") {
			t.Errorf("%s: got %v", f.Name, group)
		}
		if len(tpl.rollbackAlarms(t, f)) == 0 {
			t.Errorf("%s: no alarm takes it back", f.Name)
		}
		update := flatten(alias.UpdatePolicy["CodeDeployLambdaAliasUpdate"])
		if !strings.Contains(update, tpl.idNamed(t, "AWS::CodeDeploy::DeploymentGroup", constructID(f.Name)+"Deployment")) {
			t.Errorf("%s: got %v", f.Name, alias)
		}
	}
	if got := len(tpl.resourcesOf("AWS::CodeDeploy::DeploymentGroup")); got != len(topology.Functions)-len(atOnce) {
		t.Errorf("%d functions are deployed gradually; want all but %v", got, atOnce)
	}
	for kind, field := range map[string]string{
		"AWS::Lambda::EventSourceMapping": "FunctionName", "AWS::ApiGatewayV2::Integration": "IntegrationUri",
		"AWS::Lambda::Permission": "FunctionName", "AWS::Events::Rule": "Targets", "AWS::Lambda::EventInvokeConfig": "Qualifier",
	} {
		for id, r := range tpl.resourcesOf(kind) {
			if kind == "AWS::Events::Rule" && r.Properties["EventPattern"] != nil {
				continue // it starts nothing
			}
			if text := flatten(r.Properties[field]); !strings.Contains(text, "Live") && text != liveAlias && id != "AuthorizerInvoke" {
				t.Errorf("%s starts %s, past the alias", id, text)
			}
		}
	}
	for kind := range map[string]bool{"AWS::Lambda::Alias": true, "AWS::Lambda::Version": true, "AWS::CodeDeploy::DeploymentGroup": true} {
		if n := len(s.templates["dev"].resourcesOf(kind)); n > 0 {
			t.Errorf("dev has %d of %s", n, kind)
		}
	}
}

// aliasOf returns the logical id of a function's alias.
func (tpl template) aliasOf(t *testing.T, f topology.Function) string {
	t.Helper()
	return tpl.idNamed(t, "AWS::Lambda::Alias", constructID(f.Name)+"Live")
}

// rollbackAlarms returns the logical ids of the alarms that take a new version of a function back.
func (tpl template) rollbackAlarms(t *testing.T, f topology.Function) (ids []string) {
	t.Helper()
	group := tpl.Resources[tpl.idNamed(t, "AWS::CodeDeploy::DeploymentGroup", constructID(f.Name)+"Deployment")].Properties
	alarms := group["AlarmConfiguration"].(map[string]any)
	if alarms["Enabled"] != true {
		t.Errorf("%s: got %v", f.Name, alarms)
	}
	for _, a := range asArray(alarms["Alarms"]) {
		ids = append(ids, idOf(flatten(a.(map[string]any)["Name"])))
	}
	return ids
}

// version is how a version behaves: of its requests a minute, how many fail in Lambda, how many are
// answered with 5xx, and the milliseconds that one in ten takes at least.
type version struct{ requests, errors, failed, ms float64 }

// data returns the metrics of a deployment in which a version gets a tenth of the requests for five
// minutes.
func (v version) data() metricData {
	const minutes = 5
	return func(m metricKey) (series, bool) {
		switch {
		case strings.HasSuffix(m.Name, "_failed"):
			return repeat(minutes, v.failed/10), true
		case !strings.Contains(m.Dimensions["ExecutedVersion"], ".Version") || !strings.HasSuffix(m.Dimensions["Resource"], ":"+liveAlias):
			return nil, false
		case m.Name == "Errors":
			return repeat(minutes, v.errors/10), true
		case m.Name == "Invocations":
			return repeat(minutes, v.requests/10), true
		}
		return repeat(minutes, v.ms), m.Name == "Duration"
	}
}

// A version that answers 5xx, fails or is slow is taken back while it has a tenth of the calls; a
// healthy one, also one that fails once in a while, stays.
func TestBadVersionsAreTakenBack(t *testing.T) {
	tpl := synthDeployed(t).templates["prod-us"]
	text, err := json.Marshal(tpl)
	if err != nil {
		t.Fatal(err)
	}
	alarms, err := readAlarms(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		version   version
		function  string
		takenBack bool
	}{
		"healthy":                        {version{requests: 600, ms: 80}, "submissions", false},
		"without calls":                  {version{}, "submissions", false},
		"one failure in a hundred":       {version{requests: 600, failed: 6, ms: 80}, "submissions", false},
		"one 5xx in five minutes":        {version{requests: 10, failed: 2, ms: 80}, "submissions", false},
		"every response is a 5xx":        {version{requests: 600, failed: 600, ms: 80}, "submissions", true},
		"every response, little traffic": {version{requests: 10, failed: 10, ms: 80}, "submissions", true},
		"one 5xx in ten":                 {version{requests: 600, failed: 60, ms: 80}, "submissions", true},
		"panics":                         {version{requests: 600, errors: 600, ms: 80}, "roles", true},
		"slow":                           {version{requests: 600, ms: 4000}, "roles", true},
		"a worker that works":            {version{requests: 100, ms: 4000}, "ingest", false},
		"a worker that fails":            {version{requests: 100, errors: 50, ms: 10}, "ingest", true},
	} {
		takenBack := false
		for _, id := range tpl.rollbackAlarms(t, topology.FunctionNamed(c.function)) {
			after, err := alarms.firesAfter(id, c.version.data())
			if err != nil {
				t.Fatal(name, err)
			}
			takenBack = takenBack || after > 0
		}
		if takenBack != c.takenBack {
			t.Errorf("%s: taken back: %t", name, takenBack)
		}
	}
}

// A deployment of a container starts as many tasks as run, beside them, before it ends one, and goes
// back if they do not become healthy. The template has no number of tasks: a service that was scaled to
// five keeps five of five.
func TestContainersKeepTheirNumber(t *testing.T) {
	for stage, tpl := range synthDeployed(t).templates {
		for id, r := range tpl.resourcesOf("AWS::ECS::Service") {
			if n, found := r.Properties["DesiredCount"]; found {
				t.Errorf("%s: a deployment of %s sets %v tasks", stage, id, n)
			}
			deployment := maps.Clone(r.Properties["DeploymentConfiguration"].(map[string]any))
			delete(deployment, "Alarms") // those of TestContainersGoBackByAlarms
			const want = `{"DeploymentCircuitBreaker":{"Enable":true,"Rollback":true},"MaximumPercent":200,"MinimumHealthyPercent":100}`
			if got := flatten(deployment); got != want {
				t.Errorf("%s: got %s; want %s", stage, got, want)
			}
		}
	}
}

// A new version of a container that answers 5xx, or does not stay healthy, is taken back by the alarms of
// its own service.
func TestContainersGoBackByAlarms(t *testing.T) {
	tpl := synthDeployed(t).templates["scale"]
	for _, name := range []string{"uploads", "reads"} {
		service := tpl.findResource(t, "AWS::ECS::Service", constructID(name)+"Service")
		got := service.Properties["DeploymentConfiguration"].(map[string]any)["Alarms"]
		var names []any
		for _, kind := range []string{"errors", "unhealthy"} {
			names = append(names, "rmk-scale-"+name+"-"+kind)
			id := tpl.idNamed(t, "AWS::CloudWatch::Alarm", constructID(name+"-"+kind)+"Alarm")
			if !slices.Contains(service.DependsOn, id) {
				t.Errorf("%s does not depend on %s", name, id)
			}
		}
		want := map[string]any{"AlarmNames": names, "Enable": true, "Rollback": true}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: alarms (-want +got):\n%s", name, diff)
		}
	}
}

// changedResources returns the logical ids of what is new, gone or different.
func changedResources(before, after template) (ids []string) {
	all := maps.Clone(before.Resources)
	maps.Copy(all, after.Resources)
	for id := range all {
		if !cmp.Equal(before.Resources[id], after.Resources[id]) {
			ids = append(ids, id)
		}
	}
	return slices.Sorted(slices.Values(ids))
}

// A release changes only the functions whose program or settings it changes, and platform, which
// reports the commit. The edge changes with the outputs of the service that it reads.
func TestReleasesChangeOnlyWhatDiffers(t *testing.T) {
	for name, c := range map[string]struct {
		context map[string]any
		change  func(stage map[string]any)
		parts   []string // each changed resource has one of them in its id
		fewest  int
	}{
		"the same":       {map[string]any{}, nil, nil, 0},
		"another commit": {map[string]any{"version": "v2"}, nil, []string{"Platform"}, 3},
		"a program":      {map[string]any{"programs": map[string]any{"roles": "changed"}}, nil, []string{"Roles"}, 3},
		"the container":  {map[string]any{"programs": map[string]any{"uploads": "changed"}}, nil, []string{"UploadsTask", "UploadsService"}, 1},
		"a setting": {
			map[string]any{}, func(stage map[string]any) { stage["profileProvider"] = "enrichlayer" }, []string{"Ingest"}, 2,
		},
		"outputs of the service": {map[string]any{"generation": "2"}, nil, []string{"Edge"}, 2},
	} {
		c.context["stage"] = "prod-us"
		s, err := synthInContext(c.context, c.change)
		if err != nil {
			t.Fatal(err)
		}
		changed := changedResources(synthService(t), s.templates["prod-us"])
		if len(changed) < c.fewest {
			t.Errorf("%s: changes only %v", name, changed)
		}
		for _, id := range changed {
			if !slices.ContainsFunc(c.parts, func(part string) bool { return strings.Contains(id, part) }) {
				t.Errorf("%s: changes %s", name, id)
			}
		}
		t.Logf("%s: %d resources: %v", name, len(changed), changed)
	}
}

// The alarm of a new version counts failures by the version in log lines, so that it must differ from
// that of the version before.
func TestVersionsDifferWithSettings(t *testing.T) {
	s, err := synthInContext(map[string]any{"stage": "prod-us"}, func(stage map[string]any) { stage["secrets"] = 1 })
	if err != nil {
		t.Fatal(err)
	}
	before := synthService(t)
	for id, r := range s.templates["prod-us"].resourcesOf("AWS::Lambda::Function") {
		name := variablesOf(r)[topology.SettingFunction]
		same := variablesOf(r)[topology.SettingVersion] == variablesOf(before.Resources[id])[topology.SettingVersion]
		if same && name != "platform" && name != authorizer {
			t.Errorf("%s has other secrets and the same version", name)
		}
	}
}
