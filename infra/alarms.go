package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsecs"
	elb "github.com/aws/aws-cdk-go/awscdk/v2/awselasticloadbalancingv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// alarmSpec describes one alarm: the row of its kind, with what differs from alarm to alarm.
type alarmSpec struct {
	Text      string
	Threshold *float64 // nil until the caller gives one, if the row does not
	Periods   float64
	Limit     string
	Page      bool

	kind, subject string
	metric        awscloudwatch.IMetric
	// part distinguishes the alarms of a composite alarm. It is empty in an alarm that notifies.
	part string
}

//go:embed alarms.yaml
var alarmsText []byte

// alarmKinds has the rows of alarms.yaml, which explains their fields, by their kinds.
var alarmKinds = readRows[map[string]alarmSpec](alarmsText)

// newAlarm returns an alarm of a kind as its row has it. It panics if there is no such row, or its limit is unknown.
func newAlarm(kind, subject string, metric awscloudwatch.IMetric) alarmSpec {
	w, ok := alarmKinds[kind]
	if !ok {
		panic("alarms: no kind " + kind)
	}
	if !slices.Contains([]string{"", "floor", "heartbeat"}, w.Limit) {
		panic("alarms: " + kind + " has the limit " + w.Limit)
	}
	w.kind = kind
	w.subject = subject
	w.metric = metric
	return w
}

func (d *deployment) addAlarms() {
	d.addCallerAlarms()
	for _, f := range topology.Functions {
		d.addFunctionAlarms(f)
	}
	if d.stage.Edge {
		d.addFunctionAlarms(topology.Function{Name: authorizer})
	}
	d.addWorkerAlarms()
	for _, q := range topology.Queues {
		minutes := 15.0
		most := metricOptions(5, "Maximum")
		if q.Name == topology.IngestQueue.Name {
			// Each agency has a message group there, so a flood of one makes its own messages wait and no others: SQS
			// calls the others quiet.
			minutes = 60
			quiet := d.queues[q.Name].Metric(new("ApproximateAgeOfOldestMessageInQuietGroups"), most)
			d.addAlarm("queue-age-quiet", q.Name, quiet)
		}
		age := newAlarm("queue-age", q.Name, d.queues[q.Name].MetricApproximateAgeOfOldestMessage(most))
		age.Text = fmt.Sprintf(age.Text, minutes)
		age.Threshold = new(minutes * 60)
		d.createAlarm(d.topics, age)
		d.addAlarm("dead-letters", q.Name, d.deadQueues[q.Name].MetricApproximateNumberOfMessagesVisible(most))
	}
	for _, t := range topology.Tables {
		d.addTableAlarms(t)
	}
	if d.uploads != nil {
		// Uploads also fail by what the load balancer itself answers with 5xx, for all of its containers: what it sends to
		// no target it does not count as a request.
		const failed, all = "(FILL(failed, 0) + FILL(refused, 0))", "FILL(calls, 0) + FILL(refused, 0)"
		of := d.uploads.metrics()
		of["refused"] = d.uploads.balancer.Metrics().HttpCodeElb(elb.HttpCodeElb_ELB_5XX_COUNT, metricOptions(5, "Sum"))
		d.addContainerAlarms(d.uploads.container, shareMetric(failed, all, 6, 5, of))
		d.addBurnAlarm(d.topics, newAlarm("availability", "large-uploads", nil), failed, all, of)
	}
	if d.reads != nil {
		failures := shareMetric("FILL(failed, 0)", "FILL(calls, 0)", 6, 5, d.reads.metrics())
		d.addContainerAlarms(*d.reads, failures)
		age := d.functionMetric(topology.MetricCatalogueAge, "Maximum", topology.Reads.Name)
		d.addAlarm("catalogue-age", "container", age)
	}
	if d.stage.KeepData {
		d.addBackupAlarms()
	}
	if d.search != nil {
		d.addSearchAlarms()
	}
}

// addFunctionAlarms creates the alarms of shares of a function's invocations over a quarter of an hour,
// in which a worker that runs once a minute has enough of them.
func (d *deployment) addFunctionAlarms(f topology.Function) {
	function := d.functions[f.Name]
	sum := metricOptions(15, "Sum")
	calls := function.MetricInvocations(sum)
	failed := metrics{"failed": function.MetricErrors(sum), "calls": calls}
	refused := metrics{"refused": function.MetricThrottles(sum), "calls": calls}
	d.addAlarm("function-errors", f.Name, shareMetric("failed", "calls", 2, 15, failed))
	d.addAlarm("function-throttled", f.Name, shareMetric("refused", "FILL(calls, 0) + refused", 5, 15, refused))
	switch f.Name {
	case string(contract.Roles):
		d.addAlarm("catalogue-age", "catalogue", d.functionMetric(topology.MetricCatalogueAge, "Maximum", f.Name))
	case topology.Ingest.Name:
		d.addAlarm("operator", f.Name, d.functionMetric("alarm", "Sum", f.Name))
	}
}

