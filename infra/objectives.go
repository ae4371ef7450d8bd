package main

import (
	"fmt"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// surface is the part of the API that one kind of callers uses, with its objectives.
type surface struct {
	name string
	// paths are the beginnings of its paths, after the base path.
	paths []string
	// slow is the time in milliseconds within which a request must be answered.
	slow int
}

var surfaces = []surface{
	{"agencies", []string{"/talent-network/", "/agency/", "/resumes"}, 2000},
	{"recruiters", []string{"/recruiter/"}, 1000},
}

// outcomeSeconds is the time within which a submission must have an outcome.
const outcomeSeconds = 120

// burn is a rate at which an error budget, the share of requests that an objective leaves, is
// used up: 1 uses up that of 30 days in 30 days. It must be exceeded in a long window, which
// shows that it matters, and in a short one, which shows that it continues.
type burn struct {
	rate        float64
	long, short float64 // minutes
}

// burns notify of rates that would use up the budget in two days, and in five.
var burns = []burn{{14.4, 60, 5}, {6, 6 * 60, 30}}

// countObjectives counts, for each surface, the lines of a log with routes that begin with base: all
// requests, those that failed and those that were slow. condition begins the pattern of a line of a request.
func (d *deployment) countObjectives(lines countedLog, condition, base string) {
	for _, s := range surfaces {
		var paths []string
		for _, p := range s.paths {
			paths = append(paths, fmt.Sprintf(`$.route = "%s%s*"`, base, p))
		}
		route := condition + "(" + strings.Join(paths, " || ") + ")"
		d.countLines(lines, s.name+"_requests", "{ "+route+" }")
		d.countLines(lines, s.name+"_failed", "{ "+route+" && ($.status >= 500) }")
		d.countLines(lines, s.name+"_slow", fmt.Sprintf("{ %s && ($.ms > %d) }", route, s.slow))
	}
}

// addCountAlarm creates the alarm of an error budget from the counts of lines of bad requests and of all.
func (d *deployment) addCountAlarm(kind, subject, bad, all string) {
	of := metrics{"bad": d.countMetric(bad), "calls": d.countMetric(all)}
	d.addBurnAlarm(d.topics, newAlarm(kind, subject, nil), "bad", "calls", of)
}

// addBurnAlarm creates the alarm that an error budget, the threshold, is used up too fast. bad and all are the numbers of bad
// requests and of all, as expressions of the metrics, of which calls has no data while there are no requests. A long window
// with fewer than five bad requests says nothing.
func (d *deployment) addBurnAlarm(to topics, w alarmSpec, bad, all string, of metrics) {
	var either []awscloudwatch.IAlarmRule
	for _, b := range burns {
		window := func(minutes float64, expression string) awscloudwatch.IAlarmRule {
			part := w
			part.part = fmt.Sprintf("%.0fm", minutes)
			part.Threshold = new(b.rate * *w.Threshold)
			part.metric = calculateMetric(expression, minutes, of)
			return awscloudwatch.AlarmRule_FromAlarm(d.createAlarm(to, part), awscloudwatch.AlarmState_ALARM)
		}
		share := fmt.Sprintf("(%s) / (%s)", bad, all)
		long := window(b.long, fmt.Sprintf("IF(%s > 4, %s, 0 * calls)", bad, share))
		short := window(b.short, share)
		either = append(either, awscloudwatch.AlarmRule_AllOf(long, short))
	}
	id := new(constructID(w.name()) + "Alarm")
	to.notify(awscloudwatch.NewCompositeAlarm(to.stack, id, &awscloudwatch.CompositeAlarmProps{
		CompositeAlarmName: new(d.physicalName(w.name())),
		AlarmDescription:   new(w.description()),
		AlarmRule:          awscloudwatch.AlarmRule_AnyOf(either...),
	}), w.Page)
}

// succeededLine is the pattern of the line of a request with a live key that succeeded.
const succeededLine = `{ ($.msg = "request") && ($.environment = "live") && ($.status < 400) }`

// addCallerAlarms creates the alarms of the objectives, and those on refused requests. It counts the lines of the
// gateway's log, which has every request, also one that no function answered, and those of the reads container; the
// uploads container's requests are not among them. The floor counts live keys alone: the canary's requests succeed also
// while all other callers are refused.
func (d *deployment) addCallerAlarms() {
	findLog := func(id string) awslogs.LogGroup {
		return d.stack.Node().FindChild(new(id + "Log")).(awslogs.LogGroup)
	}
	gateway := countedLog{log: findLog("Api")}
	d.countObjectives(gateway, "", "*"+contract.BasePath)
	d.countLines(gateway, "rejected_keys", "{ $.status = 401 }")
	d.countLines(gateway, "throttled", "{ $.status = 429 }")
	if d.reads != nil {
		reads := countedLog{log: findLog(constructID(topology.Reads.Name)), source: "Reads", ofRequests: true}
		d.countObjectives(reads, `($.msg = "request") && `, "")
		d.countLines(reads, "rejected_keys", `{ ($.msg = "request") && ($.status = 401) }`)
		d.countLines(reads, "throttled", `{ ($.msg = "request") && ($.status = 429) }`)
		d.countLines(reads, "succeeded", succeededLine)
	}
	for _, s := range surfaces {
		d.addCountAlarm("availability", s.name, s.name+"_failed", s.name+"_requests")
		d.addCountAlarm("latency", s.name, s.name+"_slow", s.name+"_requests")
	}
	for _, f := range topology.Functions {
		if servesHTTP(f) {
			log := countedLog{d.functions[f.Name].LogGroup(), constructID(f.Name), true}
			d.countLines(log, "succeeded", succeededLine)
		}
	}
	if least := d.stage.TrafficFloor; least > 0 {
		succeeded := calculateMetric("succeeded", 15, metrics{"succeeded": d.countMetric("succeeded")})
		traffic := newAlarm("traffic-floor", "api", succeeded)
		traffic.Text = fmt.Sprintf(traffic.Text, least)
		traffic.Threshold = new(float64(least - 1))
		d.createAlarm(d.topics, traffic)
	}
	d.addAlarm("rejected-keys", "api", d.refusedShare("rejected_keys", 10))
	d.addAlarm("throttled", "api", d.refusedShare("throttled", 100))
}

// refusedShare returns the share of all requests that a count of refused ones is, 0 if it is less than least.
func (d *deployment) refusedShare(count string, least int) awscloudwatch.IMetric {
	all := "all"
	of := metrics{"refused": d.countMetric(count), "all": d.apiMetric("Count", "Sum")}
	if d.reads != nil {
		all = "(all + FILL(reads, 0))"
		of["reads"] = d.reads.targets.Metrics().RequestCount(metricOptions(5, "Sum"))
	}
	return calculateMetric(fmt.Sprintf("IF(refused >= %d, refused / %s, 0)", least, all), 5, of)
}

// addOutcomeAlarms creates the alarms of submissions that end late, or without the profile provider's answer.
func (d *deployment) addOutcomeAlarms() {
	lines := countedLog{log: d.functions[topology.Ingest.Name].LogGroup()}
	ended := fmt.Sprintf("(($.status = %q) || ($.status = %q))", contract.Succeeded, contract.Failed)
	unverified := fmt.Sprintf("($.status = %q) && ($.code = %q)", contract.Failed, contract.VerificationUnavailable)
	late := fmt.Sprintf("%s && ($.age_ms > %d)", ended, 1000*outcomeSeconds)
	d.countLines(lines, "ended", `{ ($.msg = "ingest") && `+ended+" }")
	d.countLines(lines, "unverified", `{ ($.msg = "ingest") && `+unverified+" }")
	d.countLines(lines, "late", `{ ($.msg = "ingest") && `+late+" }")
	d.addCountAlarm("outcome", "outcomes", "late", "ended")
	of := metrics{"unverified": d.countMetric("unverified"), "ended": d.countMetric("ended")}
	share := calculateMetric("IF(unverified > 4, unverified / ended, 0)", 60, of)
	d.addAlarm("verification", topology.Ingest.Name, share)
}
