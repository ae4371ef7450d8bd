package main

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsecs"
	elb "github.com/aws/aws-cdk-go/awscdk/v2/awselasticloadbalancingv2"
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
		d.createAlarm(alarmSpec{
			kind: "table-throttled", subject: t.Name, periods: 3, metric: d.throttleMetric(t),
			text: "throttles requests",
		})
		d.createAlarm(alarmSpec{
			kind: "table-slow", subject: t.Name, threshold: 50, periods: 3, metric: d.tableLatency(t),
			text: "takes longer than 50 ms on average for one kind of operation, for 15 minutes",
		})
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
	failed := function.MetricErrors(metricOptions(15, "Sum"))
	refused := function.MetricThrottles(metricOptions(15, "Sum"))
	d.createAlarm(alarmSpec{
		kind: "function-errors", subject: f.Name, threshold: 0.01,
		text:   "fails, or runs out of time, for one call in a hundred",
		metric: shareMetric("failed", "calls", 2, 15, metrics{"failed": failed, "calls": calls}),
	})
	d.createAlarm(alarmSpec{
		kind: "function-throttled", subject: f.Name, threshold: 0.01,
		text:   "is refused an instance by Lambda for one call in a hundred",
		metric: shareMetric("refused", "FILL(calls, 0) + refused", 5, 15, metrics{"refused": refused, "calls": calls}),
	})
	if f.Name == string(contract.Roles) {
		d.addCatalogueAlarm("catalogue", f)
	}
	if f.Name == topology.Ingest.Name {
		d.createAlarm(alarmSpec{
			kind: "operator", subject: f.Name, metric: d.functionMetric("alarm", "Sum", f.Name),
			text: "needs an operator: key, credit or settings of the profile provider",
		})
	}
}

// addCatalogueAlarm creates the alarm of a catalogue of roles that is not brought up to date.
func (d *deployment) addCatalogueAlarm(subject string, f topology.Function) {
	d.createAlarm(alarmSpec{
		kind: "catalogue-age", subject: subject, threshold: 300,
		text:   "was not brought up to date for five minutes",
		metric: d.functionMetric(topology.MetricCatalogueAge, "Maximum", f.Name),
	})
}

// addWorkerAlarms creates the alarms of schedules, of outcomes and of the account's
// instances. A schedule's heartbeat is the number of asynchronous events, which are those of the
// schedule alone: invocations would also count the messages of the worker's queue.
func (d *deployment) addWorkerAlarms() {
	for _, w := range topology.Workers {
		if w.Every > 0 {
			d.createAlarm(alarmSpec{
				kind: "schedule", subject: w.Name, onSilence: true,
				text:   "was not started by its schedule for 10 minutes",
				metric: d.functions[w.Name].Metric(new("AsyncEventsReceived"), metricOptions(10, "Sum")),
			})
		}
	}
	d.addOutcomeAlarms()
	d.addParkedAlarm()
	failed := d.functionMetric(topology.MetricCanaryFailed, "Maximum", topology.Canary.Name)
	d.createAlarm(alarmSpec{
		kind: "canary", subject: topology.Canary.Name, onSilence: true, periods: 2,
		text:   "failed, or has not finished, for two runs in a row",
		metric: calculateMetric("1 - failed", 5, metrics{"failed": failed}),
	})
	d.createAlarm(alarmSpec{
		kind: "concurrency", subject: "account", threshold: float64(d.stage.concurrencyQuota()) * 0.8,
		text:   "uses four fifths of the instances that Lambda runs at a time",
		metric: newMetric("AWS/Lambda", "ConcurrentExecutions", "Maximum"),
	})
}

