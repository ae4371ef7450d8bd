package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscertificatemanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslogs"
	"github.com/aws/jsii-runtime-go"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addEdge puts CloudFront in front of the API: it limits rates, refuses large bodies with a plain 413, large
// headers with a 431 and what cannot be a key with a 401, sends the contract's envelope when an origin fails,
// adds the secret without which the API refuses requests, and routes large uploads to the container.
func (d *deployment) addEdge() {
	limit := awscloudfront.NewFunction(d.edge, new("Limit"), &awscloudfront.FunctionProps{
		FunctionName: new(d.physicalName("limit")),
		Code:         awscloudfront.FunctionCode_FromInline(new(d.stage.limitCode())),
		Runtime:      awscloudfront.FunctionRuntime_JS_2_0(),
		Comment:      new("Refuses large bodies and headers and wrong keys; routes uploads by length"),
	})
	host := *d.api.Ref() + ".execute-api." + *d.stack.Region() + "." + *d.stack.UrlSuffix()
	origin := d.serviceOutput("ApiHost", &host, "What the edge sends requests to")
	api := awscloudfrontorigins.NewHttpOrigin(origin, &awscloudfrontorigins.HttpOriginProps{
		OriginId:           new(apiOriginID),
		ProtocolPolicy:     awscloudfront.OriginProtocolPolicy_HTTPS_ONLY,
		OriginSslProtocols: &[]awscloudfront.OriginSslPolicy{awscloudfront.OriginSslPolicy_TLS_V1_2},
		ReadTimeout:        awscdk.Duration_Seconds(new(30.0)),
		CustomHeaders:      d.originHeaders(),
	})
	// It changes with the generations of the secrets and of the service, which makes CloudFormation read secrets
	// and outputs again.
	comment := fmt.Sprintf("External API, secrets %d, service %s", d.stage.Secrets, d.stage.Generation)
	props := &awscloudfront.DistributionProps{
		Comment:         &comment,
		WebAclId:        d.addFirewall(),
		DefaultBehavior: newBehavior(api, limit),
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

//go:embed authorize.js
var authorizeSource string

const (
	authorizer          = "authorizer" // the function that API Gateway asks about the origin secret
	authorizerInstances = 10           // what requests with ever new wrong secrets can use of the account's
	authorizedSeconds   = 3600         // how long API Gateway remembers an answer for a secret, at most an hour
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

// addFirewall adds the firewall, and the log of the requests that it refuses or counts. The log holds the addresses of
// callers, and so is kept for two weeks, however long the stage keeps other logs.
func (d *deployment) addFirewall() (arn *string) {
	const advice = "Too many requests from this address or with this key. Wait a minute and slow down."
	firewall := addResource(d.edge, "Firewall", map[string]any{
		"Name": d.physicalName(""), "RequestID": edgeRequestID, "Throttled": edgeEnvelope(fault.TooMany, contract.IPThrottled, advice),
		"KeyShape": keyShape, "WithoutKey": requestsWithoutKey, "PerKey": requestsPerKey, "PerAddress": d.stage.RequestsPerAddress,
		"Status": fault.TooMany.Status,
	})
	arn = firewall.GetAtt(new("Arn"), awscdk.ResolutionTypeHint_STRING).ToString()
	name := "aws-waf-logs-rmk-" + d.stage.Name // WAF accepts names with its prefix alone
	group := awslogs.NewLogGroup(d.edge, new("FirewallLog"), &awslogs.LogGroupProps{
		LogGroupName: &name, Retention: awslogs.RetentionDays_TWO_WEEKS, RemovalPolicy: awscdk.RemovalPolicy_DESTROY,
	})
	log := d.edge.FormatArn(&awscdk.ArnComponents{
		Service: new("logs"), Resource: new("log-group"), ResourceName: &name,
		ArnFormat: awscdk.ArnFormat_COLON_RESOURCE_NAME,
	})
	addResource(d.edge, "FirewallLogging", map[string]any{"Firewall": *arn, "Log": *log}).Node().AddDependency(group)
	addResource(d.edge, "RefusedQuery/Resource", map[string]any{"Stage": d.stage.Name, "Log": *group.LogGroupName()})
	return arn
}

//go:embed limit.js
var limitSource string

const (
	// maxHeadBytes is the size of the request line and headers above which the edge responds with
	// 431. API Gateway does so above 10,240 bytes, which include up to 1 KB of headers that
	// CloudFront adds.
	maxHeadBytes = 9216
	// maxLambdaBytes is the length of an upload up to which Lambda serves it: in base64, as API
	// Gateway passes bodies of no text type, 4 MB are within the 6 MB of an event.
	maxLambdaBytes = 4 << 20
	// apiOriginID names the API among the origins of CloudFront.
	apiOriginID = "api"
)

func (s Stage) limitCode() string {
	environments := strings.Split(s.servedEnvironments(), ",")
	// The method and path of the requests that need a key. Others are left to the API, which responds to unknown paths with 404.
	var keyed []string
	for _, r := range contract.Routes {
		if !r.Public() {
			path := strings.ReplaceAll(contract.BasePath+r.Path, "/", `\/`)
			keyed = append(keyed, r.Method+" "+parameter.ReplaceAllString(path, "[^/]+")) // a class needs no escape
		}
	}
	const largeHead = "The request line and the headers are over 9 KB. Send less."
	return strings.NewReplacer(
		"MAX_BODY_BYTES", strconv.Itoa(contract.MaxBodyBytes), "MAX_HEAD_BYTES", strconv.Itoa(maxHeadBytes),
		"MAX_LAMBDA_BYTES", strconv.Itoa(maxLambdaBytes), "API_ORIGIN", apiOriginID,
		"UPLOAD_PATHS", encodeJSON(s.uploadPaths()), "KEYED_ROUTES", "/^("+strings.Join(keyed, "|")+")$/",
		"ENVIRONMENTS", encodeJSON(environments),
		"HEAD_ENVELOPE", edgeEnvelope(fault.Invalid, contract.NoCode, largeHead),
		"NO_KEY_ENVELOPE", keyEnvelope(""), "WRONG_KEY_ENVELOPE", keyEnvelope("Bearer x"),
	).Replace(limitSource)
}

// keyEnvelope returns the body with which the functions respond to an Authorization header without
// a possible key. They read no table for that, and none is given.
func keyEnvelope(authorization string) string {
	checker := apikey.NewChecker(dynamo.Table{}, nil)
	_, err := checker.Authenticate(context.Background(), authorization, contract.DefaultTier, time.Time{})
	e := fault.As(err)
	return edgeEnvelope(e.Kind, e.Code, e.Message)
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// uploadPaths returns the paths of the operations with large bodies; none if the stage has no container for
// them. A behaviour matches by path alone, so the container serves every method on them.
func (s Stage) uploadPaths() []string {
	paths := []string{}
	if s.Uploads {
		for _, operation := range topology.UploadOperations {
			paths = append(paths, contract.BasePath+contract.FindRoute(operation).Path)
		}
	}
	return paths
}

// edgeRequestID is the request id of all responses of the firewall, which cannot generate ids. The
// CloudFront function replaces it.
const edgeRequestID = "edge"

func edgeEnvelope(kind *fault.Kind, code contract.Code, message string) string {
	return encodeJSON(contract.ErrorEnvelope{Error: contract.ErrorBody{
		Type: kind.Type, Code: code, RequestID: edgeRequestID, Message: message,
	}})
}

// encodeJSON returns a value of the deployment in JSON. It panics if the value has none.
func encodeJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
