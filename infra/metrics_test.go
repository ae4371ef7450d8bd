package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sharedMetrics are metrics of the account and region, which every stage there may read.
var sharedMetrics = []string{"AWS/Lambda ConcurrentExecutions []"}

// metricIDs returns the identity of every metric that a stage's alarms and dashboards read:
// namespace, name and dimensions, with references resolved to the stage's own resources.
func (tpl template) metricIDs(t *testing.T, stage string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	add := func(space, name string, dimensions []string) {
		slices.Sort(dimensions)
		id := strings.ReplaceAll(fmt.Sprintf("%s %s %q", space, name, dimensions), "${", "${"+stage+".")
		all[strings.ReplaceAll(id, "${"+stage+".AWS::", "${AWS::")] = true
	}
	for _, r := range tpl.resourcesOf("AWS::CloudWatch::Alarm") {
		for _, m := range metricsOf(t, r) {
			var dimensions []string
			for _, d := range m.Dimensions {
				dimensions = append(dimensions, d.Name+"="+flatten(d.Value))
			}
			add(m.Namespace, m.MetricName, dimensions)
		}
	}
	for _, r := range tpl.resourcesOf("AWS::CloudWatch::Dashboard") {
		for _, m := range graphedMetrics(t, flatten(r.Properties["DashboardBody"])) {
			var dimensions []string
			for i := 2; i+1 < len(m); i += 2 {
				dimensions = append(dimensions, m[i]+"="+m[i+1])
			}
			add(m[0], m[1], dimensions)
		}
	}
	return all
}

// graphedMetrics returns the metrics of a dashboard's body: namespace, name, and the names and
// values of dimensions in turn.
func graphedMetrics(t *testing.T, body string) (all [][]string) {
	t.Helper()
	var board struct {
		Widgets []struct{ Properties struct{ Metrics [][]any } }
	}
	if err := json.Unmarshal([]byte(body), &board); err != nil {
		t.Fatal(err)
	}
	for _, w := range board.Widgets {
		for _, m := range w.Properties.Metrics {
			var texts []string
			for _, v := range m {
				if text, ok := v.(string); ok {
					texts = append(texts, text)
				}
			}
			if len(texts) < 2 {
				t.Fatalf("the dashboard has the metric %v", m)
			}
			all = append(all, texts)
		}
	}
	return all
}

// No alarm or dashboard of a stage reads a metric that another stage in the same account and region
// writes: a canary that passes in dev would hide one that has died in production.
func TestStagesShareNoMetric(t *testing.T) {
	s := synthSearch(t)
	readers := map[string][]string{}
	for _, stage := range stages {
		ids := s.templates[stage].metricIDs(t, stage)
		if len(ids) < 50 {
			t.Errorf("%s reads %d metrics only", stage, len(ids))
		}
		for id := range ids {
			readers[id] = append(readers[id], stage)
		}
	}
	for id, by := range readers {
		if len(by) > 1 && !slices.Contains(sharedMetrics, id) {
			t.Errorf("%s is read by %v", id, by)
		}
	}
}
