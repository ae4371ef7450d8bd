package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapplicationautoscaling"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsecs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awselasticloadbalancingv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const (
	// readsCPU is a task's share of processors in 1/1024; half of it in use is the target of scaling, which
	// can quadruple the tasks.
	readsCPU        = 2048
	readsCPUPercent = 50
	mostReadTasks   = 4
)

// addReads runs the container that serves the paths of recruiters and agencies behind the load balancer of
// uploads, in place of API Gateway and functions. Those stay deployed, and serve again when the stage's
// ReadTasks is 0 and the edge was deployed.
func (d *deployment) addReads() {
	service := d.newService(topology.Reads, readsCPU)
	d.reads = d.newTargets(topology.Reads, service)
	d.uploads.listener.AddTargetGroups(jsii.String("Reads"), &awselasticloadbalancingv2.AddApplicationTargetGroupsProps{
		TargetGroups: &[]awselasticloadbalancingv2.IApplicationTargetGroup{d.reads}, Priority: jsii.Number(1),
		Conditions: &[]awselasticloadbalancingv2.ListenerCondition{
			awselasticloadbalancingv2.ListenerCondition_PathPatterns(jsii.Strings(readPatterns()...)),
		},
	})
	scaling := service.AutoScaleTaskCount(&awsapplicationautoscaling.EnableScalingProps{
		MinCapacity: jsii.Number(d.stage.ReadTasks), MaxCapacity: jsii.Number(mostReadTasks * d.stage.ReadTasks),
	})
	scaling.ScaleOnCpuUtilization(jsii.String("Processor"), &awsecs.CpuUtilizationScalingProps{
		TargetUtilizationPercent: jsii.Number(readsCPUPercent),
	})
}

// readPatterns returns the patterns of the paths that lead to the container.
func readPatterns() (all []string) {
	for _, path := range topology.ReadPaths {
		all = append(all, contract.BasePath+path+"*")
	}
	return all
}

// addReadBehaviors leads the container's paths to the load balancer.
func (d *deployment) addReadBehaviors(behaviors map[string]*awscloudfront.BehaviorOptions, to *awscloudfront.BehaviorOptions) {
	if d.stage.ReadTasks > 0 {
		for _, pattern := range readPatterns() {
			behaviors[pattern] = to
		}
	}
}

// countReads counts the lines of the container as countRequests does those of API Gateway.
func (d *deployment) countReads() {
	if d.reads == nil {
		return
	}
	log := d.stack.Node().FindChild(jsii.String(constructID(topology.Reads.Name) + "Log")).(awslogs.LogGroup)
	const request = `($.msg = "request")`
	d.countObjectives("Reads", log, request, "")
	d.countSampledLines("Reads", log, "rejected_keys", "{ "+request+" && ($.status = 401) }")
	d.countSampledLines("Reads", log, "throttled", "{ "+request+" && ($.status = 429) }")
	d.countSampledLines("Reads", log, "succeeded", succeededLine)
}

// addReadAlarms creates the alarms of the container.
func (d *deployment) addReadAlarms() {
	of := d.reads.Metrics()
	sum := metricOptions(5, "Sum")
	d.createAlarm(alarmSpec{kind: "reads-errors", subject: "reads", text: "answers one request in twenty with 5xx", threshold: 0.05,
		metric: shareMetric("FILL(failed, 0)", "FILL(calls, 0)", 6, 5, map[string]awscloudwatch.IMetric{
			"failed": of.HttpCodeTarget(awselasticloadbalancingv2.HttpCodeTarget_TARGET_5XX_COUNT, sum), "calls": of.RequestCount(sum),
		})})
	d.createAlarm(alarmSpec{kind: "reads-down", subject: "reads", text: "has no healthy task", onSilence: true, threshold: 0, periods: 3,
		metric: of.HealthyHostCount(metricOptions(1, "Maximum"))})
	d.createAlarm(alarmSpec{kind: "catalogue-age", subject: "container", text: "was not brought up to date for five minutes", threshold: 300,
		metric: d.functionMetric(topology.MetricCatalogueAge, "Maximum", topology.Reads.Name)})
}
