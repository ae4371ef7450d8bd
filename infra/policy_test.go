package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/testkit/iam"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// statement is one of a synthesized policy; resources are flattened.
type statement struct {
	effect             string
	actions, resources []string
	bare               bool // without conditions and negations
}

// policy is what a role may do.
type policy []statement

// allowsAction evaluates the policy as IAM does: no statement denies and one allows.
func (p policy) allowsAction(action, resource string) bool {
	allowed := false
	for _, s := range p {
		if slices.Contains(s.actions, action) && slices.ContainsFunc(s.resources, func(pattern string) bool { return matchesPattern(pattern, resource) }) {
			if s.effect != "Allow" {
				return false
			}
			allowed = true
		}
	}
	return allowed
}

// matchesPattern supports the only wildcard in our policies, at the end.
func matchesPattern(pattern, resource string) bool {
	prefix, wild := strings.CutSuffix(pattern, "*")
	return pattern == resource || wild && strings.HasPrefix(resource, prefix)
}

// policiesByFunction finds the policy of every function and container: inline and
// attached statements of its role.
func (tpl template) policiesByFunction(t *testing.T) map[string]policy {
	t.Helper()
	roles := map[string]string{} // logical id of the role → function
	for _, r := range tpl.resourcesOf("AWS::Lambda::Function") {
		roles[idOf(flatten(r.Properties["Role"]))] = variablesOf(r)[topology.SettingFunction]
	}
	for _, r := range tpl.resourcesOf("AWS::ECS::TaskDefinition") {
		container := asArray(r.Properties["ContainerDefinitions"])[0].(map[string]any)
		roles[idOf(flatten(r.Properties["TaskRoleArn"]))] = container["Name"].(string)
	}
	all := map[string]policy{}
	for id, function := range roles {
		role := tpl.Resources[id]
		if role.Properties["ManagedPolicyArns"] != nil {
			t.Errorf("%s has a managed policy", function)
		}
		for _, inline := range role.Properties["Policies"].([]any) {
			all[function] = append(all[function], parseStatements(inline.(map[string]any)["PolicyDocument"])...)
		}
	}
	for _, r := range tpl.resourcesOf("AWS::IAM::Policy") {
		for _, role := range r.Properties["Roles"].([]any) {
			if function := roles[idOf(flatten(role))]; function != "" {
				all[function] = append(all[function], parseStatements(r.Properties["PolicyDocument"])...)
			}
		}
	}
	return all
}

// idOf returns the logical id of a flattened reference.
func idOf(flat string) string {
	id, _, _ := strings.Cut(strings.Trim(flat, "${}"), ".")
	return id
}

func parseStatements(document any) (all policy) {
	for _, one := range document.(map[string]any)["Statement"].([]any) {
		s := one.(map[string]any)
		_, notAction := s["NotAction"]
		_, notResource := s["NotResource"]
		all = append(all, statement{s["Effect"].(string), asList(s["Action"]), asList(s["Resource"]), s["Condition"] == nil && !notAction && !notResource})
	}
	return all
}

// asList returns a list, or a single value as a list, with flattened elements.
func asList(v any) (all []string) {
	many, ok := v.([]any)
	if !ok {
		return []string{flatten(v)}
	}
	for _, one := range many {
		all = append(all, flatten(one))
	}
	return all
}

// deployedARN returns the ARN by which the service names a resource of the data stack.
func (tpl template) deployedARN(t *testing.T, on topology.Resource) string {
	t.Helper()
	arn := func(kind, suffix, name, service, resource string) string {
		r := tpl.findResource(t, kind, constructID(on.Name)+suffix)
		return "arn:${AWS::Partition}:" + service + ":" + tpl.region() + ":${AWS::AccountId}:" + resource + flatten(r.Properties[name])
	}
	switch on.Kind {
	case topology.Items:
		return arn("AWS::DynamoDB::Table", "Table", "TableName", "dynamodb", "table/")
	case topology.Entries:
		return arn("AWS::DynamoDB::Table", "Table", "TableName", "dynamodb", "table/") + "/index/" + on.Part
	case topology.Objects:
		bucket := tpl.findResource(t, "AWS::S3::Bucket", constructID(on.Name)+"Bucket")
		return "arn:${AWS::Partition}:s3:::" + flatten(bucket.Properties["BucketName"]) + "/" + on.Part + "an/object"
	case topology.Messages:
		return arn("AWS::SQS::Queue", "Queue", "QueueName", "sqs", "")
	case topology.Dead:
		return arn("AWS::SQS::Queue", "Dlq", "QueueName", "sqs", "")
	}
	t.Fatalf("no ARN for %s", on)
	return ""
}

// region returns the stage's region as the templates write it, which buckets have at the end of
// their names.
func (tpl template) region() string {
	for _, r := range tpl.resourcesOf("AWS::S3::Bucket") {
		_, region, _ := strings.Cut(flatten(r.Properties["BucketName"]), "${AWS::AccountId}-")
		return region
	}
	return ""
}

func (tpl template) idNamed(t *testing.T, kind, prefix string) string {
	t.Helper()
	for id := range tpl.resourcesOf(kind) {
		if len(id) == len(prefix)+8 && strings.HasPrefix(id, prefix) {
			return id
		}
	}
	t.Fatalf("no %s is called %s", kind, prefix)
	return ""
}

// grantedAccesses returns the accesses of all functions and containers: the grants, which a test of package iam holds equal to what
// the end-to-end tests recorded.
func grantedAccesses() (accesses []iam.Access) {
	for _, f := range slices.Concat(topology.Containers, topology.Functions) {
		for _, g := range f.Grants {
			for _, action := range g.Actions {
				accesses = append(accesses, iam.Access{Function: f.Name, Action: action, On: g.On})
			}
		}
	}
	return accesses
}

