package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awswafv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/interfaces/interfacesawslogs"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// keyShape matches an Authorization header with a possible key. The firewall cannot compute the
// checksum, which the CloudFront function checks afterwards.
const keyShape = `^\s*(?i:bearer)\s+rmk_[a-z]{2,12}_[0-9A-Za-z]{36}\s*$`

// The requests of five minutes that the firewall lets pass: of one address without a possible key,
// and with one key, which is three times what the contract's rates allow. All requests of an
// address have the wider limit of [Stage].
const (
	requestsWithoutKey = 300
	requestsPerKey     = 3000
)

// newFirewall returns a firewall that limits rates. AWS's managed rules inspect bodies and would
// refuse files in base64.
func (d *deployment) newFirewall() awswafv2.CfnWebACL {
	asSent := &[]any{&awswafv2.CfnWebACL_TextTransformationProperty{Priority: new(0.0), Type: new("NONE")}}
	hasKey := &awswafv2.CfnWebACL_StatementProperty{
		RegexMatchStatement: &awswafv2.CfnWebACL_RegexMatchStatementProperty{
			FieldToMatch: &awswafv2.CfnWebACL_FieldToMatchProperty{
				SingleHeader: map[string]any{"Name": "authorization"},
			},
			RegexString: new(keyShape), TextTransformations: asSent,
		},
	}
	hasNone := &awswafv2.CfnWebACL_StatementProperty{
		NotStatement: &awswafv2.CfnWebACL_NotStatementProperty{Statement: hasKey},
	}
	perKey := &awswafv2.CfnWebACL_RateBasedStatementCustomKeyProperty{
		Header: &awswafv2.CfnWebACL_RateLimitHeaderProperty{Name: new("authorization"), TextTransformations: asSent},
	}
	const advice = "Too many requests from this address or with this key. Wait a minute and slow down."
	return awswafv2.NewCfnWebACL(d.edge, new("Firewall"), &awswafv2.CfnWebACLProps{
		Scope: new("CLOUDFRONT"), VisibilityConfig: d.firewallMetric("firewall"),
		DefaultAction: &awswafv2.CfnWebACL_DefaultActionProperty{
			Allow: &awswafv2.CfnWebACL_AllowActionProperty{},
		},
		DataProtectionConfig: sampleProtection(),
		CustomResponseBodies: &map[string]any{"throttled": &awswafv2.CfnWebACL_CustomResponseBodyProperty{
			ContentType: new("APPLICATION_JSON"), Content: new(edgeEnvelope(fault.TooMany, contract.IPThrottled, advice)),
		}},
		Rules: &[]any{
			d.newRateRule(0, "no-key", requestsWithoutKey, rateLimit{ScopeDownStatement: hasNone}),
			d.newRateRule(1, "key", requestsPerKey, rateLimit{CustomKeys: &[]any{perKey}, ScopeDownStatement: hasKey}),
			d.newRateRule(2, "address", d.stage.RequestsPerAddress, rateLimit{}),
		},
	})
}

type rateLimit = awswafv2.CfnWebACL_RateBasedStatementProperty

// sampleProtection keeps keys, cookies and searches out of the samples, and out of what log lines say of
// the rates. The hash of a header still shows which requests had the same key.
func sampleProtection() *awswafv2.CfnWebACL_DataProtectionConfigProperty {
	protect := func(action, field string, keys *[]*string) any {
		return &awswafv2.CfnWebACL_DataProtectProperty{
			Action: &action, Field: &awswafv2.CfnWebACL_FieldToProtectProperty{FieldType: &field, FieldKeys: keys},
		}
	}
	return &awswafv2.CfnWebACL_DataProtectionConfigProperty{DataProtections: &[]any{
		protect("HASH", "SINGLE_HEADER", jsii.Strings("authorization", "x-api-key")),
		protect("SUBSTITUTION", "SINGLE_HEADER", jsii.Strings("cookie")),
		protect("SUBSTITUTION", "QUERY_STRING", nil),
	}}
}

// newRateRule returns a rule that refuses what is over a rate with the contract's envelope. It counts by IP address
// unless it has keys of its own.
func (d *deployment) newRateRule(priority int, name string, requests int, rate rateLimit) *awswafv2.CfnWebACL_RuleProperty {
	rate.EvaluationWindowSec = new(300.0)
	rate.Limit = jsii.Number(requests)
	rate.AggregateKeyType = new("IP")
	if rate.CustomKeys != nil {
		rate.AggregateKeyType = new("CUSTOM_KEYS")
	}
	refusal := &awswafv2.CfnWebACL_CustomResponseProperty{
		ResponseCode:          jsii.Number(fault.TooMany.Category().Status),
		CustomResponseBodyKey: new("throttled"),
		ResponseHeaders:       throttledHeaders(),
	}
	return &awswafv2.CfnWebACL_RuleProperty{
		Name: &name, Priority: jsii.Number(priority), VisibilityConfig: d.firewallMetric(name),
		Statement: &awswafv2.CfnWebACL_StatementProperty{RateBasedStatement: &rate},
		Action: &awswafv2.CfnWebACL_RuleActionProperty{
			Block: &awswafv2.CfnWebACL_BlockActionProperty{CustomResponse: refusal},
		},
	}
}

func (d *deployment) firewallMetric(name string) *awswafv2.CfnWebACL_VisibilityConfigProperty {
	return &awswafv2.CfnWebACL_VisibilityConfigProperty{
		CloudWatchMetricsEnabled: new(true), SampledRequestsEnabled: new(true), MetricName: new(d.physicalName(name)),
	}
}

func throttledHeaders() *[]any {
	var all []any
	for _, h := range [][2]string{
		{"Retry-After", "60"}, {"X-Request-Id", edgeRequestID},
		{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"},
	} {
		all = append(all, &awswafv2.CfnWebACL_CustomHTTPHeaderProperty{Name: &h[0], Value: &h[1]})
	}
	return &all
}

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

// redactedFields returns what is replaced in every logged request: the query, and the headers that may hold a key
// or a session. The key by which a rule counts is in another field of the line, where sampleProtection leaves its
// hash.
func redactedFields() *[]any {
	header := func(name string) any {
		return &awswafv2.CfnLoggingConfiguration_FieldToMatchProperty{SingleHeader: map[string]any{"Name": name}}
	}
	query := &awswafv2.CfnLoggingConfiguration_FieldToMatchProperty{QueryString: map[string]any{}}
	return &[]any{header("authorization"), header("cookie"), header("x-api-key"), query}
}
