// Command infra is the deployment: a CDK app that creates the stacks of every stage, from the
// contract's routes and the topology's tables, queues, buckets and functions.
//
// It knows how a row of those tables becomes AWS resources, with the least permissions
// and with alarms. It does not know what is deployed: a new route, table, queue or
// function is a new row, without a change here. README.md is the operator's guide.
package main

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	text "text/template"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsopensearchservice"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/aws/jsii-runtime-go"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
	"github.com/goccy/go-yaml"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func main() {
	defer jsii.Close()
	if os.Getenv("CDK_OUTDIR") == "" {
		log.Fatal("infra is run by the CDK command line: use make synth")
	}
	app := awscdk.NewApp(&awscdk.AppProps{Context: &map[string]any{
		"aws:cdk:disable-creation-stack-traces": true, // they contain a path that differs at each run
	}})
	if err := addStages(app, contextText(app, "code", "../build")); err != nil {
		jsii.Close()
		log.Fatal(err)
	}
	addRules(app)
	app.Synth(nil)
}

// addStages creates the stacks of the stages in the app's context: of the one that the
// context's "stage" names, or of all. The code of each function is in a directory below code.
//
// A stage that lacks what its deployment needs is refused, unless the context's "checking" says
// that nothing will be deployed from the templates.
func addStages(app awscdk.App, code string) error {
	rows, ok := app.Node().TryGetContext(new("stages")).(map[string]any)
	if !ok {
		return fmt.Errorf("the context has no stages: infra/cdk.json is not in use")
	}
	names := slices.Sorted(maps.Keys(rows))
	if name := contextText(app, "stage", ""); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		stage, err := parseStage(name, rows[name])
		if err != nil {
			return fmt.Errorf("read a stage: %w", err)
		}
		if contextText(app, "checking", "") == "" {
			if err := stage.checkDeployable(); err != nil {
				return err
			}
		}
		stage.Version = contextText(app, "version", "dev")
		stage.Generation = contextText(app, "generation", "unknown")
		stage.SAM = contextText(app, "sam", "")
		newDeployment(app, stage, code)
	}
	return nil
}

// addRules lets synthesis fail with what breaks a rule of cdk-nag.
func addRules(app awscdk.App) {
	awscdk.Aspects_Of(app).Add(cdknag.NewAwsSolutionsChecks(&cdknag.NagPackProps{Reports: new(false)}), nil)
}

func contextText(app awscdk.App, name, fallback string) string {
	if text, ok := app.Node().TryGetContext(new(name)).(string); ok && text != "" {
		return text
	}
	return fallback
}

