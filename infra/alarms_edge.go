package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
)

// addEdgeAlarms creates the alarms of CloudFront and its firewall. Their metrics are in us-east-1,
// and so are the alarms, which have topics of their own there.
func (d *deployment) addEdgeAlarms(distribution awscloudfront.Distribution, limit awscloudfront.Function) {
	to := topics{
		pages:   d.newTopic(d.edge, "edge-pages", "cloudwatch.amazonaws.com"),
		tickets: d.newTopic(d.edge, "edge-tickets", "cloudwatch.amazonaws.com"),
	}
	d.subscribePager(to.pages)
	d.addBurnAlarm(d.edge, to, burnAlarm{
		kind: "availability", subject: "all-callers", budget: 1 - availabilityObjective,
		bad: "(rate / 100 * calls)", all: "calls", of: metrics{
			"rate":  distributionMetric(distribution, "5xxErrorRate", "Average"), // in percent
			"calls": distributionMetric(distribution, "Requests", "Sum"),
		},
	})
	const failed, all = "FILL(errors, 0) + FILL(refused, 0)", "FILL(calls, 0) + FILL(refused, 0)"
	d.createAlarmIn(d.edge, to, alarmSpec{
		kind: "edge-function", subject: "edge", threshold: 0.01,
		text: "has a function that fails, or is refused, for one request in a hundred",
		metric: shareMetric(failed, all, 5, 5, metrics{
			"errors":  limitMetric(limit, "FunctionExecutionErrors"),
			"refused": limitMetric(limit, "FunctionThrottles"),
			"calls":   limitMetric(limit, "FunctionInvocations"),
		}),
	})
	firewall := d.physicalName("firewall")
	d.createAlarmIn(d.edge, to, alarmSpec{
		kind: "edge-blocked", subject: "edge", threshold: 10_000, periods: 3,
		text:   "refuses over 10,000 requests in 5 minutes by rate, for 15 minutes",
		metric: newMetric("AWS/WAFV2", "BlockedRequests", "Sum", "WebACL", firewall, "Rule", "ALL"),
	})
}

// distributionMetric returns a metric of all responses of CloudFront, whichever part made them.
func distributionMetric(of awscloudfront.Distribution, name, statistic string) awscloudwatch.IMetric {
	return newMetric("AWS/CloudFront", name, statistic, "DistributionId", *of.DistributionId(), "Region", "Global")
}

// limitMetric returns a metric of the CloudFront function.
func limitMetric(limit awscloudfront.Function, name string) awscloudwatch.IMetric {
	return newMetric("AWS/CloudFront", name, "Sum", "FunctionName", *limit.FunctionName(), "Region", "Global")
}
