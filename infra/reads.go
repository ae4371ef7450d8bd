package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapplicationautoscaling"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsecs"
	elb "github.com/aws/aws-cdk-go/awscdk/v2/awselasticloadbalancingv2"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

const (
	// readsCPU is a task's share of processors in 1/1024; half of it in use is the target of scaling, which
	// can quadruple the tasks.
	readsCPU        = 2048
	readsCPUPercent = 50.0
	mostReadTasks   = 4
)

// addReads runs the container that serves the paths of recruiters and agencies behind the load balancer of
// uploads, in place of API Gateway and functions. Those stay deployed, and serve again when the stage's
// ReadTasks is 0 and the edge was deployed.
func (d *deployment) addReads() {
	d.readsService = d.newService(topology.Reads, readsCPU)
	d.reads = d.newTargets(topology.Reads, d.readsService)
	d.uploads.listener.AddTargetGroups(new("Reads"), &elb.AddApplicationTargetGroupsProps{
		TargetGroups: &[]elb.IApplicationTargetGroup{d.reads}, Priority: jsii.Number(1),
		Conditions: &[]elb.ListenerCondition{
			elb.ListenerCondition_PathPatterns(jsii.Strings(readPatterns()...)),
		},
	})
	scaling := d.readsService.AutoScaleTaskCount(&awsapplicationautoscaling.EnableScalingProps{
		MinCapacity: jsii.Number(d.stage.ReadTasks), MaxCapacity: jsii.Number(mostReadTasks * d.stage.ReadTasks),
	})
	scaling.ScaleOnCpuUtilization(new("Processor"), &awsecs.CpuUtilizationScalingProps{
		TargetUtilizationPercent: new(readsCPUPercent),
	})
}

// readPatterns returns the patterns of the paths that lead to the container.
func readPatterns() (all []string) {
	for _, path := range topology.ReadPaths {
		all = append(all, contract.BasePath+path+"*")
	}
	return all
}

// addReadAlarms creates the alarms of the container.
func (d *deployment) addReadAlarms() {
	of := d.reads.Metrics()
	sum := metricOptions(5, "Sum")
	failures := shareMetric("FILL(failed, 0)", "FILL(calls, 0)", 6, 5, metrics{
		"failed": of.HttpCodeTarget(elb.HttpCodeTarget_TARGET_5XX_COUNT, sum),
		"calls":  of.RequestCount(sum),
	})
	d.addContainerAlarms(topology.Reads, d.readsService, d.reads, failures)
	d.addCatalogueAlarm("container", topology.Reads)
}