// comparePolicies returns used accesses that are not allowed and allowed ones that are
// not used.
func (tpl template) comparePolicies(t *testing.T, accesses []iam.Access) (problems []string) {
	t.Helper()
	policies := tpl.policiesByFunction(t)
	needed := map[string]bool{} // "function action arn"
	for _, access := range accesses {
		if policies[access.Function] == nil {
			isContainer := slices.ContainsFunc(topology.Containers, func(f topology.Function) bool { return f.Name == access.Function })
			if !isContainer { // which not every stage has
				problems = append(problems, access.Function+" has no policy")
			}
			continue
		}
		arn := tpl.deployedARN(t, access.On)
		needed[access.Function+" "+access.Action+" "+arn] = true
		if !policies[access.Function].allowsAction(access.Action, arn) {
			problems = append(problems, "not allowed: "+access.String())
		}
	}
	for function, p := range policies {
		problems = append(problems, tpl.excessActions(t, function, p, needed)...)
	}
	slices.Sort(problems)
	return problems
}

// excessActions returns what a policy allows without need: every action on every resource
// of every statement must have been used, or be the platform's.
func (tpl template) excessActions(t *testing.T, function string, p policy, needed map[string]bool) (problems []string) {
	t.Helper()
	for _, s := range p {
		if s.effect != "Allow" || !s.bare {
			problems = append(problems, function+" has a statement that this test does not understand")
		}
		for _, action := range s.actions {
			for _, resource := range s.resources {
				if strings.Contains(strings.TrimSuffix(resource, "/*"), "*") {
					problems = append(problems, fmt.Sprintf("too wide: %s: %s on %s", function, action, resource))
				}
				isSearch := strings.HasPrefix(action, "es:") // TestOnlyItsUsersReachTheSearchDomain has those
				justified := isSearch || tpl.isImplicit(t, function, action, resource)
				for use := range needed {
					arn, found := strings.CutPrefix(use, function+" "+action+" ")
					justified = justified || found && matchesPattern(resource, arn)
				}
				if !justified {
					problems = append(problems, fmt.Sprintf("used by nothing: %s: %s on %s", function, action, resource))
				}
			}
		}
	}
	return problems
}

// isImplicit reports whether an action is the platform's, on the function's own log or
// on the queue that triggers it.
func (tpl template) isImplicit(t *testing.T, function, action, resource string) bool {
	t.Helper()
	if topology.Implicit[action] == "" {
		return false
	}
	if strings.HasPrefix(action, "logs:") {
		return resource == "${"+tpl.idNamed(t, "AWS::Logs::LogGroup", constructID(function)+"Log")+".Arn}"
	}
	queue := topology.FunctionNamed(function).Queue
	return queue != nil && resource == tpl.deployedARN(t, queue.Messages())
}

// The synthesized policies allow exactly the accesses that the functions make.
func TestLeastPrivilege(t *testing.T) {
	eachStage(t, func(t *testing.T, tpl template) {
		for _, problem := range tpl.comparePolicies(t, grantedAccesses()) {
			t.Error(problem)
		}
	})
	if found := synthDeployed(t).templates["prod-us"].policiesByFunction(t)["uploads"]; len(found) == 0 {
		t.Error("the container's policy was not looked at")
	}
}

// A grant too many and one too few are both found, in the action and in the resource.
func TestPlantedGrantsAreFound(t *testing.T) {
	uses := grantedAccesses()
	for name, c := range map[string]struct {
		change func(statements []any, s map[string]any) []any
		want   string
	}{
		"an extra action": {func(all []any, s map[string]any) []any {
			s["Action"] = []any{"dynamodb:GetItem", "dynamodb:UpdateItem", "dynamodb:Scan"}
			return all
		}, "used by nothing: platform: dynamodb:Scan"},
		"a wildcard": {func(all []any, s map[string]any) []any { s["Resource"] = "*"; return all }, "too wide: platform: dynamodb:GetItem on *"},
		"any action": {func(all []any, s map[string]any) []any { s["Action"] = "dynamodb:*"; return all }, "not allowed: platform: dynamodb:GetItem"},
		"a missing action": {func(all []any, s map[string]any) []any {
			s["Action"] = "dynamodb:GetItem"
			return all
		}, "not allowed: platform: dynamodb:UpdateItem on table accounts"},
		"another resource": {func(all []any, s map[string]any) []any {
			s["Resource"] = map[string]any{"Fn::GetAtt": []any{"Other", "Arn"}}
			return all
		}, "not allowed: platform: dynamodb:GetItem on table accounts"},
		"a missing statement": {func(all []any, _ map[string]any) []any { return all[1:] }, "not allowed: platform: dynamodb:GetItem on table accounts"},
	} {
		t.Run(name, func(t *testing.T) {
			tpl := copyTemplate(t, synthDeployed(t).templates["dev"])
			inline := tpl.findResource(t, "AWS::IAM::Role", "PlatformRole").Properties["Policies"].([]any)[0].(map[string]any)["PolicyDocument"].(map[string]any)
			all := inline["Statement"].([]any)
			inline["Statement"] = c.change(all, all[0].(map[string]any))
			problems := tpl.comparePolicies(t, uses)
			found := slices.ContainsFunc(problems, func(p string) bool { return strings.HasPrefix(p, c.want) })
			if !found {
				t.Errorf("got %q; want %q", problems, c.want)
			}
		})
	}
}

func copyTemplate(t *testing.T, tpl template) (out template) {
	t.Helper()
	data, err := json.Marshal(tpl)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(tpl, out); diff != "" {
		t.Fatal(diff)
	}
	return out
}
