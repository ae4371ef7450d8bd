package main

import (
	"fmt"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// metricsNamespace returns the CloudWatch namespace of the stage's own metrics: those that package
// cloud emits in log lines, and the counts of log lines. Stages may share an account and a region.
func (d *deployment) metricsNamespace() string { return topology.MetricsNamespace(d.stage.Name) }

// metricOptions returns a statistic over periods of the given minutes.
func metricOptions(minutes float64, statistic string) *awscloudwatch.MetricOptions {
	return &awscloudwatch.MetricOptions{Period: awscdk.Duration_Minutes(jsii.Number(minutes)), Statistic: jsii.String(statistic)}
}

func newMetric(space, name, statistic string, dimensions map[string]*string) awscloudwatch.Metric {
	return awscloudwatch.NewMetric(&awscloudwatch.MetricProps{
		Namespace: jsii.String(space), MetricName: jsii.String(name), Statistic: jsii.String(statistic),
		Period: awscdk.Duration_Minutes(jsii.Number(5)), DimensionsMap: &dimensions,
	})
}

// functionMetric returns a metric that a function itself logs.
func (d *deployment) functionMetric(name, statistic, function string) awscloudwatch.Metric {
	return newMetric(d.metricsNamespace(), name, statistic, map[string]*string{"function": jsii.String(function)})
}

func (d *deployment) apiMetric(name, statistic string) awscloudwatch.Metric {
	return newMetric("AWS/ApiGateway", name, statistic, map[string]*string{"ApiId": d.api.Ref()})
}

// countLines counts the lines of a log that match a pattern, as a metric of the stage: 0 in a
// minute that has other lines only, and no data in a minute without lines.
func (d *deployment) countLines(log awslogs.ILogGroup, name, pattern string) {
	d.countLinesOf("", log, name, pattern)
}

// countLinesOf is countLines of a metric to which several logs add; source distinguishes them.
func (d *deployment) countLinesOf(source string, log awslogs.ILogGroup, name, pattern string) {
	d.sumLines(source, log, name, pattern, "1")
}

// countSampledLines is countLinesOf of the lines of requests. In a stage that samples them, each counts
// as many requests as its weight.
func (d *deployment) countSampledLines(source string, log awslogs.ILogGroup, name, pattern string) {
	weight := "1"
	if d.stage.LogSample > 1 {
		weight = "$.weight"
	}
	d.sumLines(source, log, name, pattern, weight)
}

// sumLines is countLinesOf with a value of each line: a number, or a field of the line.
func (d *deployment) sumLines(source string, log awslogs.ILogGroup, name, pattern, value string) {
	awslogs.NewMetricFilter(d.stack, jsii.String(constructID(name)+"Count"+source), &awslogs.MetricFilterProps{
		LogGroup: log, MetricNamespace: jsii.String(d.metricsNamespace()), MetricName: jsii.String(name),
		FilterPattern: awslogs.FilterPattern_Literal(jsii.String(pattern)), MetricValue: jsii.String(value), DefaultValue: jsii.Number(0),
	})
}

// countMetric returns what countLines counts.
func (d *deployment) countMetric(name string) awscloudwatch.IMetric {
	return newMetric(d.metricsNamespace(), name, "Sum", map[string]*string{})
}

// calculateMetric returns metric math over periods of the given minutes.
func calculateMetric(expression string, minutes float64, metrics map[string]awscloudwatch.IMetric) awscloudwatch.IMetric {
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String(expression), UsingMetrics: &metrics, Period: awscdk.Duration_Minutes(jsii.Number(minutes)),
	})
}

// shareMetric returns the share that a count of failures is of all, over periods of the given minutes:
// 0 if there are fewer failures than least, which say nothing, and missing without those and the metric calls.
func shareMetric(failures, all string, least int, minutes float64, metrics map[string]awscloudwatch.IMetric) awscloudwatch.IMetric {
	return calculateMetric(fmt.Sprintf("IF(%[1]s >= %[3]d, (%[1]s) / (%[2]s), 0 * calls)", failures, all, least), minutes, metrics)
}

// aggregateMetrics returns the sum, or another function, of the metrics that have data, over five
// minutes.
func aggregateMetrics(function string, metrics ...awscloudwatch.IMetric) awscloudwatch.IMetric {
	terms := map[string]awscloudwatch.IMetric{}
	for i, m := range metrics {
		terms[fmt.Sprintf("m%d", i)] = m
	}
	return calculateMetric(function+"(METRICS())", 5, terms)
}

// throttleMetric returns the number of reads and writes that DynamoDB refused on the
// table and on its indexes. DynamoDB publishes each metric only when it is not zero.
func (d *deployment) throttleMetric(t topology.Table) awscloudwatch.IMetric {
	var all []awscloudwatch.IMetric
	count := func(dimensions map[string]*string) {
		dimensions["TableName"] = d.tables[t.Name].TableName()
		for _, name := range []string{"ReadThrottleEvents", "WriteThrottleEvents"} {
			all = append(all, newMetric("AWS/DynamoDB", name, "Sum", dimensions))
		}
	}
	count(map[string]*string{})
	for _, index := range t.Indexes {
		count(map[string]*string{"GlobalSecondaryIndexName": jsii.String(index.Name)})
	}
	return aggregateMetrics("SUM", all...)
}

// tableLatency returns the mean time, in milliseconds, of the slowest of those operations on the
// table that its functions use most.
func (d *deployment) tableLatency(t topology.Table) awscloudwatch.IMetric {
	var all []awscloudwatch.IMetric
	for _, operation := range []string{"GetItem", "Query", "UpdateItem"} {
		isUsed := func(f topology.Function) bool {
			_, ok := f.Allows("dynamodb:"+operation, t.Items())
			return ok
		}
		if slices.ContainsFunc(topology.Functions, isUsed) {
			all = append(all, newMetric("AWS/DynamoDB", "SuccessfulRequestLatency", "Average", map[string]*string{
				"TableName": d.tables[t.Name].TableName(), "Operation": jsii.String(operation),
			}))
		}
	}
	return aggregateMetrics("MAX", all...)
}
