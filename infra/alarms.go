package main

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// namespace is the CloudWatch namespace of the functions' own metrics, which package
// cloud emits in log lines.
const namespace = "rmk"

// alarmSpec describes one alarm. Its kind is a heading of README.md, where the operator
// finds what to do.
type alarmSpec struct {
	kind, subject, text string
	metric              awscloudwatch.IMetric
	threshold           float64
	// periods is how many periods in a row must exceed the threshold; 0 means 1.
	periods float64
	// onSilence raises the alarm when no value exceeds the threshold or data is missing.
	onSilence bool
	// isFloor raises the alarm at or below the threshold.
	isFloor bool
}

// addTopic creates the topic that every alarm and the budget publishes to. Its policy
// replaces the default one, which lets the account's alarms publish, and so names
// CloudWatch again.
func (d *deployment) addTopic() {
	d.alarmTopic = awssns.NewTopic(d.stack, jsii.String("Alarms"), &awssns.TopicProps{
		TopicName: jsii.String(d.physicalName("alarms")), EnforceSSL: jsii.Bool(true),
	})
	for _, service := range []string{"budgets.amazonaws.com", "cloudwatch.amazonaws.com"} {
		d.alarmTopic.AddToResourcePolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
			Actions: jsii.Strings("sns:Publish"), Resources: &[]*string{d.alarmTopic.TopicArn()},
			Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String(service), nil)},
			Conditions: &map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": d.stack.Account()}},
		}))
	}
	if d.stage.AlarmEmail != "" {
		d.alarmTopic.AddSubscription(awssnssubscriptions.NewEmailSubscription(jsii.String(d.stage.AlarmEmail), nil))
	}
	addOutput(d.stack, "AlarmTopic", *d.alarmTopic.TopicArn(), "Subscribe to it to hear of alarms")
}

// addAlarms creates the alarms of the API and of every function, queue and table.
func (d *deployment) addAlarms() {
	d.addAPIAlarms()
	for _, f := range topology.Functions {
		d.addFunctionAlarms(f)
	}
	for _, w := range topology.Workers {
		if w.Every > 0 {
			d.addAlarmSpec(alarmSpec{kind: "schedule", subject: w.Name, text: "has not run for 10 minutes", onSilence: true, threshold: 0,
				metric: d.functions[w.Name].MetricInvocations(metricOptions(10, "Sum"))})
		}
	}
	for _, q := range topology.Queues {
		d.addAlarmSpec(alarmSpec{kind: "queue-age", subject: q.Name, text: "holds a message older than 15 minutes", threshold: 15 * 60,
			metric: d.queues[q.Name].MetricApproximateAgeOfOldestMessage(metricOptions(5, "Maximum"))})
		d.addAlarmSpec(alarmSpec{kind: "dead-letters", subject: q.Name, text: "has dead letters", threshold: 0,
			metric: d.deadQueues[q.Name].MetricApproximateNumberOfMessagesVisible(metricOptions(5, "Maximum"))})
	}
	for _, t := range topology.Tables {
		d.addAlarmSpec(alarmSpec{kind: "table-throttled", subject: t.Name, text: "throttles requests", threshold: 0, periods: 3,
			metric: d.throttleMetric(t)})
	}
	if d.uploads != nil {
		d.addAlarmSpec(alarmSpec{kind: "api-errors", subject: "uploads", text: "answered 5xx more than 5 times in 5 minutes", threshold: 5,
			metric: d.uploads.failureMetric()})
		d.addAlarmSpec(alarmSpec{kind: "uploads-down", subject: "uploads", text: "has no healthy task", onSilence: true, threshold: 0, periods: 3,
			metric: d.uploads.targets.Metrics().HealthyHostCount(metricOptions(1, "Maximum"))})
	}
	if d.search != nil {
		d.addSearchAlarms()
	}
	for _, w := range d.alarmSpecs {
		d.createAlarm(w)
	}
}

func (d *deployment) addAlarmSpec(w alarmSpec) { d.alarmSpecs = append(d.alarmSpecs, w) }

func (d *deployment) addAPIAlarms() {
	d.addAlarmSpec(alarmSpec{kind: "api-errors", subject: "api", text: "answered 5xx more than 5 times in 5 minutes", threshold: 5,
		metric: d.apiMetric("5xx", "Sum")})
	d.addAlarmSpec(alarmSpec{kind: "api-slow", subject: "api", text: "takes longer than 3 s for one request in a hundred", threshold: 3000, periods: 3,
		metric: d.apiMetric("Latency", "p99")})
}

