package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awseventstargets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func (d *deployment) addFunctions() {
	architecture := awslambda.Architecture_ARM_64() // the cheaper one
	if d.stage.SAM == "amd64" {
		architecture = awslambda.Architecture_X86_64()
	}
	for _, f := range topology.Functions {
		name := d.physicalName(f.Name)
		logs := d.logGroup(constructID(f.Name)+"Log", "/aws/lambda/"+name)
		role := d.newFunctionRole(f, logs)
		env := *d.functionEnvironment(f)
		// Go runs on one processor where Lambda gives the time of less than one: a second thread would only take time to
		// be woken. Ingest has two: Go cannot preempt the machine code of PDFium between its checks, and with one nothing
		// else would run meanwhile, such as the timer that ends a reading.
		if f.Memory < fullProcessor && f.Name != topology.Ingest.Name {
			env["GOMAXPROCS"] = new("1")
		}
		// At the memory limit Go collects garbage, before Lambda kills the process. Until then it collects when the heap
		// is nine times what was in use, because memory that is not used costs the same.
		env["GOGC"] = new("800")
		env["GOMEMLIMIT"] = new(fmt.Sprintf("%dMiB", f.Memory*9/10))
		d.functions[f.Name] = awslambda.NewFunction(d.stack, new(constructID(f.Name)), &awslambda.FunctionProps{
			FunctionName: new(name),
			Description:  new(d.functionDescription(f)),
			Runtime:      awslambda.Runtime_PROVIDED_AL2023(),
			Architecture: architecture,
			Handler:      new("bootstrap"),
			Code:         awslambda.Code_FromAsset(new(d.code+"/"+f.Name), nil),
			MemorySize:   jsii.Number(f.Memory),
			Timeout:      awscdk.Duration_Seconds(jsii.Number(f.Timeout.Seconds())),
			Role:         role,
			LogGroup:     logs,
			Environment:  &env,
			CurrentVersionOptions: &awslambda.VersionOptions{
				RemovalPolicy: awscdk.RemovalPolicy_RETAIN, // to go back to by hand
			},

			ReservedConcurrentExecutions: optional.NonZero(float64(d.stage.ReservedConcurrency[f.Name])),
		})
		resource := d.functions[f.Name].Node().DefaultChild().(awslambda.CfnFunction)
		if d.stage.SAM != "" { // sam build leaves the program as make sam has built it
			resource.AddMetadata(new("SkipBuild"), true)
		}
		if d.stage.Tracing { // not by FunctionProps, which would add a second policy to the role
			resource.SetTracingConfig(&awslambda.CfnFunction_TracingConfigProperty{Mode: new("Active")})
		}
	}
}

// physicalName returns the deployed name of a resource, by which operators look for it.
func (d *deployment) physicalName(name string) string { return "rmk-" + d.stage.Name + "-" + name }

// functionDescription returns a text that changes with the generation of the secrets,
// which makes CloudFormation read them again.
func (d *deployment) functionDescription(f topology.Function) string {
	text := "External API: " + f.Name
	if d.stage.Secrets > 0 {
		text += ", secrets " + strconv.Itoa(d.stage.Secrets)
	}
	return text
}

// functionEnvironment returns the function's settings and the names of the resources that it has grants on.
func (d *deployment) functionEnvironment(f topology.Function) *map[string]*string {
	env := map[string]*string{
		topology.SettingFunction: new(f.Name),
		topology.SettingStage:    new(d.stage.Name),
	}
	for name, on := range f.Environment() {
		env[name] = d.deployedName(on)
	}
	s := d.stage
	values := map[string]*string{ // nil where the function's default applies
		topology.SettingKeyEnvironments:    new(s.servedEnvironments()),
		topology.SettingOriginSecrets:      d.originSecrets(),
		topology.SettingPublicURL:          d.publicURL(),
		topology.SettingProfileURL:         optional.NonZero(s.ProfileURL),
		topology.SettingProfileProvider:    optional.NonZero(s.ProfileProvider),
		topology.SettingProfileRate:        positiveText(s.ProfileRate),
		topology.SettingGzipFrom:           positiveText(s.GzipFrom),
		topology.SettingLogSample:          positiveText(s.LogSample),
		topology.SettingSearchURL:          d.searchURL(),
		topology.SettingProfileKey:         d.secretText(profileSecret),
		topology.SettingCanaryAgencyKey:    d.secretText(canaryAgencySecret),
		topology.SettingCanaryRecruiterKey: d.secretText(canaryRecruiterSecret),
	}
	for _, name := range f.Settings {
		if value := values[name]; value != nil {
			env[name] = value
		} else if d.stage.SAM != "" {
			env[name] = new("")
		}
	}
	for name, value := range d.stage.Settings {
		env[name] = new(value)
	}
	if f.Name == topology.Keys.Name { // which creates no key for the canary, or for any other test
		env[topology.SettingKeyEnvironments] = new(d.stage.KeyEnvironments)
	}
	d.versions[f.Name] = d.versionOf(f, env)
	env[topology.SettingVersion] = new(d.versions[f.Name])
	if d.stage.SAM != "" {
		for _, name := range []string{"", "_DYNAMODB", "_SQS", "_S3"} {
			env["AWS_ENDPOINT_URL"+name] = new("")
		}
	}
	return &env
}

