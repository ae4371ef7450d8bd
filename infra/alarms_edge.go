package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/jsii-runtime-go"
)

// addEdgeAlarms creates the alarms of CloudFront and its firewall. Their metrics are in us-east-1,
// and so are the alarms, which have topics of their own there.
func (d *deployment) addEdgeAlarms(distribution awscloudfront.Distribution, limit awscloudfront.Function) {
	to := topics{
		pages: d.newTopic(d.edge, "edge-pages", "cloudwatch.amazonaws.com"), tickets: d.newTopic(d.edge, "edge-tickets", "cloudwatch.amazonaws.com"),
	}
	d.subscribePager(to.pages)
	d.createAlarmIn(d.edge, to, alarmSpec{kind: "edge-errors", subject: "edge", text: "responds with 5xx to one request in twenty, for 15 minutes", threshold: 5, periods: 3,
		metric: newMetric("AWS/CloudFront", "5xxErrorRate", "Average", map[string]*string{"DistributionId": distribution.DistributionId(), "Region": jsii.String("Global")})})
	d.createAlarmIn(d.edge, to, alarmSpec{kind: "edge-function", subject: "edge", text: "has a function that fails, or is refused, for one request in a hundred", threshold: 0.01,
		metric: shareMetric("FILL(errors, 0) + FILL(refused, 0)", "FILL(calls, 0) + FILL(refused, 0)", 5, 5, map[string]awscloudwatch.IMetric{
			"errors": d.limitMetric(limit, "FunctionExecutionErrors"), "refused": d.limitMetric(limit, "FunctionThrottles"),
			"calls": d.limitMetric(limit, "FunctionInvocations"),
		})})
	d.createAlarmIn(d.edge, to, alarmSpec{kind: "edge-blocked", subject: "edge", text: "refuses over 10,000 requests in 5 minutes by rate, for 15 minutes", threshold: 10_000, periods: 3,
		metric: newMetric("AWS/WAFV2", "BlockedRequests", "Sum", map[string]*string{"WebACL": jsii.String(d.physicalName("firewall")), "Rule": jsii.String("ALL")})})
}

// limitMetric returns a metric of the CloudFront function.
func (d *deployment) limitMetric(limit awscloudfront.Function, name string) awscloudwatch.IMetric {
	return newMetric("AWS/CloudFront", name, "Sum", map[string]*string{"FunctionName": limit.FunctionName(), "Region": jsii.String("Global")})
}
