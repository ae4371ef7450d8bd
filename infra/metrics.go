package main

import (
	"fmt"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// metricsNamespace returns the CloudWatch namespace of the stage's own metrics: those that package
// cloud emits in log lines, and the counts of log lines. Stages may share an account and a region.
func (d *deployment) metricsNamespace() string { return topology.MetricsNamespace(d.stage.Name) }

func metricOptions(minutes float64, statistic string) *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Period: awscdk.Duration_Minutes(&minutes), Statistic: &statistic}
}

// newMetric returns a metric over periods of five minutes. Its dimensions are names, each with a value behind it.
func newMetric(space, name, statistic string, dimensions ...string) awscloudwatch.Metric {
	values := map[string]*string{}
	for pair := range slices.Chunk(dimensions, 2) {
		values[pair[0]] = &pair[1]
	}
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: &space, MetricName: &name, Statistic: &statistic,
		Period: awscdk.Duration_Minutes(new(5.0)), DimensionsMap: &values,
	})
}

func (d *deployment) functionMetric(name, statistic, function string) awscloudwatch.Metric {
	return newMetric(d.metricsNamespace(), name, statistic, "function", function)
}

func (d *deployment) apiMetric(name, statistic string) awscloudwatch.Metric {
	return newMetric("AWS/ApiGateway", name, statistic, "ApiId", *d.api.Ref())
}

type countedLog struct {
	log awslogs.ILogGroup
	// source distinguishes the logs that add to one metric.
	source string
	// ofRequests says that the lines are of requests: in a stage that samples them, each counts as many requests
	// as its weight.
	ofRequests bool
}

// countLines counts the lines of a log that match a pattern, as a metric of the stage: 0 in a
// minute that has other lines only, and no data in a minute without lines.
func (d *deployment) countLines(c countedLog, name, pattern string) {
	value := "1"
	if c.ofRequests && d.stage.LogSample > 1 {
		value = "$.weight"
	}
	awslogs.NewMetricFilter(d.stack, new(constructID(name)+"Count"+c.source), &awslogs.MetricFilterProps{
		LogGroup: c.log, MetricNamespace: new(d.metricsNamespace()), MetricName: &name,
		FilterPattern: awslogs.FilterPattern_Literal(&pattern), MetricValue: &value, DefaultValue: new(0.0),
	})
}

func (d *deployment) countMetric(name string) awscloudwatch.IMetric {
	return newMetric(d.metricsNamespace(), name, "Sum")
}

// metrics are those that an expression of metric math names.
type metrics map[string]awscloudwatch.IMetric

func calculateMetric(expression string, minutes float64, of metrics) awscloudwatch.IMetric {
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: &expression, UsingMetrics: (*map[string]awscloudwatch.IMetric)(&of),
		Period: awscdk.Duration_Minutes(&minutes),
	})
}

// shareMetric returns the share that a count of failures is of all, over periods of the given minutes:
// 0 if there are fewer failures than least, which say nothing, and missing without those and the metric calls.
func shareMetric(failures, all string, least int, minutes float64, of metrics) awscloudwatch.IMetric {
	const share = "IF(%[1]s >= %[3]d, (%[1]s) / (%[2]s), 0 * calls)"
	return calculateMetric(fmt.Sprintf(share, failures, all, least), minutes, of)
}

// aggregateMetrics returns the sum, or another function, of the metrics that have data, over five minutes.
func aggregateMetrics(function string, all ...awscloudwatch.IMetric) awscloudwatch.IMetric {
	terms := metrics{}
	for i, m := range all {
		terms[fmt.Sprintf("m%d", i)] = m
	}
	return calculateMetric(function+"(METRICS())", 5, terms)
}

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