// fullProcessor is the memory in MB with which Lambda gives a function the time of one processor.
const fullProcessor = 1769

func (d *deployment) deployedName(on topology.Resource) *string {
	switch on.Kind {
	case topology.Messages:
		return d.queues[on.Name].QueueUrl()
	case topology.Dead:
		return d.deadQueues[on.Name].QueueUrl()
	case topology.Objects:
		return d.buckets[on.Name].BucketName()
	default:
		return d.tables[on.Name].TableName()
	}
}

// publicURL returns the stage's address for callers, nil if it has no domain: the edge's own
// address is not known before the function exists.
func (d *deployment) publicURL() *string {
	if d.stage.Domain == "" {
		return nil
	}
	return new("https://" + d.stage.Domain)
}

func positiveText(n int) *string {
	if n == 0 {
		return nil
	}
	return new(strconv.Itoa(n))
}

// newFunctionRole returns a role with the grants of the topology and the permissions that
// the platform requires, and nothing else.
func (d *deployment) newFunctionRole(f topology.Function, logs awslogs.LogGroup) awsiam.Role {
	statements := append(d.grantStatements(f), allowStatement(implicitActions("logs:"), logs.LogGroupArn()))
	if d.stage.Tracing { // these actions take no resource
		statements = append(statements, allowStatement(implicitActions("xray:"), new("*")))
	}
	if f.Queue != nil {
		statements = append(statements, allowStatement(implicitActions("sqs:"), d.queues[f.Queue.Name].QueueArn()))
	}
	return d.newRole(constructID(f.Name)+"Role", "lambda.amazonaws.com", "What "+f.Name+" may do", statements...)
}

// newRole returns a role with an inline policy, so that no function runs before its policy exists.
func (d *deployment) newRole(id, service, description string, statements ...awsiam.PolicyStatement) awsiam.Role {
	return awsiam.NewRole(d.stack, &id, &awsiam.RoleProps{
		AssumedBy:   awsiam.NewServicePrincipal(&service, nil),
		Description: &description,
		InlinePolicies: &map[string]awsiam.PolicyDocument{
			"grants": awsiam.NewPolicyDocument(&awsiam.PolicyDocumentProps{Statements: &statements}),
		},
	})
}

func (d *deployment) grantStatements(f topology.Function) (all []awsiam.PolicyStatement) {
	for _, g := range f.Grants {
		var arn *string
		switch on := g.On; on.Kind {
		case topology.Messages:
			arn = d.queues[on.Name].QueueArn()
		case topology.Dead:
			arn = d.deadQueues[on.Name].QueueArn()
		case topology.Objects:
			arn = d.buckets[on.Name].ArnForObjects(new(on.Part + "*"))
		case topology.Entries:
			arn = new(*d.tables[on.Name].TableArn() + "/index/" + on.Part)
		default:
			arn = d.tables[on.Name].TableArn()
		}
		all = append(all, allowStatement(slices.Sorted(slices.Values(g.Actions)), arn))
	}
	return append(all, d.searchStatements(f)...)
}

func allowPrincipal(
	who awsiam.IPrincipal, conditions map[string]any, resource *string, actions ...string,
) awsiam.PolicyStatement {
	return awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Principals: &[]awsiam.IPrincipal{who}, Conditions: &conditions,
		Actions: jsii.Strings(actions...), Resources: &[]*string{resource},
	})
}

func allowStatement(actions []string, resource *string) awsiam.PolicyStatement {
	return awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
		Effect: awsiam.Effect_ALLOW, Actions: jsii.Strings(actions...), Resources: &[]*string{resource},
	})
}

func implicitActions(service string) []string {
	all := slices.Sorted(maps.Keys(topology.Implicit))
	return slices.DeleteFunc(all, func(action string) bool { return !strings.HasPrefix(action, service) })
}

func (d *deployment) addSources() {
	for _, w := range topology.Workers {
		if w.Queue != nil {
			// The worker is limited by the concurrency of its event source. Reserved concurrency below it would throttle
			// the worker instead, which counts as receives and fills the dead-letter queue.
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
		if w.Every > 0 {
			// Neither EventBridge nor Lambda, which by default retries an asynchronous event twice within six hours,
			// retries a failed run, and an event that has waited for one interval is dropped: the next run does its work.
			// Failed events have no destination, because they contain nothing; the alarms are function-errors and schedule.
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
		if w.Queue == nil && w.Every == 0 { // invoked with IAM by the marketplace's app
			arn := *d.callees[w.Name].FunctionArn()
			addOutput(d.stack, constructID(w.Name)+"FunctionName", arn, "Invoked with IAM: "+w.Name)
		}
	}
}
