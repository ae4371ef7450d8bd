package main

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// readHandlers returns the actions that CloudFormation itself calls to create, read, update and delete
// resources, by their type. testdata/handlers.golden has them from the schemas that AWS publishes of
// its types, which cfn-lint contains; a type without an action has no handlers there.
func readHandlers(t *testing.T) map[string][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/handlers.golden")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		all[fields[0]] = fields[1:]
	}
	return all
}

// allows reports whether a statement of the policy allows an action, in some case.
func (p accountPolicy) allows(action string) bool {
	return slices.ContainsFunc(p.Statement, func(s accountStatement) bool {
		return slices.ContainsFunc(asList(s.Action), func(pattern string) bool {
			found, err := path.Match(strings.ToLower(pattern), strings.ToLower(action))
			return err == nil && found
		})
	})
}

// notNeeded are actions of handlers that our templates have no use for.
var notNeeded = map[string]string{
	"backup-storage:Mount":                                     "IAM knows no such action, but MountCapsule",
	"cognito-idp:DescribeUserPoolClient":                       "no listener signs users in",
	"elasticfilesystem:DescribeMountTargets":                   noFiles,
	"firehose:ListDeliveryStreams":                             notElsewhere,
	"firehose:TagDeliveryStream":                               notElsewhere,
	"iam:DeleteGroupPolicy":                                    onlyRoles,
	"iam:DeleteRolePermissionsBoundary":                        "a boundary stays",
	"iam:DeleteUserPolicy":                                     onlyRoles,
	"iam:DescribeOrganization":                                 "IAM knows no such action",
	"iam:GetGroupPolicy":                                       onlyRoles,
	"iam:GetUserPolicy":                                        onlyRoles,
	"iam:PutGroupPolicy":                                       onlyRoles,
	"iam:PutRolePermissionsBoundary":                           "a role is created with its boundary",
	"iam:PutUserPolicy":                                        onlyRoles,
	"kinesis:DescribeStream":                                   noStream,
	"kinesis:PutRecords":                                       noStream,
	"organizations:DescribeOrganization":                       noOrganization,
	"organizations:ListAWSServiceAccessForOrganization":        noOrganization,
	"payments:GetConnectedAccount":                             "the firewall has no rules that are sold",
	"s3files:ListMountTargets":                                 noFiles,
	"sts:AssumeRole":                                           "a VPC origin uses a role of its service",
	"vpc-lattice:CreateServiceNetworkVpcEndpointAssociation":   onlyGateways,
	"vpc-lattice:DescribeServiceNetworkVpcEndpointAssociation": onlyGateways,
	"vpce:AllowMultiRegion":                                    onlyGateways,
}

const (
	noFiles        = "no function mounts a file system"
	notElsewhere   = "no log is delivered to a stream"
	noOrganization = "the trail is of one account"
	noStream       = "no table has a stream"
	onlyGateways   = "the endpoints are gateways of the region"
	onlyRoles      = "policies belong to roles"
)

// CloudFormation may do what its handlers of every type in the templates do: also what only an update or
// a deletion does. A role that could be created and not deleted would end a failed creation in
// ROLLBACK_FAILED.
func TestThePipelineMayCallEveryHandler(t *testing.T) {
	_, execution, _, _ := readPipeline(t)
	handlers := readHandlers(t)
	types := map[string]bool{}
	for _, tpl := range synthSearch(t).templates {
		for _, r := range tpl.Resources {
			types[r.Type] = true
		}
	}
	for kind := range types {
		actions, found := handlers[kind]
		if !found && kind != "AWS::CDK::Metadata" {
			t.Errorf("testdata/handlers.golden lacks %s", kind)
		}
		for _, action := range actions {
			isTables := strings.HasPrefix(action, "s3tables:") // no bucket writes its metadata to one
			if !isTables && notNeeded[action] == "" && !execution.allows(action) {
				t.Errorf("%s: %s is not allowed", kind, action)
			}
		}
	}
	for kind := range handlers {
		if !types[kind] {
			t.Errorf("no template has %s", kind)
		}
	}
}