// addParkedAlarm creates the alarm of submissions that wait for the profile provider longer than they may:
// all of them need more minutes of its look-ups than are left until the first of them is too late. The
// sweeper has values only while it leaves items.
func (d *deployment) addParkedAlarm() {
	metric := func(name string) awscloudwatch.IMetric {
		return d.functionMetric(name, "Average", topology.Sweep.Name)
	}
	d.createAlarm(alarmSpec{
		kind: "parked", subject: "outcomes", periods: 3,
		text: "wait for the profile provider longer than until the first of them is too late",
		metric: calculateMetric("parked - left", 5, metrics{
			"parked": metric(topology.MetricParked), "left": metric(topology.MetricParkedLeft),
		}),
	})
}

// addQueueAlarms creates the alarms of a queue. In the queue of submissions, in which each agency
// has a message group, a flood of one agency makes its own messages wait and no others: SQS calls
// the others quiet.
func (d *deployment) addQueueAlarms(q topology.Queue) {
	limit := 15.0
	if q.Name == topology.IngestQueue.Name {
		limit = 60
		const quiet = "ApproximateAgeOfOldestMessageInQuietGroups"
		d.createAlarm(alarmSpec{
			kind: "queue-age-quiet", subject: q.Name, threshold: 5 * 60,
			text:   "holds a message older than 5 minutes of an agency that has sent few",
			metric: d.queues[q.Name].Metric(new(quiet), metricOptions(5, "Maximum")),
		})
	}
	d.createAlarm(alarmSpec{
		kind: "queue-age", subject: q.Name, threshold: limit * 60,
		text:   fmt.Sprintf("holds a message older than %.0f minutes", limit),
		metric: d.queues[q.Name].MetricApproximateAgeOfOldestMessage(metricOptions(5, "Maximum")),
	})
	d.createAlarm(alarmSpec{
		kind: "dead-letters", subject: q.Name, text: "has dead letters",
		metric: d.deadQueues[q.Name].MetricApproximateNumberOfMessagesVisible(metricOptions(5, "Maximum")),
	})
}

func (d *deployment) addUploadAlarms() {
	of := d.uploads.metrics()
	failures := shareMetric(failedUploads, allUploads, 6, 5, of)
	d.addContainerAlarms(topology.Uploads, d.uploads.service, d.uploads.targets, failures)
	d.addBurnAlarm(d.stack, d.topics, burnAlarm{
		kind: "availability", subject: "large-uploads", budget: 1 - availabilityObjective,
		bad: failedUploads, all: allUploads, of: of,
	})
}

// addContainerAlarms creates the alarms of a container's service: of the share of failures, of tasks that
// are not healthy, and of a service without a healthy one. The first two take a deployment back.
func (d *deployment) addContainerAlarms(
	f topology.Function, service awsecs.FargateService, targets elb.ApplicationTargetGroup, failures awscloudwatch.IMetric,
) {
	failing := alarmSpec{
		kind: f.Name + "-errors", subject: f.Name, threshold: 0.05, metric: failures,
		text: "answers one request in twenty with 5xx",
	}
	unhealthy := alarmSpec{
		kind: f.Name + "-unhealthy", subject: f.Name, text: "has a task that fails its health check, for three minutes",
		metric: targets.Metrics().UnhealthyHostCount(metricOptions(1, "Minimum")), periods: 3,
	}
	d.createAlarm(alarmSpec{
		kind: f.Name + "-down", subject: f.Name, text: "has no healthy task", onSilence: true, periods: 3,
		metric: targets.Metrics().HealthyHostCount(metricOptions(1, "Maximum")),
	})
	// The names are texts, not references: CDK says of those that they can form a circle.
	names := jsii.Strings(d.physicalName(failing.name()), d.physicalName(unhealthy.name()))
	service.EnableDeploymentAlarms(names, &awsecs.DeploymentAlarmOptions{
		Behavior: awsecs.AlarmBehavior_ROLLBACK_ON_ALARM,
	})
	service.Node().AddDependency(d.createAlarm(failing), d.createAlarm(unhealthy))
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
	alarm := awscloudwatch.NewAlarm(stack, new(constructID(w.name())+"Alarm"), &awscloudwatch.AlarmProps{
		AlarmName:          new(d.physicalName(w.name())),
		AlarmDescription:   new(w.description()),
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
