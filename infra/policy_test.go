package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/iam"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// statement is one of a synthesized policy; resources are flattened.
type statement struct {
	effect             string
	actions, resources []string
	bare               bool // without conditions and negations
}

// policy is what a role may do, by the function that has it.
type policy []statement

// allows evaluates the policy as IAM does: no statement denies and one allows.
func (p policy) allows(action, resource string) bool {
	allowed := false
	for _, s := range p {
		if slices.Contains(s.actions, action) && slices.ContainsFunc(s.resources, func(pattern string) bool { return matches(pattern, resource) }) {
			if s.effect != "Allow" {
				return false
			}
			allowed = true
		}
	}
	return allowed
}

// matches knows the one wildcard that our policies have, at the end.
func matches(pattern, resource string) bool {
	prefix, wild := strings.CutSuffix(pattern, "*")
	return pattern == resource || wild && strings.HasPrefix(resource, prefix)
}

// policies finds the policy of every function and of the container: what its role
// carries and what is attached to it.
func (tpl template) policies(t *testing.T) map[string]policy {
	t.Helper()
	roles := map[string]string{} // logical id of the role → function
	for _, r := range tpl.of("AWS::Lambda::Function") {
		roles[idOf(flat(r.Properties["Role"]))] = variables(r)[topology.SettingFunction]
	}
	for _, r := range tpl.of("AWS::ECS::TaskDefinition") {
		roles[idOf(flat(r.Properties["TaskRoleArn"]))] = topology.Uploads.Name
	}
	all := map[string]policy{}
	for id, function := range roles {
		role := tpl.Resources[id]
		if role.Properties["ManagedPolicyArns"] != nil {
			t.Errorf("%s has a managed policy", function)
		}
		for _, inline := range role.Properties["Policies"].([]any) {
			all[function] = append(all[function], statements(inline.(map[string]any)["PolicyDocument"])...)
		}
	}
	for _, r := range tpl.of("AWS::IAM::Policy") {
		for _, role := range r.Properties["Roles"].([]any) {
			if function := roles[idOf(flat(role))]; function != "" {
				all[function] = append(all[function], statements(r.Properties["PolicyDocument"])...)
			}
		}
	}
	return all
}

// idOf is the logical id of a flattened reference.
func idOf(flat string) string {
	id, _, _ := strings.Cut(strings.Trim(flat, "${}"), ".")
	return id
}

func statements(document any) (all policy) {
	for _, one := range document.(map[string]any)["Statement"].([]any) {
		s := one.(map[string]any)
		_, notAction := s["NotAction"]
		_, notResource := s["NotResource"]
		all = append(all, statement{s["Effect"].(string), list(s["Action"]), list(s["Resource"]), s["Condition"] == nil && !notAction && !notResource})
	}
	return all
}

// list is a value that may stand alone, flattened.
func list(v any) (all []string) {
	many, ok := v.([]any)
	if !ok {
		return []string{flat(v)}
	}
	for _, one := range many {
		all = append(all, flat(one))
	}
	return all
}

// deployedARN is the ARN that a use of the record has in the stack.
func (tpl template) deployedARN(t *testing.T, on topology.Resource) string {
	t.Helper()
	arn := func(kind, name string) string { return "${" + tpl.idNamed(t, kind, title(on.Name)+name) + ".Arn}" }
	switch on.Kind {
	case topology.Items:
		return arn("AWS::DynamoDB::Table", "Table")
	case topology.Entries:
		return arn("AWS::DynamoDB::Table", "Table") + "/index/" + on.Part
	case topology.Objects:
		return arn("AWS::S3::Bucket", "Bucket") + "/" + on.Part + "an/object"
	case topology.Messages:
		return arn("AWS::SQS::Queue", "Queue")
	case topology.Dead:
		return arn("AWS::SQS::Queue", "Dlq")
	}
	t.Fatalf("no ARN for %s", on)
	return ""
}

