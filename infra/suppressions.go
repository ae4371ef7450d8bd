package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addSuppressions suppresses the rules of cdk-nag that do not apply, each with its reason
// and only where it is broken, and those of checkov that only some resources break
// (.ci/checkov.yaml has the others).
func (d *deployment) addSuppressions() {
	d.suppressAPIRules()
	if d.stage.Gradual {
		d.suppressReleaseRules()
	}
	d.suppressDataRules()
	if d.stage.KeepData {
		d.suppressBackupRules()
	}
	if d.search != nil {
		d.suppressSearchRules()
	}
	if d.stage.Uploads {
		d.suppressUploadRules()
	}
	if d.stage.Edge {
		d.suppressEdgeRules()
	}
}

func (d *deployment) suppressAPIRules() {
	for _, child := range *d.stack.Node().Children() {
		if !d.stage.Edge && strings.HasSuffix(*child.Node().Id(), "Route") {
			suppressRules(child, suppressions{
				"AwsSolutions-APIG4": "API keys are checked by package apikey, exactly and with a rate limit, in one " +
					"database call. An authorizer of keys would cost a second function and a second call, and could not " +
					"return the contract's errors.",
			})
		}
	}
}

func (d *deployment) suppressDataRules() {
	for _, b := range topology.Buckets {
		bucket := d.data.Node().FindChild(new(constructID(b.Name) + "Bucket"))
		suppressRules(bucket, suppressions{
			"AwsSolutions-S1": "Only the functions reach the bucket, and each logs a line a request. Access logs would be " +
				"a second store of keys that name candidates, to be erased with them.",
		})
		if b.OldVersionDays == 0 {
			skipChecks(bucket, suppressions{
				"CKV_AWS_21": "What is here comes from the app, which can send it again, or is derived: without versions " +
					"an erasure is one.",
			})
		}
	}
	for _, name := range secretNames {
		secret := d.data.Node().TryFindChild(new(constructID(name) + "Secret"))
		if secret == nil { // without an edge
			continue
		}
		suppressRules(secret, suppressions{
			"AwsSolutions-SMG4": "The profile provider's key is rotated at the provider, the canary's with the command " +
				"for keys, the origin secrets together with CloudFront: by the steps in README, since rotation by a " +
				"schedule would leave the two apart.",
		})
	}
	for _, f := range slices.Concat(topology.Containers, topology.Functions) {
		role := d.stack.Node().TryFindChild(new(constructID(f.Name) + "Role"))
		if role == nil { // a container that the stage does not have
			continue
		}
		d.suppressObjectRules(role, f)
		if d.stage.Tracing && d.functions[f.Name] != nil {
			suppressFinding(role, "AwsSolutions-IAM5", "Resource::*",
				"The actions of X-Ray, with which Lambda sends its traces, take no resource.")
		}
	}
}

// suppressObjectRules names the exact resources, as the rule writes them, so that it finds
// any other wildcard.
func (d *deployment) suppressObjectRules(role constructs.IConstruct, f topology.Function) {
	for _, g := range f.Grants {
		if g.On.Kind != topology.Objects {
			continue
		}
		bucket := d.physicalName(g.On.Name) + "-<AWS::AccountId>-" + d.regionName()
		suppressFinding(role, "AwsSolutions-IAM5", "Resource::arn:<AWS::Partition>:s3:::"+bucket+"/"+g.On.Part+"*",
			"Objects are named at run time by ids; the prefix is what can be said before.")
	}
}

// regionName returns the stage's region as the rules write it.
func (d *deployment) regionName() string { return cmp.Or(d.stage.Region, "<AWS::Region>") }

func (d *deployment) suppressReleaseRules() {
	role := d.stack.Node().FindChild(new("DeploymentRole"))
	functions := "lambda:" + d.regionName() + ":<AWS::AccountId>:function:" + d.physicalName("*")
	suppressFinding(role, "AwsSolutions-IAM5", "Resource::arn:<AWS::Partition>:"+functions,
		"All functions of the stage, and their aliases, are deployed by this role.")
	suppressFinding(role, "AwsSolutions-IAM5", "Resource::*",
		"cloudwatch:DescribeAlarms, which changes nothing, is called for several alarms at a time.")
}

