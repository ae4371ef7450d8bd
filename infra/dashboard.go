package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/interfaces/interfacesawslogs"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addDashboard creates a dashboard with, from top to bottom: the API as callers see it,
// the functions, the queues, and the load of the database.
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
	var duration, errors, units, cold, ages, dead []awscloudwatch.IMetric
	for _, f := range topology.Functions {
		function := d.functions[f.Name]
		sum := metricOptions(5, "Sum")
		duration = append(duration, function.MetricDuration(metricOptions(5, "p99")))
		errors = append(errors, function.MetricErrors(sum), function.MetricThrottles(sum))
		for _, name := range []string{"read_units", "write_units"} {
			units = append(units, d.functionMetric(name, "Sum", f.Name))
		}
		cold = append(cold, d.functionMetric("cold", "Sum", f.Name))
	}
	for _, q := range topology.Queues {
		ages = append(ages, d.queues[q.Name].MetricApproximateAgeOfOldestMessage(metricOptions(5, "Maximum")))
		dead = append(dead, d.deadQueues[q.Name].MetricApproximateNumberOfMessagesVisible(metricOptions(5, "Maximum")))
	}
	board.AddWidgets(newGraph("Functions, p99 ms", duration...), newGraph("Failed or throttled invocations", errors...))
	board.AddWidgets(newGraph("Age of the oldest message, s", ages...), newGraph("Dead letters", dead...))
	board.AddWidgets(newGraph("Read and write units", units...), newGraph("Cold starts", cold...))
}

func newGraph(name string, lines ...awscloudwatch.IMetric) awscloudwatch.IWidget {
	return awscloudwatch.NewGraphWidget(&awscloudwatch.GraphWidgetProps{Title: &name, Left: &lines, Width: new(12.0)})
}

// addQueries saves the query of Logs Insights that finds the lines of a request, or of all work with
// its trace or batch, in the logs of all functions and containers. The operator replaces ID.
func (d *deployment) addQueries() {
	var groups []interfacesawslogs.ILogGroupRef
	for _, f := range topology.Functions {
		groups = append(groups, d.functions[f.Name].LogGroup())
	}
	for _, f := range topology.Containers {
		if log := d.stack.Node().TryFindChild(new(constructID(f.Name) + "Log")); log != nil {
			groups = append(groups, log.(awslogs.LogGroup))
		}
	}
	awslogs.NewQueryDefinition(d.stack, new("FollowQuery"), &awslogs.QueryDefinitionProps{
		QueryDefinitionName: new("rmk-" + d.stage.Name + "/follow"),
		QueryString: awslogs.NewQueryString(&awslogs.QueryStringProps{
			Fields: jsii.Strings("@timestamp", "msg", "operation", "status", "code", "ms", "submission", "attempt",
				"cause", "request_id", "trace_id", "batch"),
			FilterStatements: jsii.Strings(`request_id = "ID" or trace_id = "ID" or batch = "ID"`),
			Sort:             new("@timestamp asc"),
			Limit:            new(10_000.0),
		}),
		LogGroups: &groups,
	})
}
