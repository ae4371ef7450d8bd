package main

import (
	_ "embed"
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscertificatemanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/aws-cdk-go/awscdk/v2/awswafv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/interfaces/interfacesawslogs"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addEdge puts CloudFront in front of the API: it limits rates, refuses large bodies with a plain
// 413, large headers with a 431 and what cannot be a key with a 401, sends the contract's
// envelope when an origin fails, adds the secret without which the API refuses requests, and
// routes large uploads to the container.
func (d *deployment) addEdge() {
	limit := awscloudfront.NewFunction(d.edge, new("Limit"), &awscloudfront.FunctionProps{
		FunctionName: new(d.physicalName("limit")),
		Code:         awscloudfront.FunctionCode_FromInline(new(d.stage.limitCode())),
		Runtime:      awscloudfront.FunctionRuntime_JS_2_0(),
		Comment:      new("Refuses large bodies and headers and wrong keys; routes uploads by length"),
	})
	firewall := d.newFirewall()
	d.addFirewallLog(firewall)
	host := *d.api.Ref() + ".execute-api." + *d.stack.Region() + "." + *d.stack.UrlSuffix()
	origin := d.serviceOutput("ApiHost", &host, "What the edge sends requests to")
	// It changes with the generations of the secrets and of the service, which makes CloudFormation read secrets
	// and outputs again.
	comment := fmt.Sprintf("External API, secrets %d, service %s", d.stage.Secrets, d.stage.Generation)
	props := &awscloudfront.DistributionProps{
		Comment:         &comment,
		WebAclId:        firewall.AttrArn(),
		DefaultBehavior: newBehavior(d.apiOrigin(origin), limit),
		HttpVersion:     awscloudfront.HttpVersion_HTTP2_AND_3,
		PriceClass:      awscloudfront.PriceClass_PRICE_CLASS_ALL,
		ErrorResponses:  errorResponses(),
	}
	if d.uploads != nil {
		to := newBehavior(d.uploadsOrigin(), limit)
		behaviors := map[string]*awscloudfront.BehaviorOptions{}
		paths := d.stage.uploadPaths()
		if d.reads != nil {
			paths = append(paths, readPatterns()...)
		}
		for _, path := range paths {
			behaviors[path] = to
		}
		props.AdditionalBehaviors = &behaviors
	}
	if d.stage.Domain != "" {
		props.MinimumProtocolVersion = awscloudfront.SecurityPolicyProtocol_TLS_V1_2_2021
		props.DomainNames = jsii.Strings(d.stage.Domain)
		props.Certificate = awscertificatemanager.Certificate_FromCertificateArn(
			d.edge, new("Certificate"), &d.stage.Certificate)
	}
	distribution := awscloudfront.NewDistribution(d.edge, new("Edge"), props)
	d.addEdgeAlarms(distribution, limit)
	domain := *distribution.DistributionDomainName()
	addOutput(d.edge, "OriginHost", *origin, "The API that the edge was deployed for: output ApiHost of the service")
	addOutput(d.edge, "EdgeDomain", domain, "Point the API's domain here")
	addOutput(d.edge, "EdgeUrl", "https://"+domain+contract.BasePath, "The API's URL for callers, without a domain")
}

// errorResponses returns how CloudFront treats errors. It caches none; by default it would cache
// some for ten seconds and send them to every caller. The API itself never responds with 502,
// 503 or 504: a function, container or gateway then gave no response, so CloudFront sends what
// platform serves at UnavailablePath, with the same status.
func errorResponses() *[]*awscloudfront.ErrorResponse {
	var all []*awscloudfront.ErrorResponse
	never := awscdk.Duration_Seconds(new(0.0))
	for _, status := range []float64{400, 403, 404, 405, 414, 416, 500, 501} {
		all = append(all, &awscloudfront.ErrorResponse{HttpStatus: &status, Ttl: never})
	}
	for _, status := range []float64{502, 503, 504} {
		all = append(all, &awscloudfront.ErrorResponse{
			HttpStatus: &status, ResponseHttpStatus: &status, ResponsePagePath: new(topology.UnavailablePath), Ttl: never,
		})
	}
	return &all
}

// newBehavior returns a behaviour that forwards every request and caches nothing.
func newBehavior(origin awscloudfront.IOrigin, limit awscloudfront.Function) *awscloudfront.BehaviorOptions {
	return &awscloudfront.BehaviorOptions{
		Origin: origin, OriginRequestPolicy: awscloudfront.OriginRequestPolicy_ALL_VIEWER_EXCEPT_HOST_HEADER(),
		CachePolicy:          awscloudfront.CachePolicy_CACHING_DISABLED(),
		AllowedMethods:       awscloudfront.AllowedMethods_ALLOW_ALL(),
		ViewerProtocolPolicy: awscloudfront.ViewerProtocolPolicy_HTTPS_ONLY,
		FunctionAssociations: &[]*awscloudfront.FunctionAssociation{{
			EventType: awscloudfront.FunctionEventType_VIEWER_REQUEST, Function: limit,
		}},
	}
}

// originHeaders returns the header with the secret by which an origin recognizes requests
// that came through CloudFront.
func (d *deployment) originHeaders() *map[string]*string {
	return &map[string]*string{"X-Origin-Secret": d.secretText("origin-" + d.stage.OriginSecret)}
}

func (d *deployment) apiOrigin(host *string) awscloudfront.IOrigin {
	return awscloudfrontorigins.NewHttpOrigin(host, &awscloudfrontorigins.HttpOriginProps{
		OriginId:           new(apiOriginID),
		ProtocolPolicy:     awscloudfront.OriginProtocolPolicy_HTTPS_ONLY,
		OriginSslProtocols: &[]awscloudfront.OriginSslPolicy{awscloudfront.OriginSslPolicy_TLS_V1_2},
		ReadTimeout:        awscdk.Duration_Seconds(new(30.0)),
		CustomHeaders:      d.originHeaders(),
	})
}

//go:embed authorize.js
var authorizeSource string

const (
	// authorizer is the name of the function that API Gateway asks about the origin secret.
	authorizer = "authorizer"
	// authorizerInstances is how many instances of it run at a time: what requests with ever new
	// wrong secrets can use of the account's.
	authorizerInstances = 10
	// authorizedSeconds is how long API Gateway remembers an answer for a secret, at most an hour.
	authorizedSeconds = 3600
)

// addAuthorizer lets API Gateway refuse what did not come through CloudFront, without an
// invocation: a request without a secret, or with one of which it remembers the answer. It
// returns the authorizer's id; nil in a stage without an edge.
func (d *deployment) addAuthorizer() *string {
	if !d.stage.Edge {
		return nil
	}
	name := d.physicalName(authorizer)
	logs := d.logGroup("AuthorizerLog", "/aws/lambda/"+name)
	self := topology.Function{Name: authorizer}
	function := awslambda.NewFunction(d.stack, new("Authorizer"), &awslambda.FunctionProps{
		FunctionName: new(name), Description: new(d.functionDescription(self)),
		Runtime: awslambda.Runtime_NODEJS_24_X(), Architecture: awslambda.Architecture_ARM_64(),
		Handler: new("index.handler"), Code: awslambda.Code_FromInline(new(authorizeSource)),
		Role: d.newFunctionRole(self, logs), LogGroup: logs,
		ReservedConcurrentExecutions: jsii.Number(authorizerInstances),
		Environment: &map[string]*string{
			topology.SettingFunction: new(authorizer), topology.SettingOriginSecrets: d.originSecrets(),
		},
	})
	d.functions[authorizer] = function
	address := "arn:" + *d.stack.Partition() + ":apigateway:" + *d.stack.Region() +
		":lambda:path/2015-03-31/functions/" + *function.FunctionArn() + "/invocations"
	created := awsapigatewayv2.NewCfnAuthorizer(d.stack, new("OriginAuthorizer"), &awsapigatewayv2.CfnAuthorizerProps{
		ApiId: d.api.Ref(), Name: new("origin"), AuthorizerType: new("REQUEST"), AuthorizerUri: &address,
		AuthorizerPayloadFormatVersion: new("2.0"), EnableSimpleResponses: new(true),
		IdentitySource:               jsii.Strings("$request.header.X-Origin-Secret"),
		AuthorizerResultTtlInSeconds: jsii.Number(authorizedSeconds),
	})
	awslambda.NewCfnPermission(d.stack, new("AuthorizerInvoke"), &awslambda.CfnPermissionProps{
		Action: new("lambda:InvokeFunction"), FunctionName: function.FunctionArn(),
		Principal: new("apigateway.amazonaws.com"), SourceArn: d.apiARN("authorizers/" + *created.Ref()),
	})
	return created.Ref()
}

// addEdgeAlarms creates the alarms of CloudFront and its firewall. Their metrics are in us-east-1,
// and so are the alarms, which have topics of their own there.
func (d *deployment) addEdgeAlarms(distribution awscloudfront.Distribution, limit awscloudfront.Function) {
	to := d.newTopics(d.edge, "edge-", "cloudwatch.amazonaws.com")
	metric := func(name, statistic, dimension string, of *string) awscloudwatch.IMetric {
		return newMetric("AWS/CloudFront", name, statistic, dimension, *of, "Region", "Global")
	}
	all := distribution.DistributionId() // all responses, whichever part made them
	d.addBurnAlarm(to, newAlarm("availability", "all-callers", nil), "(rate / 100 * calls)", "calls", metrics{
		"rate":  metric("5xxErrorRate", "Average", "DistributionId", all), // in percent
		"calls": metric("Requests", "Sum", "DistributionId", all),
	})
	const failures, calls = "FILL(errors, 0) + FILL(refused, 0)", "FILL(calls, 0) + FILL(refused, 0)"
	d.createAlarm(to, newAlarm("edge-function", "edge", shareMetric(failures, calls, 5, 5, metrics{
		"errors":  metric("FunctionExecutionErrors", "Sum", "FunctionName", limit.FunctionName()),
		"refused": metric("FunctionThrottles", "Sum", "FunctionName", limit.FunctionName()),
		"calls":   metric("FunctionInvocations", "Sum", "FunctionName", limit.FunctionName()),
	})))
	blocked := newMetric("AWS/WAFV2", "BlockedRequests", "Sum", "WebACL", d.physicalName("firewall"), "Rule", "ALL")
	d.createAlarm(to, newAlarm("edge-blocked", "edge", blocked))
}

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