func (d *deployment) suppressUploadRules() {
	find := func(id string) constructs.IConstruct { return d.stack.Node().FindChild(&id) }
	suppressRules(find("UploadsVpc"), suppressions{
		"AwsSolutions-VPC7": "One service runs here, reached only through the load balancer; both write metrics and logs " +
			"of their own. A flow log would cost more than the tasks and add nothing.",
	})
	for _, f := range topology.Containers {
		if task := d.stack.Node().TryFindChild(new(constructID(f.Name) + "Task")); task != nil {
			suppressTaskRules(task)
		}
	}
	suppressRules(find("Balancer"), suppressions{
		"AwsSolutions-ELB2": "Every request is logged by the container with its request id; the balancer's logs would add " +
			"addresses and paths that hold ids.",
	})
	if d.stage.balancerCertificate() == "" {
		skipChecks(find("Balancer").Node().FindChild(new("Listener")), suppressions{
			"CKV_AWS_2": withoutCertificate, "CKV_AWS_103": withoutCertificate,
		})
	}
	suppressRules(find("BalancerGroup"), suppressions{
		"CdkNagValidationFailure": "AwsSolutions-EC23 cannot read the network's own range, which is all that may come in " +
			"(not 0.0.0.0/0).",
	})
}

func suppressTaskRules(task constructs.IConstruct) {
	suppressRules(task, suppressions{
		"AwsSolutions-ECS2": "The variables are names of resources and settings. The origin secrets among them are put " +
			"there at deployment as they are for every function; they open nothing by themselves.",
	})
	suppressFinding(task, "AwsSolutions-IAM5", "Resource::*",
		"ecr:GetAuthorizationToken, which the platform needs to pull the image, takes no resource.")
}

// withoutCertificate is why an edge may do without TLS 1.2.
const withoutCertificate = "Only templates for checking have no certificate, and trials that keep no data: " +
	"what keeps data is not deployed without one."

func (d *deployment) suppressEdgeRules() {
	reasons := suppressions{
		"AwsSolutions-CFR1": "Recruiters and their tools are everywhere; the contract restricts no country.",
		"AwsSolutions-CFR3": "Every request is logged by the gateway with its request id; CloudFront's logs would add " +
			"addresses and paths that hold ids.",
	}
	edge := d.edge.Node().FindChild(new("Edge"))
	if d.stage.Certificate == "" {
		reasons["AwsSolutions-CFR4"] = withoutCertificate
		skipChecks(edge, suppressions{"CKV_AWS_174": withoutCertificate})
	}
	suppressRules(edge, reasons)
}

// suppressions maps rules to the reasons for suppressing them.
type suppressions map[string]string

// suppressRules suppresses rules on a construct and its children.
func suppressRules(on constructs.IConstruct, reasons suppressions) {
	var all []*cdknag.NagPackSuppression
	for _, id := range slices.Sorted(maps.Keys(reasons)) { // sorted, which keeps the template reproducible
		all = append(all, &cdknag.NagPackSuppression{Id: new(id), Reason: new(reasons[id])})
	}
	cdknag.NagSuppressions_AddResourceSuppressions(on, &all, new(true))
}

// skipChecks suppresses rules of checkov on a construct's resource.
func skipChecks(on constructs.IConstruct, reasons suppressions) {
	skipChecksOf(on.Node().DefaultChild().(awscdk.CfnResource), reasons)
}

// skipChecksOf suppresses rules of checkov on a resource.
func skipChecksOf(resource awscdk.CfnResource, reasons suppressions) {
	var all []map[string]string
	for _, id := range slices.Sorted(maps.Keys(reasons)) {
		all = append(all, map[string]string{"id": id, "comment": reasons[id]})
	}
	resource.AddMetadata(new("checkov"), map[string]any{"skip": all})
}

// suppressFinding suppresses one finding of a rule.
func suppressFinding(on constructs.IConstruct, id, finding, reason string) {
	cdknag.NagSuppressions_AddResourceSuppressions(on, &[]*cdknag.NagPackSuppression{{
		Id: new(id), Reason: new(reason), AppliesTo: &[]any{new(finding)},
	}}, new(true))
}
