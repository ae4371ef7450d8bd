package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// accountStatement is a statement of a policy in account/.
type accountStatement struct {
	Sid       string         `yaml:"Sid"`
	Action    any            `yaml:"Action"`
	NotAction any            `yaml:"NotAction"`
	Resource  any            `yaml:"Resource"`
	Condition map[string]any `yaml:"Condition"`
}

type accountPolicy struct {
	Statement []accountStatement `yaml:"Statement"`
}

// pipelineRole is a role that GitHub's runs sign in to.
type pipelineRole struct {
	Properties struct {
		AssumeRolePolicyDocument accountPolicy `yaml:"AssumeRolePolicyDocument"`
		Policies                 []struct {
			PolicyDocument accountPolicy `yaml:"PolicyDocument"`
		} `yaml:"Policies"`
	} `yaml:"Properties"`
}

// subjects returns the runs that may sign in.
func (r pipelineRole) subjects() []string {
	equals, _ := r.Properties.AssumeRolePolicyDocument.Statement[0].Condition["StringEquals"].(map[string]any)
	return asList(equals["token.actions.githubusercontent.com:sub"])
}

// assumes returns the roles that it may assume.
func (r pipelineRole) assumes() (roles []string) {
	for _, p := range r.Properties.Policies {
		for _, s := range p.PolicyDocument.Statement {
			if slices.Contains(asList(s.Action), "sts:AssumeRole") {
				roles = append(roles, asList(s.Resource)...)
			}
		}
	}
	return roles
}