func (d *deployment) addFunctionAlarms(f topology.Function) {
	function := d.functions[f.Name]
	d.addAlarmSpec(alarmSpec{kind: "function-errors", subject: f.Name, text: "failed or ran out of time", threshold: 0, metric: function.MetricErrors(metricOptions(5, "Sum"))})
	d.addAlarmSpec(alarmSpec{kind: "function-throttled", subject: f.Name, text: "was refused an instance by Lambda", threshold: 0, metric: function.MetricThrottles(metricOptions(5, "Sum"))})
	if f.Name == topology.Ingest.Name {
		d.addAlarmSpec(alarmSpec{kind: "operator", subject: f.Name, text: "needs an operator: key, credit or settings of the profile provider", threshold: 0,
			metric: functionMetric("alarm", "Sum", f.Name)})
	}
}

// createAlarm creates an alarm that notifies the topic.
func (d *deployment) createAlarm(w alarmSpec) {
	missing := awscloudwatch.TreatMissingData_NOT_BREACHING
	operator := awscloudwatch.ComparisonOperator_GREATER_THAN_THRESHOLD
	if w.onSilence {
		missing = awscloudwatch.TreatMissingData_BREACHING
	}
	if w.onSilence || w.isFloor {
		operator = awscloudwatch.ComparisonOperator_LESS_THAN_OR_EQUAL_TO_THRESHOLD
	}
	name := w.kind + "-" + w.subject
	if w.kind == w.subject || w.subject == "api" || w.subject == "search" || w.subject == "uploads" && w.kind == "uploads-down" {
		name = w.kind
	}
	alarm := awscloudwatch.NewAlarm(d.stack, jsii.String(constructID(name)+"Alarm"), &awscloudwatch.AlarmProps{
		AlarmName:          jsii.String(d.physicalName(name)),
		AlarmDescription:   jsii.String(fmt.Sprintf("%s %s. What to do: infra/README.md, alarm %s.", w.subject, w.text, w.kind)),
		Metric:             w.metric,
		Threshold:          jsii.Number(w.threshold),
		EvaluationPeriods:  jsii.Number(max(1, w.periods)),
		ComparisonOperator: operator,
		TreatMissingData:   missing,
	})
	alarm.AddAlarmAction(awscloudwatchactions.NewSnsAction(d.alarmTopic))
}

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
func functionMetric(name, statistic, function string) awscloudwatch.Metric {
	return newMetric(namespace, name, statistic, map[string]*string{"function": jsii.String(function)})
}

func (d *deployment) apiMetric(name, statistic string) awscloudwatch.Metric {
	return newMetric("AWS/ApiGateway", name, statistic, map[string]*string{"ApiId": d.api.Ref()})
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
	return sumMetrics(all...)
}

// sumMetrics returns the sum of the metrics that have data, over five minutes.
func sumMetrics(metrics ...awscloudwatch.IMetric) awscloudwatch.IMetric {
	terms := map[string]awscloudwatch.IMetric{}
	for i, m := range metrics {
		terms[fmt.Sprintf("m%d", i)] = m
	}
	return awscloudwatch.NewMathExpression(&awscloudwatch.MathExpressionProps{
		Expression: jsii.String("SUM(METRICS())"), UsingMetrics: &terms, Period: awscdk.Duration_Minutes(jsii.Number(5)),
	})
}

// addBudget warns before the month's costs exceed the stage's budget.
func (d *deployment) addBudget() {
	notify := func(kind string, percent float64) *awsbudgets.CfnBudget_NotificationWithSubscribersProperty {
		return &awsbudgets.CfnBudget_NotificationWithSubscribersProperty{
			Notification: &awsbudgets.CfnBudget_NotificationProperty{
				NotificationType: jsii.String(kind), ComparisonOperator: jsii.String("GREATER_THAN"),
				Threshold: jsii.Number(percent), ThresholdType: jsii.String("PERCENTAGE"),
			},
			Subscribers: []*awsbudgets.CfnBudget_SubscriberProperty{{SubscriptionType: jsii.String("SNS"), Address: d.alarmTopic.TopicArn()}},
		}
	}
	awsbudgets.NewCfnBudget(d.stack, jsii.String("Budget"), &awsbudgets.CfnBudgetProps{
		Budget: &awsbudgets.CfnBudget_BudgetDataProperty{
			BudgetName: jsii.String("rmk-" + d.stage.Name), BudgetType: jsii.String("COST"), TimeUnit: jsii.String("MONTHLY"),
			BudgetLimit: &awsbudgets.CfnBudget_SpendProperty{Amount: jsii.Number(d.stage.MonthlyBudget), Unit: jsii.String("USD")},
			CostFilters: map[string]any{"TagKeyValue": []string{"user:stage$" + d.stage.Name}},
		},
		NotificationsWithSubscribers: []any{notify("ACTUAL", 80), notify("FORECASTED", 100)},
	})
}
