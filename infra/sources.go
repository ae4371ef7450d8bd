package main

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addSources connects every worker to its queue or schedule.
func (d *deployment) addSources() {
	for _, w := range topology.Workers {
		if w.Queue != nil {
			d.addQueueSource(w)
		}
		if w.Every > 0 {
			d.addSchedule(w)
		}
		if w.Queue == nil && w.Every == 0 { // invoked with IAM by the marketplace's app
			arn := *d.callees[w.Name].FunctionArn()
			addOutput(d.stack, constructID(w.Name)+"FunctionName", arn, "Invoked with IAM: "+w.Name)
		}
	}
}

// addQueueSource limits the worker by the concurrency of its event source. Reserved
// concurrency below it would throttle the worker instead, which counts as receives and fills
// the dead-letter queue.
func (d *deployment) addQueueSource(w topology.Worker) {
	id := new(constructID(w.Name) + "Source")
	awslambda.NewCfnEventSourceMapping(d.stack, id, &awslambda.CfnEventSourceMappingProps{
		FunctionName:          d.callees[w.Name].FunctionArn(),
		EventSourceArn:        d.queues[w.Queue.Name].QueueArn(),
		BatchSize:             jsii.Number(w.Queue.BatchSize),
		FunctionResponseTypes: jsii.Strings("ReportBatchItemFailures"),
		ScalingConfig: &awslambda.CfnEventSourceMapping_ScalingConfigProperty{
			MaximumConcurrency: jsii.Number(d.stage.queueConcurrency(*w.Queue)),
		},
	})
}

// addSchedule runs the worker at its interval. Neither EventBridge nor Lambda, which by default
// retries an asynchronous event twice within six hours, retries a failed run, and an event that
// has waited for one interval is dropped: the next run does its work. Failed events have no
// destination, because they contain nothing; the alarms are function-errors and schedule.
func (d *deployment) addSchedule(w topology.Worker) {
	minutes := int(w.Every.Minutes())
	once := &awseventstargets.LambdaFunctionProps{RetryAttempts: new(0.0)}
	awsevents.NewRule(d.stack, new(constructID(w.Name)+"Schedule"), &awsevents.RuleProps{
		Description: new(fmt.Sprintf("Runs %s every %d min", w.Name, minutes)),
		Schedule:    awsevents.Schedule_Rate(awscdk.Duration_Minutes(jsii.Number(minutes))),
		Targets:     &[]awsevents.IRuleTarget{awseventstargets.NewLambdaFunction(d.callees[w.Name], once)},
	})
	d.callees[w.Name].ConfigureAsyncInvoke(&awslambda.EventInvokeConfigOptions{
		MaxEventAge: awscdk.Duration_Seconds(new(w.Every.Seconds())), RetryAttempts: new(0.0),
	})
}
