package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addDashboard creates a dashboard with, from top to bottom: the API as callers see it,
// the functions, the queues, and the load of the database. It also saves the query of Logs Insights that finds the
// lines of a request in the logs of all functions and containers.
func (d *deployment) addDashboard() {
	board := awscloudwatch.NewDashboard(d.stack, new("Dashboard"), &awscloudwatch.DashboardProps{
		DashboardName: new("rmk-" + d.stage.Name),
	})
	board.AddWidgets(
		newGraph("Requests and failures",
			d.apiMetric("Count", "Sum"), d.apiMetric("4xx", "Sum"), d.apiMetric("5xx", "Sum")),
		newGraph("Latency, ms", d.apiMetric("Latency", "p50"), d.apiMetric("Latency", "p99")),
	)
	var bad []awscloudwatch.IMetric
	for _, s := range surfaces {
		bad = append(bad, d.countMetric(s.name+"_failed"), d.countMetric(s.name+"_slow"))
	}
	board.AddWidgets(newGraph("Against the objectives", bad...),
		newGraph("Refused callers", d.countMetric("rejected_keys"), d.countMetric("throttled")))
	var logs []string
	var duration, errors, units, cold, ages, dead []awscloudwatch.IMetric
	for _, f := range topology.Functions {
		function := d.functions[f.Name]
		sum := metricOptions(5, "Sum")
		duration = append(duration, function.MetricDuration(metricOptions(5, "p99")))
		errors = append(errors, function.MetricErrors(sum), function.MetricThrottles(sum))
		units = append(units, d.functionMetric("read_units", "Sum", f.Name), d.functionMetric("write_units", "Sum", f.Name))
		cold = append(cold, d.functionMetric("cold", "Sum", f.Name))
		logs = append(logs, *function.LogGroup().LogGroupName())
	}
	for _, q := range topology.Queues {
		ages = append(ages, d.queues[q.Name].MetricApproximateAgeOfOldestMessage(metricOptions(5, "Maximum")))
		dead = append(dead, d.deadQueues[q.Name].MetricApproximateNumberOfMessagesVisible(metricOptions(5, "Maximum")))
	}
	board.AddWidgets(newGraph("Functions, p99 ms", duration...), newGraph("Failed or throttled invocations", errors...))
	board.AddWidgets(newGraph("Age of the oldest message, s", ages...), newGraph("Dead letters", dead...))
	board.AddWidgets(newGraph("Read and write units", units...), newGraph("Cold starts", cold...))
	for _, f := range topology.Containers {
		if log := d.stack.Node().TryFindChild(new(constructID(f.Name) + "Log")); log != nil {
			logs = append(logs, *log.(awslogs.LogGroup).LogGroupName())
		}
	}
	addResource(d.stack, "FollowQuery/Resource", map[string]any{"Stage": d.stage.Name, "Logs": logs})
}

func newGraph(name string, lines ...awscloudwatch.IMetric) awscloudwatch.IWidget {
	return awscloudwatch.NewGraphWidget(&awscloudwatch.GraphWidgetProps{Title: &name, Left: &lines, Width: new(12.0)})
}
