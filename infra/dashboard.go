package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addDashboard shows, from top to bottom: what callers see, the functions, the
// queues, and what the database is asked.
func (d *deployment) addDashboard() {
	board := awscloudwatch.NewDashboard(d.stack, jsii.String("Dashboard"), &awscloudwatch.DashboardProps{
		DashboardName: jsii.String(*d.stack.StackName()),
	})
	board.AddWidgets(
		graph("Requests and failures", d.apiMetric("Count", "Sum"), d.apiMetric("4xx", "Sum"), d.apiMetric("5xx", "Sum")),
		graph("Latency, ms", d.apiMetric("Latency", "p50"), d.apiMetric("Latency", "p99")),
	)
	var duration, errors, units, cold, ages, dead []awscloudwatch.IMetric
	for _, f := range topology.Functions {
		function := d.functions[f.Name]
		duration = append(duration, function.MetricDuration(over(5, "p99")))
		errors = append(errors, function.MetricErrors(over(5, "Sum")), function.MetricThrottles(over(5, "Sum")))
		units = append(units, own("read_units", "Sum", f.Name), own("write_units", "Sum", f.Name))
		cold = append(cold, own("cold", "Sum", f.Name))
	}
	for _, q := range topology.Queues {
		ages = append(ages, d.queues[q.Name].MetricApproximateAgeOfOldestMessage(over(5, "Maximum")))
		dead = append(dead, d.dead[q.Name].MetricApproximateNumberOfMessagesVisible(over(5, "Maximum")))
	}
	board.AddWidgets(graph("Functions, p99 ms", duration...), graph("Failed or throttled invocations", errors...))
	board.AddWidgets(graph("Age of the oldest message, s", ages...), graph("Dead letters", dead...))
	board.AddWidgets(graph("Read and write units", units...), graph("Cold starts", cold...))
}

func graph(name string, lines ...awscloudwatch.IMetric) awscloudwatch.IWidget {
	return awscloudwatch.NewGraphWidget(&awscloudwatch.GraphWidgetProps{Title: jsii.String(name), Left: &lines, Width: jsii.Number(12)})
}
