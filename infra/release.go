package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscodedeploy"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/interfaces/interfacesawscloudwatch"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// liveAlias is the alias that the API, queues, schedules and the app invoke in a gradual stage.
const liveAlias = "live"

// addAliases gives every function the alias live. A deployment moves a tenth of its calls to the new version, and the rest
// after five minutes; if an alarm of the function is raised meanwhile, CodeDeploy moves all
// calls back, and CloudFormation the whole stack. A function with few calls gets all of them at once.
func (d *deployment) addAliases() {
	for _, f := range topology.Functions {
		d.callees[f.Name] = d.functions[f.Name]
	}
	if !d.stage.Gradual {
		return
	}
	application := awscodedeploy.NewLambdaApplication(d.stack, new("Deployments"),
		&awscodedeploy.LambdaApplicationProps{ApplicationName: new("rmk-" + d.stage.Name)})
	functions := d.stack.FormatArn(&awscdk.ArnComponents{
		Service: new("lambda"), Resource: new("function"), ResourceName: new(d.physicalName("*")),
		ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME,
	})
	move := []string{"lambda:GetAlias", "lambda:GetProvisionedConcurrencyConfig", "lambda:UpdateAlias"}
	// The groups may not add to the role of CodeDeploy: AWS's managed policy covers every function of the account.
	role := d.newRole("DeploymentRole", "codedeploy.amazonaws.com",
		"Moves calls between versions of the stage's functions",
		allowStatement(move, functions), allowStatement([]string{"cloudwatch:DescribeAlarms"}, new("*")),
	).WithoutPolicyUpdates(nil)
	for _, f := range topology.Functions {
		alias := awslambda.NewAlias(d.stack, new(constructID(f.Name)+"Live"), &awslambda.AliasProps{
			AliasName: new(liveAlias), Version: d.functions[f.Name].CurrentVersion(),
		})
		d.callees[f.Name] = alias
		// A tenth of the calls in five minutes is enough to judge a version by those of callers and of queues, but not by
		// those of a schedule or an operator.
		isGradual := servesHTTP(f) || f.Queue != nil && f.Every == 0
		if !isGradual {
			continue
		}
		steps := awscodedeploy.LambdaDeploymentConfig_CANARY_10PERCENT_5MINUTES()
		if f.Name == string(contract.Roles) {
			// A tenth each minute, because each new instance loads the catalogue: nine tenths at once would start most
			// instances in the same seconds.
			steps = awscodedeploy.LambdaDeploymentConfig_LINEAR_10PERCENT_EVERY_1MINUTE()
		}
		id := new(constructID(f.Name) + "Deployment")
		awscodedeploy.NewLambdaDeploymentGroup(d.stack, id, &awscodedeploy.LambdaDeploymentGroupProps{
			Application: application, Alias: alias, Role: role, DeploymentGroupName: new(f.Name),
			DeploymentConfig: steps, Alarms: d.addRollbackAlarms(f),
		})
	}
}

// addRollbackAlarms creates the alarms that take a new version of a function back: it fails more than one
// call in twenty, or is slow. They look at the new version alone, which the tenth of all calls that it gets
// cannot hide in. Two failures are the least, so that a single one of DynamoDB takes nothing back. Responses
// with 5xx are counted by the log: to Lambda an invocation that responds has succeeded.
func (d *deployment) addRollbackAlarms(f topology.Function) *[]interfacesawscloudwatch.IAlarmRef {
	metric := func(name, statistic string) awscloudwatch.IMetric {
		return newMetric("AWS/Lambda", name, statistic, "FunctionName", d.physicalName(f.Name),
			"Resource", d.physicalName(f.Name)+":"+liveAlias,
			"ExecutedVersion", *d.functions[f.Name].CurrentVersion().Version())
	}
	failures := "errors"
	of := metrics{"errors": metric("Errors", "Sum"), "calls": metric("Invocations", "Sum")}
	if servesHTTP(f) {
		const failed = `{ ($.msg = "request") && ($.version = %q) && ($.status >= 500) }`
		log := countedLog{log: d.functions[f.Name].LogGroup()}
		d.countLines(log, f.Name+"_failed", fmt.Sprintf(failed, d.versions[f.Name]))
		failures = "(errors + FILL(failed, 0))"
		of["failed"] = d.countMetric(f.Name + "_failed")
	}
	share := calculateMetric(fmt.Sprintf("IF(%[1]s > 1, %[1]s / calls, 0)", failures), 5, of)
	alarms := []interfacesawscloudwatch.IAlarmRef{d.addAlarm("rollback", f.Name, share)}
	if servesHTTP(f) {
		alarms = append(alarms, d.addAlarm("rollback-slow", f.Name, metric("Duration", "p90")))
	}
	return &alarms
}

func servesHTTP(f topology.Function) bool {
	return slices.ContainsFunc(contract.Routes, func(r contract.Route) bool { return string(r.Function) == f.Name })
}

// versionOf returns the version that a function reports. Platform reports the deployed commit, in
// /health. Every other reports a hash of its program and of its configuration, so that a
// release restarts only what it changes, and no two versions of a function in Lambda have the same.
// It panics if make build has not written the program.
func (d *deployment) versionOf(f topology.Function, environment map[string]*string) string {
	if f.Name == string(contract.Platform) {
		return d.stage.Version
	}
	program, err := os.ReadFile(d.code + "/" + f.Name + "/bootstrap")
	if err != nil {
		panic(err)
	}
	started, err := json.Marshal([]any{d.functionDescription(f), f.Memory, d.stack.Resolve(environment)})
	if err != nil {
		panic(err)
	}
	hash := sha256.Sum256(append(program, started...))
	return hex.EncodeToString(hash[:6]) // long enough to distinguish versions
}
