package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awswafv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/interfaces/interfacesawslogs"
	"github.com/aws/jsii-runtime-go"
)

// keptOutOfLogs are the headers that may hold a key or a session.
var keptOutOfLogs = []string{"authorization", "cookie", "x-api-key"}

// addFirewallLog logs the requests that the firewall refuses or counts, without keys, cookies and
// searches. They hold the addresses of callers, and so are kept for two weeks, however long the stage
// keeps other logs.
func (d *deployment) addFirewallLog(firewall awswafv2.CfnWebACL) {
	name := "aws-waf-logs-rmk-" + d.stage.Name // WAF accepts names with its prefix alone
	group := awslogs.NewLogGroup(d.edge, new("FirewallLog"), &awslogs.LogGroupProps{
		LogGroupName: &name, Retention: awslogs.RetentionDays_TWO_WEEKS, RemovalPolicy: awscdk.RemovalPolicy_DESTROY,
	})
	arn := d.edge.FormatArn(&awscdk.ArnComponents{
		Service: new("logs"), Resource: new("log-group"), ResourceName: &name,
		ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME,
	})
	logging := awswafv2.NewCfnLoggingConfiguration(d.edge, new("FirewallLogging"), &awswafv2.CfnLoggingConfigurationProps{
		ResourceArn: firewall.AttrArn(), LogDestinationConfigs: &[]any{arn},
		LoggingFilter: keepRefusals(), RedactedFields: redactedFields(),
	})
	logging.Node().AddDependency(group)
	awslogs.NewQueryDefinition(d.edge, new("RefusedQuery"), &awslogs.QueryDefinitionProps{
		QueryDefinitionName: new("rmk-" + d.stage.Name + "/refused"),
		QueryString: awslogs.NewQueryString(&awslogs.QueryStringProps{
			StatsStatements: jsii.Strings("count(*) as requests by httpRequest.clientIp, terminatingRuleId, action"),
			Sort:            new("requests desc"),
			Limit:           new(100.0),
		}),
		LogGroups: &[]interfacesawslogs.ILogGroupRef{group},
	})
}

// keepRefusals returns the filter that keeps what a rule refused or counted, and drops what passed.
func keepRefusals() map[string]any {
	action := func(name string) any {
		return map[string]any{"ActionCondition": map[string]any{"Action": name}}
	}
	return map[string]any{
		"DefaultBehavior": "DROP",
		"Filters": []any{map[string]any{
			"Behavior": "KEEP", "Requirement": "MEETS_ANY", "Conditions": []any{action("BLOCK"), action("COUNT")},
		}},
	}
}

// redactedFields returns what is replaced in every logged request. The key by which a rule counts is in
// another field of the line, where sampleProtection leaves its hash.
func redactedFields() *[]any {
	var fields []any
	for _, header := range keptOutOfLogs {
		fields = append(fields, &awswafv2.CfnLoggingConfiguration_FieldToMatchProperty{
			SingleHeader: map[string]any{"Name": header},
		})
	}
	fields = append(fields, &awswafv2.CfnLoggingConfiguration_FieldToMatchProperty{QueryString: map[string]any{}})
	return &fields
}
