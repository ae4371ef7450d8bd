package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awswafv2"
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
	header := map[string]any{"Name": "authorization"}
	asSent := &[]any{&awswafv2.CfnWebACL_TextTransformationProperty{Priority: jsii.Number(0), Type: jsii.String("NONE")}}
	hasKey := &awswafv2.CfnWebACL_StatementProperty{RegexMatchStatement: &awswafv2.CfnWebACL_RegexMatchStatementProperty{
		FieldToMatch: &awswafv2.CfnWebACL_FieldToMatchProperty{SingleHeader: header}, RegexString: jsii.String(keyShape), TextTransformations: asSent,
	}}
	hasNone := &awswafv2.CfnWebACL_StatementProperty{NotStatement: &awswafv2.CfnWebACL_NotStatementProperty{Statement: hasKey}}
	perKey := &[]any{&awswafv2.CfnWebACL_RateBasedStatementCustomKeyProperty{Header: &awswafv2.CfnWebACL_RateLimitHeaderProperty{
		Name: jsii.String("authorization"), TextTransformations: asSent,
	}}}
	return awswafv2.NewCfnWebACL(d.edge, jsii.String("Firewall"), &awswafv2.CfnWebACLProps{
		Scope: jsii.String("CLOUDFRONT"), VisibilityConfig: d.firewallMetric("firewall"),
		DefaultAction:        &awswafv2.CfnWebACL_DefaultActionProperty{Allow: &awswafv2.CfnWebACL_AllowActionProperty{}},
		DataProtectionConfig: sampleProtection(),
		CustomResponseBodies: &map[string]any{"throttled": &awswafv2.CfnWebACL_CustomResponseBodyProperty{
			ContentType: jsii.String("APPLICATION_JSON"), Content: jsii.String(throttledBody()),
		}},
		Rules: &[]any{
			d.newRateRule(0, "no-key", &awswafv2.CfnWebACL_RateBasedStatementProperty{
				AggregateKeyType: jsii.String("IP"), Limit: jsii.Number(requestsWithoutKey), ScopeDownStatement: hasNone,
			}),
			d.newRateRule(1, "key", &awswafv2.CfnWebACL_RateBasedStatementProperty{
				AggregateKeyType: jsii.String("CUSTOM_KEYS"), CustomKeys: perKey, Limit: jsii.Number(requestsPerKey), ScopeDownStatement: hasKey,
			}),
			d.newRateRule(2, "address", &awswafv2.CfnWebACL_RateBasedStatementProperty{
				AggregateKeyType: jsii.String("IP"), Limit: jsii.Number(d.stage.RequestsPerAddress),
			}),
		},
	})
}

// sampleProtection keeps keys and searches out of the samples. The hash of a header still shows
// which requests had the same key.
func sampleProtection() *awswafv2.CfnWebACL_DataProtectionConfigProperty {
	return &awswafv2.CfnWebACL_DataProtectionConfigProperty{DataProtections: &[]any{
		&awswafv2.CfnWebACL_DataProtectProperty{Action: jsii.String("HASH"), Field: &awswafv2.CfnWebACL_FieldToProtectProperty{
			FieldType: jsii.String("SINGLE_HEADER"), FieldKeys: jsii.Strings("authorization"),
		}},
		&awswafv2.CfnWebACL_DataProtectProperty{Action: jsii.String("SUBSTITUTION"), Field: &awswafv2.CfnWebACL_FieldToProtectProperty{
			FieldType: jsii.String("QUERY_STRING"),
		}},
	}}
}

// newRateRule returns a rule that refuses what is over a rate with the contract's envelope.
func (d *deployment) newRateRule(priority int, name string, rate *awswafv2.CfnWebACL_RateBasedStatementProperty) *awswafv2.CfnWebACL_RuleProperty {
	rate.EvaluationWindowSec = jsii.Number(300)
	return &awswafv2.CfnWebACL_RuleProperty{
		Name: jsii.String(name), Priority: jsii.Number(priority), VisibilityConfig: d.firewallMetric(name),
		Statement: &awswafv2.CfnWebACL_StatementProperty{RateBasedStatement: rate},
		Action: &awswafv2.CfnWebACL_RuleActionProperty{Block: &awswafv2.CfnWebACL_BlockActionProperty{
			CustomResponse: &awswafv2.CfnWebACL_CustomResponseProperty{
				ResponseCode: jsii.Number(fault.TooMany.Category().Status), CustomResponseBodyKey: jsii.String("throttled"),
				ResponseHeaders: throttledHeaders(),
			},
		}},
	}
}

func (d *deployment) firewallMetric(name string) *awswafv2.CfnWebACL_VisibilityConfigProperty {
	return &awswafv2.CfnWebACL_VisibilityConfigProperty{
		CloudWatchMetricsEnabled: jsii.Bool(true), SampledRequestsEnabled: jsii.Bool(true), MetricName: jsii.String(d.physicalName(name)),
	}
}

// throttledBody returns the body of the response to requests over a rate limit.
func throttledBody() string {
	return edgeEnvelope(fault.TooMany, contract.IPThrottled, "Too many requests from this address or with this key. Wait a minute and slow down.")
}

// throttledHeaders are the headers of that response.
func throttledHeaders() *[]any {
	var all []any
	for _, h := range [][2]string{
		{"Retry-After", "60"}, {"X-Request-Id", edgeRequestID}, {"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"},
	} {
		all = append(all, &awswafv2.CfnWebACL_CustomHTTPHeaderProperty{Name: jsii.String(h[0]), Value: jsii.String(h[1])})
	}
	return &all
}