// The environment without reviewers shows differences and cannot deploy: its runs sign in to a role
// that assumes only the lookup role, and the role that deploys takes runs of the reviewed environment.
func TestDifferencesAreShownWithoutTheRightToDeploy(t *testing.T) {
	text, err := os.ReadFile("account/pipeline.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var tpl struct {
		Resources struct {
			Role     pipelineRole `yaml:"Role"`
			DiffRole pipelineRole `yaml:"DiffRole"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &tpl); err != nil {
		t.Fatal(err)
	}
	if got := tpl.Resources.Role.subjects(); !slices.Equal(got, []string{"repo:${Repository}:environment:${Stage}"}) {
		t.Errorf("%v may deploy", got)
	}
	diff := tpl.Resources.DiffRole
	if len(diff.Properties.AssumeRolePolicyDocument.Statement) != 1 || !slices.Equal(diff.subjects(), []string{"repo:${Repository}:environment:${Stage}-diff"}) {
		t.Fatalf("the role for differences takes %v", diff.Properties.AssumeRolePolicyDocument)
	}
	if got := diff.assumes(); len(got) != 1 || !strings.Contains(got[0], "-lookup-role-") {
		t.Errorf("the role for differences assumes %v", got)
	}
	for _, p := range diff.Properties.Policies {
		if problems := p.PolicyDocument.excessRights(); len(problems) > 0 {
			t.Error(problems)
		}
	}
}

// readPipeline returns the policies of the pipeline: what it may assume, what CloudFormation may do,
// what no role of the stage may do, and who may be the pipeline.
func readPipeline(t *testing.T) (deploy, execution, boundary, trust accountPolicy) {
	t.Helper()
	text, err := os.ReadFile("account/pipeline.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var tpl struct {
		Resources struct {
			Role     pipelineRole `yaml:"Role"`
			Boundary struct {
				Properties struct {
					PolicyDocument accountPolicy `yaml:"PolicyDocument"`
				} `yaml:"Properties"`
			} `yaml:"Boundary"`
			Execution struct {
				Properties struct {
					PolicyDocument accountPolicy `yaml:"PolicyDocument"`
				} `yaml:"Properties"`
			} `yaml:"Execution"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &tpl); err != nil {
		t.Fatal(err)
	}
	role := tpl.Resources.Role.Properties
	if len(role.Policies) != 1 {
		t.Fatalf("the role has %d policies", len(role.Policies))
	}
	return role.Policies[0].PolicyDocument, tpl.Resources.Execution.Properties.PolicyDocument,
		tpl.Resources.Boundary.Properties.PolicyDocument, role.AssumeRolePolicyDocument
}

// excessRights returns what a policy allows that would make an administrator of its holder.
func (p accountPolicy) excessRights() (problems []string) {
	for _, s := range p.Statement {
		resources := asList(s.Resource)
		anywhere := slices.ContainsFunc(resources, func(r string) bool { return r == "*" || strings.HasSuffix(r, ":role/*") })
		for _, action := range asList(s.Action) {
			identity := strings.HasPrefix(action, "iam:") || strings.HasPrefix(action, "sts:") || strings.HasPrefix(action, "organizations:")
			changes := slices.Contains([]string{"iam:AttachRolePolicy", "iam:CreateRole", "iam:PutRolePolicy"}, action)
			limits, _ := s.Condition["StringEquals"].(map[string]any)
			if strings.HasPrefix(action, "*") || identity && (anywhere || strings.Contains(action, "*")) || changes && limits["iam:PermissionsBoundary"] != "Boundary" ||
				strings.Contains(action, "PermissionsBoundary") {
				problems = append(problems, s.Sid+": "+action)
			}
		}
	}
	return problems
}

// The pipeline and what it deploys through are no administrators: no action on everything, only the
// roles that they must assume or pass, and no role without a boundary. Runs of other repositories and
// environments are refused.
func TestThePipelineIsNoAdministrator(t *testing.T) {
	deploy, execution, boundary, trust := readPipeline(t)
	if len(boundary.Statement) != 1 || !slices.Contains(asList(boundary.Statement[0].NotAction), "iam:*") || !slices.Contains(asList(boundary.Statement[0].NotAction), "sts:*") {
		t.Errorf("the boundary is %v", boundary)
	}
	if problems := append(deploy.excessRights(), execution.excessRights()...); len(problems) > 0 {
		t.Error(problems)
	}
	passed := map[string][]string{}
	for _, s := range append(deploy.Statement, execution.Statement...) {
		for _, action := range asList(s.Action) {
			if action == "iam:PassRole" || action == "sts:AssumeRole" {
				passed[action] = append(passed[action], asList(s.Resource)...)
			}
		}
	}
	for _, role := range passed["iam:PassRole"] { // one of a service is assumed by that service alone
		_, service, isOfService := strings.Cut(role, ":role/aws-service-role/")
		isOfScaling := service == "dynamodb.application-autoscaling.amazonaws.com/*" || service == "ecs.application-autoscaling.amazonaws.com/*"
		if !strings.HasSuffix(role, ":role/rmk-${Stage}-*") && (!isOfService || !isOfScaling) {
			t.Errorf("passes %v", role)
		}
	}
	for _, role := range passed["sts:AssumeRole"] {
		if !strings.Contains(role, ":role/cdk-${Qualifier}-") || strings.Contains(role, "cfn-exec") {
			t.Errorf("assumes %s", role)
		}
	}
	equals, _ := trust.Statement[0].Condition["StringEquals"].(map[string]any)
	for _, subject := range asList(equals["token.actions.githubusercontent.com:sub"]) {
		if !strings.HasPrefix(subject, "repo:${Repository}:environment:${Stage}") {
			t.Errorf("%s may sign in", subject)
		}
	}
	if len(trust.Statement) != 1 || equals["token.actions.githubusercontent.com:aud"] != "sts.amazonaws.com" {
		t.Errorf("got %v", trust)
	}
}

// A second stage in an account uses the account's provider for GitHub's tokens: IAM takes one for an
// address.
func TestStagesShareTheProvider(t *testing.T) {
	text, err := os.ReadFile("account/pipeline.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var tpl struct {
		Parameters map[string]any `yaml:"Parameters"`
		Resources  map[string]struct {
			Condition      string `yaml:"Condition"`
			DeletionPolicy string `yaml:"DeletionPolicy"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &tpl); err != nil {
		t.Fatal(err)
	}
	provider := tpl.Resources["Provider"]
	if tpl.Parameters["ProviderArn"] == nil || provider.Condition != "IsFirst" || provider.DeletionPolicy != "Retain" {
		t.Errorf("the provider is %+v, with the parameters %v", provider, tpl.Parameters)
	}
}

// A right too many is found.
func TestPlantedRightsAreFound(t *testing.T) {
	for name, s := range map[string]accountStatement{
		"everything":   {Action: "*", Resource: "*"},
		"all of it":    {Action: "*:*", Resource: "*"},
		"any role":     {Action: []any{"lambda:*", "iam:PassRole"}, Resource: "*"},
		"any new role": {Action: "iam:CreateRole", Resource: "arn:aws:iam::1:role/rmk-x-*"},
		"any identity": {Action: "iam:*", Resource: "arn:aws:iam::1:role/rmk-x"},
	} {
		if len(accountPolicy{[]accountStatement{s}}.excessRights()) == 0 {
			t.Errorf("%s: not found", name)
		}
	}
}

// services are the names in IAM of services that CloudFormation calls otherwise.
var services = map[string]string{
	"ApiGatewayV2": "apigateway", "ApplicationAutoScaling": "application-autoscaling", "OpenSearchService": "es",
	"ElasticLoadBalancingV2": "elasticloadbalancing", "CDK": "", // metadata
}

// CloudFormation may deploy every kind of resource of the templates.
func TestThePipelineDeploysEverything(t *testing.T) {
	_, execution, _, _ := readPipeline(t)
	var allowed []string
	for _, s := range execution.Statement {
		for _, action := range asList(s.Action) {
			service, _, _ := strings.Cut(action, ":")
			allowed = append(allowed, service)
		}
	}
	for id, r := range synthSearch(t).templates["prod-us"].Resources {
		if boundary := flatten(r.Properties["PermissionsBoundary"]); r.Type == "AWS::IAM::Role" && !strings.HasSuffix(boundary, ":policy/rmk-prod-us-boundary") {
			t.Errorf("%s has the boundary %s", id, boundary)
		}
		kind := strings.Split(r.Type, "::")[1]
		service, found := services[kind]
		if !found {
			service = strings.ToLower(kind)
		}
		if service != "" && !slices.Contains(allowed, service) {
			t.Errorf("%s of %s cannot be deployed", id, r.Type)
		}
	}
}

// allowsOn reports whether a statement of a stage's policy allows an action on a resource, both with the
// names of the template in place of the stage's.
func (p accountPolicy) allowsOn(stage, action, resource string) bool {
	return slices.ContainsFunc(p.Statement, func(s accountStatement) bool {
		isAction := slices.ContainsFunc(asList(s.Action), func(pattern string) bool { return matchesPattern(pattern, action) })
		return isAction && slices.ContainsFunc(asList(s.Resource), func(pattern string) bool {
			pattern = strings.NewReplacer("${Stage}", stage, ":*:", "::").Replace(pattern)
			return matchesPattern(pattern, resource)
		})
	})
}

// CloudFormation may pass the role with which units and tasks are scaled, and let the service create it: an
// account has none before its first stage.
func TestThePipelineMayPassTheRolesOfScaling(t *testing.T) {
	_, execution, _, _ := readPipeline(t)
	const own = "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/aws-service-role/"
	services := map[string]bool{}
	for id, r := range synthDeployed(t).templates["scale"].resourcesOf("AWS::ApplicationAutoScaling::ScalableTarget") {
		_, name, _ := strings.Cut(flatten(r.Properties["RoleARN"]), ":role/aws-service-role/")
		service, _, _ := strings.Cut(name, "/")
		services[service] = true
		for _, action := range []string{"iam:PassRole", "iam:CreateServiceLinkedRole"} {
			if !execution.allowsOn("scale", action, own+name) {
				t.Errorf("%s: %s of %s is not allowed", id, action, name)
			}
		}
	}
	if len(services) != 2 {
		t.Errorf("units and tasks are scaled by the roles of %v", services)
	}
	if execution.allowsOn("scale", "iam:PassRole", own+"lambda.amazonaws.com/x") {
		t.Error("the role of any service may be passed")
	}
}

// The policy of one stage creates the data and the roles of that stage alone. So cdk bootstrap, which gives
// a region one role for all stages, must be given the policies of all: the guide says so.
func TestAStagesPolicyIsForItsOwnNames(t *testing.T) {
	_, execution, _, _ := readPipeline(t)
	const account = "${AWS::AccountId}"
	for _, stage := range []string{"prod-us", "prod-eu"} {
		for action, resource := range map[string]string{
			"dynamodb:CreateTable":        "arn:${AWS::Partition}:dynamodb::" + account + ":table/rmk-" + stage + "-accounts",
			"s3:CreateBucket":             "arn:${AWS::Partition}:s3:::rmk-" + stage + "-resumes-1-x",
			"secretsmanager:CreateSecret": "arn:${AWS::Partition}:secretsmanager::" + account + ":secret:rmk/" + stage + "/origin-a",
			"sns:CreateTopic":             "arn:${AWS::Partition}:sns::" + account + ":rmk-" + stage + "-edge-pages",
			"sqs:CreateQueue":             "arn:${AWS::Partition}:sqs::" + account + ":rmk-" + stage + "-ingest",
			"iam:CreateRole":              "arn:${AWS::Partition}:iam::" + account + ":role/rmk-" + stage + "-service-x",
		} {
			for of, want := range map[string]bool{stage: true, "dev": false} {
				if got := execution.allowsOn(of, action, resource); got != want {
					t.Errorf("the policy of %s allows %s on %s: %t; want %t", of, action, resource, got, want)
				}
			}
		}
	}
	if step := chapterOf(t, "## First deployment"); !strings.Contains(step, "give the policies of all of them, separated by commas") {
		t.Error("the guide does not say that cdk bootstrap is given the policies of all stages")
	}
}
