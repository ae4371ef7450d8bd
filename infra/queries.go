package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/interfaces/interfacesawslogs"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addQueries saves the query of Logs Insights that finds the lines of a request, or of all work with
// its trace or batch, in the logs of all functions and containers. The operator replaces ID.
func (d *deployment) addQueries() {
	var groups []interfacesawslogs.ILogGroupRef
	for _, f := range topology.Functions {
		groups = append(groups, d.functions[f.Name].LogGroup())
	}
	for _, f := range topology.Containers {
		if log := d.stack.Node().TryFindChild(new(constructID(f.Name) + "Log")); log != nil {
			groups = append(groups, log.(awslogs.LogGroup))
		}
	}
	awslogs.NewQueryDefinition(d.stack, new("FollowQuery"), &awslogs.QueryDefinitionProps{
		QueryDefinitionName: new("rmk-" + d.stage.Name + "/follow"),
		QueryString: awslogs.NewQueryString(&awslogs.QueryStringProps{
			Fields: jsii.Strings("@timestamp", "msg", "operation", "status", "code", "ms", "submission", "attempt",
				"cause", "request_id", "trace_id", "batch"),
			FilterStatements: jsii.Strings(`request_id = "ID" or trace_id = "ID" or batch = "ID"`),
			Sort:             new("@timestamp asc"),
			Limit:            new(10_000.0),
		}),
		LogGroups: &groups,
	})
}