// addWorkerAlarms creates the alarms of schedules, of outcomes and of the account's
// instances. A schedule's heartbeat is the number of asynchronous events, which are those of the
// schedule alone: invocations would also count the messages of the worker's queue.
//
// Submissions may wait for the profile provider until all of them need more minutes of its look-ups than
// are left until the first of them is too late. The sweeper has values only while it leaves items.
func (d *deployment) addWorkerAlarms() {
	for _, w := range topology.Workers {
		if w.Every > 0 {
			started := d.functions[w.Name].Metric(new("AsyncEventsReceived"), metricOptions(10, "Sum"))
			d.addAlarm("schedule", w.Name, started)
		}
	}
	d.addOutcomeAlarms()
	d.addAlarm("parked", "outcomes", calculateMetric("parked - left", 5, metrics{
		"parked": d.functionMetric(topology.MetricParked, "Average", topology.Sweep.Name),
		"left":   d.functionMetric(topology.MetricParkedLeft, "Average", topology.Sweep.Name),
	}))
	failed := d.functionMetric(topology.MetricCanaryFailed, "Maximum", topology.Canary.Name)
	d.addAlarm("canary", topology.Canary.Name, calculateMetric("1 - failed", 5, metrics{"failed": failed}))
	most := newAlarm("concurrency", "account", newMetric("AWS/Lambda", "ConcurrentExecutions", "Maximum"))
	most.Threshold = new(float64(d.stage.concurrencyQuota()) * 0.8)
	d.createAlarm(d.topics, most)
}

// addTableAlarms creates the alarms of a table: of the reads and writes that DynamoDB refuses on it and on its indexes,
// of which it publishes a number only when it is not zero, and of the mean milliseconds of the slowest of those
// operations that the functions use most.
func (d *deployment) addTableAlarms(t topology.Table) {
	name := *d.tables[t.Name].TableName()
	var refused, times []awscloudwatch.IMetric
	count := func(dimensions ...string) {
		dimensions = append(dimensions, "TableName", name)
		for _, event := range []string{"ReadThrottleEvents", "WriteThrottleEvents"} {
			refused = append(refused, newMetric("AWS/DynamoDB", event, "Sum", dimensions...))
		}
	}
	count()
	for _, index := range t.Indexes {
		count("GlobalSecondaryIndexName", index.Name)
	}
	for _, operation := range []string{"GetItem", "Query", "UpdateItem"} {
		times = append(times, newMetric(
			"AWS/DynamoDB", "SuccessfulRequestLatency", "Average", "TableName", name, "Operation", operation,
		))
	}
	d.addAlarm("table-throttled", t.Name, aggregateMetrics("SUM", refused...))
	d.addAlarm("table-slow", t.Name, aggregateMetrics("MAX", times...))
}

// addContainerAlarms creates the alarms of a container's service: of the share of failures, of tasks that
// are not healthy, and of a service without a healthy one. The first two take a deployment back.
func (d *deployment) addContainerAlarms(c container, failures awscloudwatch.IMetric) {
	alarm := func(kind string, metric awscloudwatch.IMetric) alarmSpec {
		return newAlarm(c.name+"-"+kind, c.name, metric)
	}
	failing := alarm("errors", failures)
	unhealthy := alarm("unhealthy", c.targets.Metrics().UnhealthyHostCount(metricOptions(1, "Minimum")))
	d.createAlarm(d.topics, alarm("down", c.targets.Metrics().HealthyHostCount(metricOptions(1, "Maximum"))))
	// The names are texts, not references: CDK says of those that they can form a circle.
	names := jsii.Strings(d.physicalName(failing.name()), d.physicalName(unhealthy.name()))
	c.service.EnableDeploymentAlarms(names, &awsecs.DeploymentAlarmOptions{
		Behavior: awsecs.AlarmBehavior_ROLLBACK_ON_ALARM,
	})
	c.service.Node().AddDependency(d.createAlarm(d.topics, failing), d.createAlarm(d.topics, unhealthy))
}

func (d *deployment) addAlarm(kind, subject string, metric awscloudwatch.IMetric) awscloudwatch.Alarm {
	return d.createAlarm(d.topics, newAlarm(kind, subject, metric))
}

