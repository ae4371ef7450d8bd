package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsopensearchservice"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssecretsmanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// deployment is one stage's stack under construction. Each file adds its concern, in the
// order of newStack.
type deployment struct {
	stack awscdk.Stack
	stage Stage
	code  string

	// By logical name. workingTables are the tables that functions use: the stack's own,
	// or those restored in their place.
	tables        map[string]awsdynamodb.Table
	workingTables map[string]awsdynamodb.ITable
	buckets       map[string]awss3.Bucket
	queues        map[string]awssqs.Queue
	deadQueues    map[string]awssqs.Queue
	functions     map[string]awslambda.Function

	// search is nil if the stage has no search domain.
	search     awsopensearchservice.CfnDomain
	secrets    map[string]awssecretsmanager.Secret
	api        awsapigatewayv2.CfnApi
	alarmTopic awssns.Topic
	uploads    *uploads
	alarmSpecs []alarmSpec
}

// newStack creates the stack of a stage.
func newStack(scope constructs.Construct, stage Stage, code string) *deployment {
	d := &deployment{
		stage: stage, code: code,
		tables: map[string]awsdynamodb.Table{}, workingTables: map[string]awsdynamodb.ITable{}, buckets: map[string]awss3.Bucket{},
		queues: map[string]awssqs.Queue{}, deadQueues: map[string]awssqs.Queue{},
		functions: map[string]awslambda.Function{}, secrets: map[string]awssecretsmanager.Secret{},
	}
	props := &awscdk.StackProps{
		StackName:             jsii.String("rmk-" + stage.Name),
		Description:           jsii.String("Recruiting Marketplace External API, stage " + stage.Name),
		TerminationProtection: jsii.Bool(stage.KeepData),
		Tags:                  &map[string]*string{"service": jsii.String("rmk-external-api"), "stage": jsii.String(stage.Name)},
	}
	if stage.Region != "" {
		props.Env = &awscdk.Environment{Region: jsii.String(stage.Region)}
	}
	d.stack = awscdk.NewStack(scope, props.StackName, props)
	// CDK writes dependencies that CloudFormation would infer.
	d.stack.AddMetadata(jsii.String("cfn-lint"), map[string]any{"config": map[string]any{"ignore_checks": []string{"W3005"}}})
	d.addData()
	d.addSecrets()
	d.addTopic()
	if stage.Search != nil {
		d.addSearch()
	}
	d.addFunctions()
	d.addSources()
	d.addAPI()
	if stage.Uploads {
		d.addUploads()
	}
	if stage.Edge {
		d.addEdge()
	}
	d.addAlarms()
	d.addDashboard()
	d.addBudget()
	d.addSuppressions()
	d.addEnvironmentOutput()
	return d
}

// removalPolicy returns what happens to data when it is removed from the stack.
func (d *deployment) removalPolicy() awscdk.RemovalPolicy {
	if d.stage.KeepData {
		return awscdk.RemovalPolicy_RETAIN
	}
	return awscdk.RemovalPolicy_DESTROY
}

// logGroup returns a log group with the stage's retention.
func (d *deployment) logGroup(id, name string) awslogs.LogGroup {
	return awslogs.NewLogGroup(d.stack, jsii.String(id), &awslogs.LogGroupProps{
		LogGroupName:  jsii.String(name),
		Retention:     logRetention(d.stage.LogDays),
		RemovalPolicy: awscdk.RemovalPolicy_DESTROY,
	})
}

// logRetention returns the shortest retention of CloudWatch that is at least so many days,
// or a year.
func logRetention(days int) awslogs.RetentionDays {
	for _, r := range []struct {
		days  int
		value awslogs.RetentionDays
	}{
		{7, awslogs.RetentionDays_ONE_WEEK}, {14, awslogs.RetentionDays_TWO_WEEKS}, {30, awslogs.RetentionDays_ONE_MONTH},
		{90, awslogs.RetentionDays_THREE_MONTHS}, {180, awslogs.RetentionDays_SIX_MONTHS},
	} {
		if days <= r.days {
			return r.value
		}
	}
	return awslogs.RetentionDays_ONE_YEAR
}

// addOutput adds a value that the deployment prints for the operator.
func (d *deployment) addOutput(name, value, description string) {
	awscdk.NewCfnOutput(d.stack, jsii.String(name), &awscdk.CfnOutputProps{
		Value: jsii.String(value), Description: jsii.String(description),
	})
}

// addEnvironmentOutput outputs the deployed names as the variables that the commands of
// package local read: go run ./local keys, feed and dlq.
func (d *deployment) addEnvironmentOutput() {
	var pairs []string
	for _, t := range topology.Tables {
		pairs = append(pairs, t.Env+"="+*d.workingTables[t.Name].TableName())
	}
	for _, b := range topology.Buckets {
		pairs = append(pairs, b.Env+"="+*d.buckets[b.Name].BucketName())
	}
	for _, q := range topology.Queues {
		pairs = append(pairs, q.Env+"="+*d.queues[q.Name].QueueUrl())
		if q.DeadEnv != "" {
			pairs = append(pairs, q.DeadEnv+"="+*d.deadQueues[q.Name].QueueUrl())
		}
	}
	pairs = append(pairs, topology.SettingKeyEnvironments+"="+d.stage.KeyEnvironments)
	if d.search != nil {
		pairs = append(pairs, topology.SettingSearchURL+"="+*d.searchURL())
	}
	d.addOutput("Environment", strings.Join(pairs, " "), "Variables for the commands that work on this deployment")
}
