package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/constructs-go/constructs/v10"
	"github.com/cdklabs/cdk-nag-go/cdknag/v2"
	"github.com/goccy/go-yaml"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// suppression is a row of suppressions.yaml, which explains its fields: rules of cdk-nag and checks of checkov, each
// with the reason for suppressing it.
type suppression struct {
	At     []string
	Unless string
	Rules  map[string]string
	Checks map[string]string
}

//go:embed suppressions.yaml
var suppressionsText []byte

// readRows returns the rows of a file of the deployment. It panics if they are malformed, which no input can cause.
func readRows[T any](text []byte) (rows T) {
	decoder := yaml.NewDecoder(bytes.NewReader(text), yaml.DisallowUnknownField())
	if err := decoder.Decode(&rows); err != nil {
		panic(err)
	}
	return rows
}

// addSuppressions suppresses rules of cdk-nag on a construct and its children, and checks of checkov on a resource, or on the
// resource of a construct.
func (d *deployment) addSuppressions() {
	has := map[string]bool{ // what lets the stage keep the rules of a row
		"": false, "edge": d.stage.Edge, "certificate": d.stage.Certificate != "",
		"balancer-certificate": d.stage.balancerCertificate() != "",
	}
	for _, row := range readRows[[]suppression](suppressionsText) {
		isKept, known := has[row.Unless]
		if !known {
			panic("suppressions.yaml: unknown: " + row.Unless)
		}
		if isKept {
			continue
		}
		var rules []*cdknag.NagPackSuppression
		for _, id := range slices.Sorted(maps.Keys(row.Rules)) { // sorted, which keeps the template reproducible
			rules = append(rules, &cdknag.NagPackSuppression{Id: &id, Reason: new(row.Rules[id])})
		}
		var checks []map[string]string
		for _, id := range slices.Sorted(maps.Keys(row.Checks)) {
			checks = append(checks, map[string]string{"id": id, "comment": row.Checks[id]})
		}
		for _, place := range row.places() {
			on := d.findConstruct(place)
			if on != nil && rules != nil {
				cdknag.NagSuppressions_AddResourceSuppressions(on, &rules, new(true))
			}
			if on != nil && checks != nil {
				resource, isResource := on.(awscdk.CfnResource)
				if !isResource {
					resource = on.Node().DefaultChild().(awscdk.CfnResource)
				}
				resource.AddMetadata(new("checkov"), map[string]any{"skip": checks})
			}
		}
	}
	d.suppressAsterisks()
}

// places returns the places of a row, those of a group one by one.
func (s suppression) places() (all []string) {
	for _, at := range s.At {
		if group, isGroup := constructGroups[at]; isGroup {
			all = append(all, group...)
		} else {
			all = append(all, at)
		}
	}
	return all
}

// findConstruct returns the construct at a place: a stack and the ids below it. It is nil if the stage lacks it.
func (d *deployment) findConstruct(place string) (found constructs.IConstruct) {
	stack, ids, _ := strings.Cut(place, "/")
	found = map[string]awscdk.Stack{"data": d.data, "service": d.stack, "edge": d.edge}[stack]
	for id := range strings.SplitSeq(ids, "/") {
		if found == nil {
			return nil
		}
		found = found.Node().TryFindChild(&id)
	}
	return found
}

// constructGroups has the places that a row of suppressions.yaml names together.
var constructGroups = newConstructGroups()

func newConstructGroups() map[string][]string {
	groups := map[string][]string{"service/routes": {"service/DefaultRoute"}}
	add := func(group, name, kind string) {
		groups[group] = append(groups[group], path.Dir(group)+"/"+constructID(name)+kind)
	}
	for _, r := range contract.Routes {
		add("service/routes", r.Operation, "Route")
	}
	for _, b := range topology.Buckets {
		add("data/buckets", b.Name, "Bucket")
		if b.OldVersionDays == 0 {
			add("data/unversioned-buckets", b.Name, "Bucket")
		}
	}
	for _, s := range secrets {
		add("data/secrets", s.name, "Secret")
	}
	for _, f := range topology.Containers {
		add("service/tasks", f.Name, "Task")
	}
	return groups
}

// suppressAsterisks suppresses the rule against resources with an asterisk. It names the exact resources, as the rule
// writes them, so that it finds any other.
func (d *deployment) suppressAsterisks() {
	for _, f := range slices.Concat(topology.Containers, topology.Functions) {
		for _, g := range f.Grants {
			if g.On.Kind == topology.Objects {
				bucket := d.physicalName(g.On.Name) + "-<AWS::AccountId>-" + d.regionName()
				d.allowAsterisk(constructID(f.Name)+"Role", "arn:<AWS::Partition>:s3:::"+bucket+"/"+g.On.Part+"*",
					"Objects are named at run time by ids; the prefix is what can be said before.")
			}
		}
	}
	for name := range d.functions {
		if d.stage.Tracing {
			d.allowAsterisk(constructID(name)+"Role", "*",
				"The actions of X-Ray, with which Lambda sends its traces, take no resource.")
		}
	}
	for _, f := range topology.Containers {
		d.allowAsterisk(constructID(f.Name)+"Task", "*",
			"ecr:GetAuthorizationToken, which the platform needs to pull the image, takes no resource.")
	}
	if d.search != nil {
		d.allowAsterisk(constructID(topology.Publisher.Name)+"Role", "<Search.Arn>/*",
			"Indexes are named at run time, and no other function writes to the domain.")
	}
	functions := "lambda:" + d.regionName() + ":<AWS::AccountId>:function:" + d.physicalName("*")
	d.allowAsterisk("DeploymentRole", "arn:<AWS::Partition>:"+functions,
		"All functions of the stage, and their aliases, are deployed by this role.")
	d.allowAsterisk("DeploymentRole", "*",
		"cloudwatch:DescribeAlarms, which changes nothing, is called for several alarms at a time.")
}

// regionName returns the stage's region as the rules write it.
func (d *deployment) regionName() string { return cmp.Or(d.stage.Region, "<AWS::Region>") }

// allowAsterisk suppresses the finding of one resource, on a construct of the service if the stage has it.
func (d *deployment) allowAsterisk(id, resource, reason string) {
	if on := d.findConstruct("service/" + id); on != nil {
		cdknag.NagSuppressions_AddResourceSuppressions(on, &[]*cdknag.NagPackSuppression{{
			Id: new("AwsSolutions-IAM5"), Reason: &reason, AppliesTo: &[]any{new("Resource::" + resource)},
		}}, new(true))
	}
}
