package main

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// readGuide returns the operator's guide.
func readGuide(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// synthService returns the template of the production service.
func synthService(t *testing.T) template {
	t.Helper()
	return synthDeployed(t).templates["prod-us"]
}

// Every alarm has a row in the guide, and every row has an alarm.
func TestAlarmsAreInTheGuide(t *testing.T) {
	_, chapter, _ := strings.Cut(readGuide(t), "\n## Alarms\n")
	chapter, _, _ = strings.Cut(chapter, "\n## ")
	rows := map[string]bool{}
	for line := range strings.Lines(chapter) {
		if kind, _, ok := strings.Cut(strings.TrimPrefix(line, "| `"), "`"); ok && strings.HasPrefix(line, "| `") {
			rows[kind] = true
		}
	}
	for name, tpl := range synthSearch(t).templates {
		kinds := map[string]bool{}
		rules := ""
		for _, r := range tpl.resourcesOf("AWS::CloudWatch::CompositeAlarm") {
			rules += flatten(r.Properties["AlarmRule"])
		}
		for _, id := range alarmIDs(tpl) {
			r := tpl.Resources[id]
			text, kind, _ := strings.Cut(r.Properties["AlarmDescription"].(string), "infra/README.md, alarm ")
			kinds[strings.TrimSuffix(kind, ".")] = true
			if strings.Contains(text, "%") {
				t.Errorf("%s lacks a number: %s", id, text)
			}
			if notifies := len(asArray(r.Properties["AlarmActions"])) > 0; notifies == strings.Contains(rules, "${"+id+".Arn}") {
				t.Errorf("%s notifies: %t; want that of every alarm that is in no rule", id, notifies)
			}
		}
		if len(tpl.resourcesOf("AWS::ECS::Service")) == 0 { // without an edge and uploads
			for _, kind := range []string{"backup-copies", "uploads-down", "uploads-errors", "uploads-unhealthy", "edge-function", "edge-blocked", "rollback", "rollback-slow"} {
				kinds[kind] = true
			}
		}
		if len(tpl.resourcesOf("AWS::ElasticLoadBalancingV2::ListenerRule")) == 0 { // without reads
			for _, kind := range []string{"reads-down", "reads-errors", "reads-unhealthy"} {
				kinds[kind] = true
			}
		}
		if diff := cmp.Diff(rows, kinds); diff != "" {
			t.Errorf("%s: the guide (-) and the alarms (+):\n%s", name, diff)
		}
	}
}

// A row needs a threshold, of its own or from its caller, and a limit that is known.
func TestRowsOfAlarmsThatAreRefused(t *testing.T) {
	for want, row := range map[string]alarmSpec{
		"alarms: planted has no threshold":      {},
		"alarms: planted has the limit ceiling": {Threshold: new(1.0), Limit: "ceiling"},
	} {
		alarmKinds["planted"] = row
		got := func() (problem any) {
			defer func() { problem = recover() }()
			return (&deployment{}).addAlarm("planted", "api", nil)
		}()
		if got != want {
			t.Errorf("got %v; want %q", got, want)
		}
	}
	delete(alarmKinds, "planted")
}

// addSearchDomain gives a stage a search domain.
func addSearchDomain(stage map[string]any) {
	stage["search"] = map[string]any{"instance": "r7g.large.search", "nodes": 2, "storage": 50}
}

// addAllAlarms gives a stage every kind of alarm: those of a search domain and of live callers.
func addAllAlarms(stage map[string]any) {
	addSearchDomain(stage)
	stage["trafficFloor"] = 101
	stage["alarmEmail"] = "operator@example.com"
	stage["backupAccount"] = backupAccount
	delete(stage, "accountConcurrency") // the cases are those of the default
}

var buildSearch = sync.OnceValues(func() (synthesized, error) { return synthInContext(nil, addAllAlarms) })

// synthSearch synthesizes the app of cdk.json with every kind of alarm in every stage, once.
func synthSearch(t *testing.T) synthesized {
	t.Helper()
	s, err := buildSearch()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// published lists the metrics of AWS that alarms use, with their dimensions: with other
// dimensions a metric has no data and its alarm never fires.
var published = map[string][]string{
	"AWS/ApiGateway Count":                               {"ApiId"},
	"AWS/ApplicationELB HTTPCode_ELB_5XX_Count":          {"LoadBalancer"},
	"AWS/ApplicationELB HTTPCode_Target_5XX_Count":       {"LoadBalancer", "LoadBalancer,TargetGroup"},
	"AWS/ApplicationELB RequestCount":                    {"LoadBalancer", "LoadBalancer,TargetGroup"},
	"AWS/CloudFront FunctionInvocations":                 {"FunctionName,Region"},
	"AWS/ApplicationELB HealthyHostCount":                {"LoadBalancer,TargetGroup"},
	"AWS/ApplicationELB UnHealthyHostCount":              {"LoadBalancer,TargetGroup"},
	"AWS/DynamoDB ReadThrottleEvents":                    {"TableName", "GlobalSecondaryIndexName,TableName"},
	"AWS/DynamoDB WriteThrottleEvents":                   {"TableName", "GlobalSecondaryIndexName,TableName"},
	"AWS/DynamoDB SuccessfulRequestLatency":              {"Operation,TableName"},
	"AWS/Events MatchedEvents":                           {"RuleName"},
	"AWS/Lambda AsyncEventsReceived":                     {"FunctionName"},
	"AWS/Lambda ConcurrentExecutions":                    {""},
	"AWS/Lambda Duration":                                {"ExecutedVersion,FunctionName,Resource"},
	"AWS/Lambda Errors":                                  {"FunctionName", "ExecutedVersion,FunctionName,Resource"},
	"AWS/Lambda Invocations":                             {"FunctionName", "ExecutedVersion,FunctionName,Resource"},
	"AWS/Lambda Throttles":                               {"FunctionName"},
	"AWS/SQS ApproximateAgeOfOldestMessage":              {"QueueName"},
	"AWS/SQS ApproximateAgeOfOldestMessageInQuietGroups": {"QueueName"},
	"AWS/SQS ApproximateNumberOfMessagesVisible":         {"QueueName"},
	"AWS/CloudFront Requests":                            {"DistributionId,Region"},
	"AWS/CloudFront 5xxErrorRate":                        {"DistributionId,Region"},
	"AWS/CloudFront FunctionExecutionErrors":             {"FunctionName,Region"},
	"AWS/CloudFront FunctionThrottles":                   {"FunctionName,Region"},
	"AWS/WAFV2 BlockedRequests":                          {"Rule,WebACL"},
	"AWS/ES ClusterStatus.red":                           {"ClientId,DomainName"},
	"a count":                                            {""},
	"AWS/ES FreeStorageSpace":                            {"ClientId,DomainName"},
	"AWS/ES JVMMemoryPressure":                           {"ClientId,DomainName"},
	"rmk alarm":                                          {"function"},
	"rmk " + topology.MetricCanaryFailed:                 {"function"},
	"rmk " + topology.MetricCatalogueAge:                 {"function"},
	"rmk " + topology.MetricParked:                       {"function"},
	"rmk " + topology.MetricParkedLeft:                   {"function"},
	"rmk search_failures":                                {""},
}

// alarmMetric is a metric as an alarm names it.
type alarmMetric struct {
	Namespace, MetricName string
	Dimensions            []struct {
		Name  string
		Value any
	}
}

// metricsOf returns the metrics of an alarm, single or in an expression.
func metricsOf(t *testing.T, alarm resource) []alarmMetric {
	t.Helper()
	var p struct {
		alarmMetric
		Metrics []struct{ MetricStat struct{ Metric alarmMetric } }
	}
	raw, err := json.Marshal(alarm.Properties)
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	all := []alarmMetric{p.alarmMetric}
	for _, m := range p.Metrics {
		all = append(all, m.MetricStat.Metric)
	}
	return slices.DeleteFunc(all, func(m alarmMetric) bool { return m.MetricName == "" })
}

func TestAlarmsLookAtMetricsThereAre(t *testing.T) {
	eachStage(t, checkAlarmMetrics)
	checkAlarmMetrics(t, synthSearch(t).templates["prod-us"])
}

// The costs are those of the alarms in the template, and of the metrics of our own: what lines of
// logs are counted as, three for each function (package cloud), and those of the alarms operator, catalogue-age and parked.
func TestAlarmsAreInTheCosts(t *testing.T) {
	type count struct{ Alarms, Composites, Metrics int }
	tpl := synthService(t)
	kinds := map[string]count{}
	for _, id := range alarmIDs(tpl) {
		_, kind, _ := strings.Cut(tpl.Resources[id].Properties["AlarmDescription"].(string), "infra/README.md, alarm ")
		c := kinds[strings.TrimSuffix(kind, ".")]
		c.Alarms++
		if tpl.Resources[id].Properties["AlarmRule"] != nil {
			c.Composites++
		} else {
			c.Metrics += len(metricsOf(t, tpl.Resources[id]))
		}
		kinds[strings.TrimSuffix(kind, ".")] = c
	}
	counted := map[string]bool{}
	for _, r := range tpl.resourcesOf("AWS::Logs::MetricFilter") {
		counted[flatten(r.Properties["MetricTransformations"])] = true
	}
	want, err := json.MarshalIndent(map[string]any{
		"kinds": kinds, "custom": len(counted) + 3*len(topology.Functions) + 4,
	}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("cost/alarms.json")
	if err != nil || string(got) != string(want)+"\n" {
		t.Errorf("cost/alarms.json (%v) must be:\n%s", err, want)
	}
}

// counts reports whether a metric filter of the stack counts lines as the metric, from 0.
func (tpl template) counts(space, name string) bool {
	for _, r := range tpl.resourcesOf("AWS::Logs::MetricFilter") {
		for _, v := range asArray(r.Properties["MetricTransformations"]) {
			m := v.(map[string]any)
			if m["MetricNamespace"] == space && m["MetricName"] == name && m["MetricValue"] == "1" && m["DefaultValue"] == 0.0 {
				return true
			}
		}
	}
	return false
}

// checkAlarmMetrics checks the metrics of a stack's alarms.
func checkAlarmMetrics(t *testing.T, tpl template) {
	t.Helper()
	for id, r := range tpl.resourcesOf("AWS::CloudWatch::Alarm") {
		metrics := metricsOf(t, r)
		if len(metrics) == 0 {
			t.Errorf("%s looks at nothing", id)
		}
		for _, m := range metrics {
			var names []string
			for _, d := range m.Dimensions {
				names = append(names, d.Name)
			}
			slices.Sort(names)
			name := m.Namespace + " " + m.MetricName
			if strings.HasPrefix(name, "rmk/") {
				name = "rmk " + m.MetricName
				if tpl.counts(m.Namespace, m.MetricName) {
					name = "a count"
				}
			}
			if !slices.Contains(published[name], strings.Join(names, ",")) {
				t.Errorf("%s: there is no %s by %v", id, name, names)
			}
		}
	}
}

// A topic's own policy replaces the default one, by which its account may publish: it
// must name every publisher, for this account alone.
func TestAlarmsMayPublish(t *testing.T) {
	eachStage(t, func(t *testing.T, tpl template) {
		allowed := map[string]bool{}
		for _, r := range tpl.resourcesOf("AWS::SNS::TopicPolicy") {
			for _, s := range r.Properties["PolicyDocument"].(map[string]any)["Statement"].([]any) {
				statement := s.(map[string]any)
				if statement["Effect"] != "Allow" {
					continue
				}
				equals, _ := statement["Condition"].(map[string]any)["StringEquals"].(map[string]any)
				want := map[string]any{"aws:SourceAccount": map[string]any{"Ref": "AWS::AccountId"}}
				if diff := cmp.Diff(want, equals); diff != "" {
					t.Errorf("%v (-want +got):\n%s", statement["Principal"], diff)
				}
				allowed[statement["Principal"].(map[string]any)["Service"].(string)] = true
			}
		}
		delete(allowed, "events.amazonaws.com") // of backups, in a stage that keeps data
		if got := slices.Sorted(maps.Keys(allowed)); !slices.Equal(got, []string{"budgets.amazonaws.com", "cloudwatch.amazonaws.com"}) {
			t.Errorf("%v may publish", got)
		}
	})
}