// constructID returns the id of a construct for a logical name: "ingest-dlq" becomes "IngestDlq".
func constructID(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// deployment is one stage under construction, in up to three stacks by how long their
// parts live. Each file adds its concern, in the order of newDeployment.
type deployment struct {
	// data holds what must outlive every deployment: tables, buckets, queues and secrets.
	data awscdk.Stack
	// stack is the service: functions, API, container and alarms. It may be removed and deployed again.
	stack awscdk.Stack
	// edge holds CloudFront and its firewall, in us-east-1; nil without an edge.
	edge  awscdk.Stack
	stage Stage
	code  string

	// By logical name, as the service sees them. A table may be one that was restored in
	// place of the stage's own.
	tables     map[string]awsdynamodb.ITable
	buckets    map[string]awss3.IBucket
	queues     map[string]awssqs.IQueue
	deadQueues map[string]awssqs.IQueue
	functions  map[string]awslambda.Function
	versions   map[string]string
	// callees are what is invoked: functions, or their aliases in a gradual stage.
	callees map[string]awslambda.IFunction

	// search is nil if the stage has no search domain.
	search  awsopensearchservice.CfnDomain
	api     awsapigatewayv2.CfnApi
	topics  topics
	uploads *uploads
	// reads is nil without that container.
	reads *container
}

// edgeRegion is the only region with certificates and firewalls for CloudFront.
const edgeRegion = "us-east-1"

func newDeployment(scope constructs.Construct, stage Stage, code string) *deployment {
	d := &deployment{
		stage: stage, code: code,
		tables: map[string]awsdynamodb.ITable{}, buckets: map[string]awss3.IBucket{},
		queues: map[string]awssqs.IQueue{}, deadQueues: map[string]awssqs.IQueue{},
		functions: map[string]awslambda.Function{}, callees: map[string]awslambda.IFunction{},
		versions: map[string]string{},
	}
	d.data = d.newStack(scope, "data", stage.Region)
	d.stack = d.newStack(scope, "service", stage.Region)
	d.stack.AddStackDependency(d.data, nil) // by names, which CDK does not see
	d.addData()
	d.addSecrets()
	ticketSources := []string{"budgets.amazonaws.com", "cloudwatch.amazonaws.com"}
	if stage.KeepData {
		d.addBackups()
		d.addTrail()
		ticketSources = append(ticketSources, "events.amazonaws.com") // backups that failed
	}
	d.topics = d.newTopics(d.stack, "", ticketSources...)
	if stage.Search != nil {
		d.addSearch()
	}
	d.addFunctions()
	d.addAliases()
	d.addSources()
	d.addAPI()
	if stage.Uploads {
		d.addUploads()
	}
	if stage.ReadTasks > 0 {
		d.addReads()
	}
	if stage.Edge {
		d.edge = d.newStack(scope, "edge", edgeRegion)
		d.edge.AddStackDependency(d.stack, nil) // by outputs, which CDK does not see
		d.addEdge()
	}
	d.addAlarms()
	d.addDashboard()
	// A warning comes before the month's costs exceed the stage's budget.
	addResource(d.stack, "Budget", map[string]any{
		"Stage": stage.Name, "Dollars": stage.MonthlyBudget, "Tickets": *d.topics.tickets.TopicArn(),
	})
	d.addSuppressions()
	d.addEnvironmentOutput()
	return d
}

// newStack creates one of the stage's stacks; an empty region leaves it to the command line.
func (d *deployment) newStack(scope constructs.Construct, name, region string) awscdk.Stack {
	props := &awscdk.StackProps{
		StackName:             new(d.physicalName(name)),
		Description:           new("Recruiting Marketplace External API, stage " + d.stage.Name + ", " + name),
		TerminationProtection: new(d.stage.KeepData),
		Tags:                  &map[string]*string{"service": new("rmk-external-api"), "stage": new(d.stage.Name)},
	}
	if region != "" {
		props.Env = &awscdk.Environment{Region: new(region)}
	}
	stack := awscdk.NewStack(scope, props.StackName, props)
	if d.stage.KeepData { // what account/pipeline.yaml lets CloudFormation create
		boundary := awsiam.ManagedPolicy_FromManagedPolicyName(stack, new("Boundary"), new(d.physicalName("boundary")))
		awsiam.PermissionsBoundary_Of(stack).Apply(boundary)
	}
	// CDK writes dependencies that CloudFormation would infer.
	stack.AddMetadata(new("cfn-lint"), map[string]any{"config": map[string]any{"ignore_checks": []string{"W3005"}}})
	return stack
}

// serviceOutput adds an output of the service and returns what the edge's template reads it
// with, from another region: CloudFormation resolves it when it deploys the edge.
func (d *deployment) serviceOutput(name string, value *string, description string) *string {
	addOutput(d.stack, name, *value, description)
	return awscdk.Fn_GetStackOutput(d.stack.StackName(), new(name), new(d.stage.Region), nil)
}

func (d *deployment) removalPolicy() awscdk.RemovalPolicy {
	if d.stage.KeepData {
		return awscdk.RemovalPolicy_RETAIN
	}
	return awscdk.RemovalPolicy_DESTROY
}

func (d *deployment) logGroup(id, name string) awslogs.LogGroup {
	return awslogs.NewLogGroup(d.stack, new(id), &awslogs.LogGroupProps{
		LogGroupName:  new(name),
		Retention:     logRetention(d.stage.LogDays),
		RemovalPolicy: awscdk.RemovalPolicy_DESTROY,
	})
}

// logRetention returns the shortest retention of CloudWatch that is at least so many days, or a year.
func logRetention(days int) awslogs.RetentionDays {
	switch {
	case days <= 7:
		return awslogs.RetentionDays_ONE_WEEK
	case days <= 14:
		return awslogs.RetentionDays_TWO_WEEKS
	case days <= 30:
		return awslogs.RetentionDays_ONE_MONTH
	case days <= 90:
		return awslogs.RetentionDays_THREE_MONTHS
	case days <= 180:
		return awslogs.RetentionDays_SIX_MONTHS
	}
	return awslogs.RetentionDays_ONE_YEAR
}

func addOutput(stack awscdk.Stack, name, value, description string) {
	awscdk.NewCfnOutput(stack, new(name), &awscdk.CfnOutputProps{
		Value: new(value), Description: new(description),
	})
}

// resourceFiles has the resources that have no logic: those that differ from stage to stage in values alone, each as CloudFormation
// writes it, with places for the values.
//
//go:embed resources
var resourceFiles embed.FS

// addResource adds a resource of [resourceFiles], filled with values. Its path, which makes its logical id, begins with its name.
// It panics if the file is malformed or names a value that is not given; tests synthesize each resource.
func addResource(scope constructs.Construct, path string, values map[string]any) awscdk.CfnResource {
	name, id, isBelow := strings.Cut(path, "/")
	if isBelow {
		scope = constructs.NewConstruct(scope, &name)
	} else {
		id = name
	}
	props, err := fillResource(resourceFiles, name, values)
	if err != nil {
		panic(fmt.Errorf("resource %s: %w", name, err))
	}
	return awscdk.NewCfnResource(scope, &id, props)
}

// fillResource returns the resource of a name in files, filled with values. A file has nothing but Type and Properties.
func fillResource(files fs.FS, name string, values map[string]any) (*awscdk.CfnResourceProps, error) {
	filler := text.New(name + ".yaml").Funcs(text.FuncMap{"json": encodeJSON}).Option("missingkey=error")
	if _, err := filler.ParseFS(files, "resources/"+name+".yaml"); err != nil {
		return nil, fmt.Errorf("parse the resources: %w", err)
	}
	var filled bytes.Buffer
	if err := filler.Execute(&filled, values); err != nil {
		return nil, fmt.Errorf("fill in the resources: %w", err)
	}
	var r struct {
		Type       string         `yaml:"Type"`
		Properties map[string]any `yaml:"Properties"`
	}
	if err := yaml.NewDecoder(&filled, yaml.DisallowUnknownField()).Decode(&r); err != nil {
		return nil, fmt.Errorf("decode the resources: %w", err)
	}
	return &awscdk.CfnResourceProps{Type: &r.Type, Properties: &r.Properties}, nil
}

// addEnvironmentOutput outputs the deployed names as the variables that the commands of
// package local read: go run ./local keys, feed and dlq.
func (d *deployment) addEnvironmentOutput() {
	var pairs []string
	env := topology.Environment()
	for _, name := range slices.Sorted(maps.Keys(env)) {
		pairs = append(pairs, name+"="+*d.deployedName(env[name]))
	}
	pairs = append(pairs, topology.SettingKeyEnvironments+"="+d.stage.KeyEnvironments)
	if d.search != nil {
		pairs = append(pairs, topology.SettingSearchURL+"="+*d.searchURL())
	}
	const use = "Variables for the commands that work on this deployment"
	addOutput(d.stack, "Environment", strings.Join(pairs, " "), use)
}