func (tpl template) idNamed(t *testing.T, kind, prefix string) string {
	t.Helper()
	for id := range tpl.of(kind) {
		if len(id) == len(prefix)+8 && strings.HasPrefix(id, prefix) {
			return id
		}
	}
	t.Fatalf("no %s is called %s", kind, prefix)
	return ""
}

// used is what the test runs of all packages did to AWS, as they recorded it.
func used(t *testing.T) (uses []iam.Access) {
	t.Helper()
	files, err := filepath.Glob("../*/*/testdata/actions.golden")
	if err != nil || len(files) < 2 {
		t.Fatalf("records: %q, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			use, err := iam.ParseAccess(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			uses = append(uses, use)
		}
	}
	return uses
}

// judge compares what is allowed with what was used, both ways.
func (tpl template) judge(t *testing.T, uses []iam.Access) (problems []string) {
	t.Helper()
	policies := tpl.policies(t)
	needed := map[string]bool{} // "function action arn"
	for _, use := range uses {
		if policies[use.Function] == nil {
			if use.Function != topology.Uploads.Name { // dev has no container
				problems = append(problems, use.Function+" has no policy")
			}
			continue
		}
		arn := tpl.deployedARN(t, use.On)
		needed[use.Function+" "+use.Action+" "+arn] = true
		if !policies[use.Function].allows(use.Action, arn) {
			problems = append(problems, "not allowed: "+use.String())
		}
	}
	for function, p := range policies {
		problems = append(problems, tpl.excess(t, function, p, needed)...)
	}
	slices.Sort(problems)
	return problems
}

// excess lists what a policy allows and nothing used: every action on every
// resource of every statement must have been, or be the platform's.
func (tpl template) excess(t *testing.T, function string, p policy, needed map[string]bool) (problems []string) {
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
				justified := tpl.implicit(t, function, action, resource)
				for use := range needed {
					arn, found := strings.CutPrefix(use, function+" "+action+" ")
					justified = justified || found && matches(resource, arn)
				}
				if !justified {
					problems = append(problems, fmt.Sprintf("used by nothing: %s: %s on %s", function, action, resource))
				}
			}
		}
	}
	return problems
}

// implicit tells an action that the platform takes, on the function's own log or
// the queue that feeds it.
func (tpl template) implicit(t *testing.T, function, action, resource string) bool {
	t.Helper()
	if topology.Implicit[action] == "" {
		return false
	}
	if strings.HasPrefix(action, "logs:") {
		return resource == "${"+tpl.idNamed(t, "AWS::Logs::LogGroup", title(function)+"Log")+".Arn}"
	}
	for _, w := range topology.Workers {
		if w.Name == function && w.Queue != nil {
			return resource == tpl.deployedARN(t, w.Queue.Messages())
		}
	}
	return false
}

// The synthesized policies allow what every function did in the test runs, on the
// resources it did it to, and nothing else.
func TestLeastPrivilege(t *testing.T) {
	eachStack(t, func(t *testing.T, tpl template) {
		for _, problem := range tpl.judge(t, used(t)) {
			t.Error(problem)
		}
	})
	if found := deployed(t).templates["rmk-prod"].policies(t)["uploads"]; len(found) == 0 {
		t.Error("the container's policy was not looked at")
	}
}

// A grant too many and one too few are both found, in the action and in the resource.
func TestPlantedGrantsAreFound(t *testing.T) {
	uses := used(t)
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
			tpl := copied(t, deployed(t).templates["rmk-dev"])
			inline := tpl.named(t, "AWS::IAM::Role", "PlatformRole").Properties["Policies"].([]any)[0].(map[string]any)["PolicyDocument"].(map[string]any)
			all := inline["Statement"].([]any)
			inline["Statement"] = c.change(all, all[0].(map[string]any))
			problems := tpl.judge(t, uses)
			found := slices.ContainsFunc(problems, func(p string) bool { return strings.HasPrefix(p, c.want) })
			if !found {
				t.Errorf("got %q; want %q", problems, c.want)
			}
		})
	}
}

func copied(t *testing.T, tpl template) (out template) {
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
