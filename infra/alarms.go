package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// alarmSpec describes one alarm. Its kind is a row of README.md, where the operator finds
// what to do.
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
	// part distinguishes the alarms of a composite alarm. It is empty in an alarm that notifies.
	part string
}

// addAlarms creates the alarms of the API and of every function, queue and table.
func (d *deployment) addAlarms() {
	d.countRequests()
	for _, s := range surfaces {
		d.addObjectiveAlarms(s)
	}
	d.addCallerAlarms()
	for _, f := range topology.Functions {
		d.addFunctionAlarms(f)
	}
	if d.stage.Edge {
		d.addFunctionAlarms(topology.Function{Name: authorizer})
	}
	d.addWorkerAlarms()
	for _, q := range topology.Queues {
		d.addQueueAlarms(q)
	}
	for _, t := range topology.Tables {
		d.createAlarm(alarmSpec{kind: "table-throttled", subject: t.Name, text: "throttles requests", threshold: 0, periods: 3,
			metric: d.throttleMetric(t)})
		d.createAlarm(alarmSpec{kind: "table-slow", subject: t.Name, text: "takes longer than 50 ms on average for one kind of operation, for 15 minutes",
			threshold: 50, periods: 3, metric: d.tableLatency(t)})
	}
	if d.uploads != nil {
		d.addUploadAlarms()
	}
	if d.reads != nil {
		d.addReadAlarms()
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
	calls := function.MetricInvocations(metricOptions(15, "Sum"))
	d.createAlarm(alarmSpec{kind: "function-errors", subject: f.Name, text: "fails, or runs out of time, for one call in a hundred", threshold: 0.01,
		metric: shareMetric("failed", "calls", 2, 15, map[string]awscloudwatch.IMetric{
			"failed": function.MetricErrors(metricOptions(15, "Sum")), "calls": calls,
		})})
	d.createAlarm(alarmSpec{kind: "function-throttled", subject: f.Name, text: "is refused an instance by Lambda for one call in a hundred", threshold: 0.01,
		metric: shareMetric("refused", "FILL(calls, 0) + refused", 5, 15, map[string]awscloudwatch.IMetric{
			"refused": function.MetricThrottles(metricOptions(15, "Sum")), "calls": calls,
		})})
	if f.Name == string(contract.Roles) {
		d.createAlarm(alarmSpec{kind: "catalogue-age", subject: "catalogue", text: "was not brought up to date for five minutes", threshold: 300,
			metric: d.functionMetric(topology.MetricCatalogueAge, "Maximum", f.Name)})
	}
	if f.Name == topology.Ingest.Name {
		d.createAlarm(alarmSpec{kind: "operator", subject: f.Name, text: "needs an operator: key, credit or settings of the profile provider", threshold: 0,
			metric: d.functionMetric("alarm", "Sum", f.Name)})
	}
}

// addWorkerAlarms creates the alarms of schedules, of outcomes and of the account's
// instances. A schedule's heartbeat is the number of asynchronous events, which are those of the
// schedule alone: invocations would also count the messages of the worker's queue.
func (d *deployment) addWorkerAlarms() {
	for _, w := range topology.Workers {
		if w.Every > 0 {
			d.createAlarm(alarmSpec{kind: "schedule", subject: w.Name, text: "was not started by its schedule for 10 minutes", onSilence: true, threshold: 0,
				metric: d.functions[w.Name].Metric(jsii.String("AsyncEventsReceived"), metricOptions(10, "Sum"))})
		}
	}
	d.addOutcomeAlarms()
	d.createAlarm(alarmSpec{kind: "canary", subject: topology.Canary.Name, text: "failed, or has not finished, for two runs in a row", onSilence: true, threshold: 0, periods: 2,
		metric: calculateMetric("1 - failed", 5, map[string]awscloudwatch.IMetric{"failed": d.functionMetric(topology.MetricCanaryFailed, "Maximum", topology.Canary.Name)})})
	d.createAlarm(alarmSpec{kind: "concurrency", subject: "account", text: "uses four fifths of the instances that Lambda runs at a time", threshold: float64(d.stage.concurrencyQuota()) * 0.8,
		metric: newMetric("AWS/Lambda", "ConcurrentExecutions", "Maximum", map[string]*string{})})
}

// addQueueAlarms creates the alarms of a queue. In the queue of submissions, in which each agency
// has a message group, a flood of one agency makes its own messages wait and no others: SQS calls
// the others quiet.
func (d *deployment) addQueueAlarms(q topology.Queue) {
	age := d.queues[q.Name].MetricApproximateAgeOfOldestMessage(metricOptions(5, "Maximum"))
	limit := 15.0
	if q.Name == topology.IngestQueue.Name {
		limit = 60
		d.createAlarm(alarmSpec{kind: "queue-age-quiet", subject: q.Name, text: "holds a message older than 5 minutes of an agency that has sent few", threshold: 5 * 60,
			metric: d.queues[q.Name].Metric(jsii.String("ApproximateAgeOfOldestMessageInQuietGroups"), metricOptions(5, "Maximum"))})
	}
	d.createAlarm(alarmSpec{kind: "queue-age", subject: q.Name, text: fmt.Sprintf("holds a message older than %.0f minutes", limit), threshold: limit * 60, metric: age})
	d.createAlarm(alarmSpec{kind: "dead-letters", subject: q.Name, text: "has dead letters", threshold: 0,
		metric: d.deadQueues[q.Name].MetricApproximateNumberOfMessagesVisible(metricOptions(5, "Maximum"))})
}

func (d *deployment) addUploadAlarms() {
	d.createAlarm(alarmSpec{kind: "uploads-errors", subject: "uploads", text: "answers one request in twenty with 5xx", threshold: 0.05,
		metric: d.uploads.failureMetric()})
	d.createAlarm(alarmSpec{kind: "uploads-down", subject: "uploads", text: "has no healthy task", onSilence: true, threshold: 0, periods: 3,
		metric: d.uploads.targets.Metrics().HealthyHostCount(metricOptions(1, "Maximum"))})
}

// createAlarm creates an alarm that notifies its topic, unless it is part of a composite alarm.
func (d *deployment) createAlarm(w alarmSpec) awscloudwatch.Alarm {
	return d.createAlarmIn(d.stack, d.topics, w)
}

func (d *deployment) createAlarmIn(stack awscdk.Stack, to topics, w alarmSpec) awscloudwatch.Alarm {
	missing := awscloudwatch.TreatMissingData_NOT_BREACHING
	operator := awscloudwatch.ComparisonOperator_GREATER_THAN_THRESHOLD
	if w.onSilence {
		missing = awscloudwatch.TreatMissingData_BREACHING
	}
	if w.onSilence || w.isFloor {
		operator = awscloudwatch.ComparisonOperator_LESS_THAN_OR_EQUAL_TO_THRESHOLD
	}
	alarm := awscloudwatch.NewAlarm(stack, jsii.String(constructID(w.name())+"Alarm"), &awscloudwatch.AlarmProps{
		AlarmName:          jsii.String(d.physicalName(w.name())),
		AlarmDescription:   jsii.String(w.description()),
		Metric:             w.metric,
		Threshold:          jsii.Number(w.threshold),
		EvaluationPeriods:  jsii.Number(cmp.Or(w.periods, 1)),
		ComparisonOperator: operator,
		TreatMissingData:   missing,
	})
	if w.part == "" {
		to.notify(alarm, w.kind)
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
	return fmt.Sprintf("%s %s. What to do: infra/README.md, alarm %s.", w.subject, w.text, w.kind)
}