// createAlarm creates an alarm that notifies its topic, unless it is part of a composite alarm. It panics if neither the alarm's row
// nor the caller gives a threshold.
func (d *deployment) createAlarm(to topics, w alarmSpec) awscloudwatch.Alarm {
	if w.Threshold == nil {
		panic("alarms: " + w.kind + " has no threshold")
	}
	missing := awscloudwatch.TreatMissingData_NOT_BREACHING
	if w.Limit == "heartbeat" {
		missing = awscloudwatch.TreatMissingData_BREACHING
	}
	operator := awscloudwatch.ComparisonOperator_GREATER_THAN_THRESHOLD
	if w.Limit != "" {
		operator = awscloudwatch.ComparisonOperator_LESS_THAN_OR_EQUAL_TO_THRESHOLD
	}
	alarm := awscloudwatch.NewAlarm(to.stack, new(constructID(w.name())+"Alarm"), &awscloudwatch.AlarmProps{
		AlarmName:          new(d.physicalName(w.name())),
		AlarmDescription:   new(w.description()),
		Metric:             w.metric,
		Threshold:          w.Threshold,
		EvaluationPeriods:  jsii.Number(cmp.Or(w.Periods, 1)),
		ComparisonOperator: operator,
		TreatMissingData:   missing,
	})
	if w.part == "" {
		to.notify(alarm, w.Page)
	}
	return alarm
}

// singleSubjects are subjects of which a stage has one, so that a kind of alarm is enough of a name.
var singleSubjects = []string{"api", "account", "search", "uploads", "edge", "outcomes", "catalogue", "reads"}

// name returns the alarm's name within the stage: its kind, unless several are of that kind.
func (w alarmSpec) name() string {
	name := w.kind
	if w.subject != w.kind && !slices.Contains(singleSubjects, w.subject) {
		name += "-" + w.subject
	}
	if w.part != "" {
		name += "-" + w.part
	}
	return name
}

func (w alarmSpec) description() string {
	return fmt.Sprintf("%s %s. What to do: infra/README.md, alarm %s.", w.subject, w.Text, w.kind)
}

// topics are those that the alarms of one stack publish to.
type topics struct {
	stack          awscdk.Stack
	pages, tickets awssns.Topic
}

// newTopics creates the topics of the alarms of a stack, and of the tickets of other sources. Pages go to the pager, if
// the stage has one, beside the address of all alarms.
func (d *deployment) newTopics(stack awscdk.Stack, prefix string, ticketSources ...string) topics {
	pages := d.newTopic(stack, prefix+"pages", "cloudwatch.amazonaws.com")
	tickets := d.newTopic(stack, prefix+"tickets", ticketSources...)
	if d.stage.PageURL != "" {
		pages.AddSubscription(awssnssubscriptions.NewUrlSubscription(new(d.stage.PageURL), nil))
	}
	return topics{stack, pages, tickets}
}

// notify lets an alarm publish to its topic. A page also publishes that the trouble is over.
func (t topics) notify(alarm awscloudwatch.AlarmBase, isPage bool) {
	if !isPage {
		alarm.AddAlarmAction(awscloudwatchactions.NewSnsAction(t.tickets))
		return
	}
	alarm.AddAlarmAction(awscloudwatchactions.NewSnsAction(t.pages))
	alarm.AddOkAction(awscloudwatchactions.NewSnsAction(t.pages))
}

// newTopic creates a topic to which the account's services publish. Its policy replaces the
// default one, which lets the account's alarms publish, and so names CloudWatch again.
func (d *deployment) newTopic(stack awscdk.Stack, name string, services ...string) awssns.Topic {
	topic := awssns.NewTopic(stack, new(constructID(name)), &awssns.TopicProps{
		TopicName: new(d.physicalName(name)), EnforceSSL: new(true),
	})
	ours := map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": stack.Account()}}
	for _, service := range services {
		publisher := awsiam.NewServicePrincipal(&service, nil)
		topic.AddToResourcePolicy(allowPrincipal(publisher, ours, topic.TopicArn(), "sns:Publish"))
	}
	if d.stage.AlarmEmail != "" {
		topic.AddSubscription(awssnssubscriptions.NewEmailSubscription(new(d.stage.AlarmEmail), nil))
	}
	output := strings.TrimSuffix(constructID(name), "s") + "Topic"
	addOutput(stack, output, *topic.TopicArn(), "Subscribe to it to hear of alarms")
	return topic
}
