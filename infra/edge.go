package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscertificatemanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/aws-cdk-go/awscdk/v2/awswafv2"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

//go:embed limit.js
var limitSource string

// maxHeadBytes is the size of the request line and headers above which the edge responds with
// 431. API Gateway does so above 10,240 bytes, which include up to 1 KB of headers that
// CloudFront adds.
const maxHeadBytes = 9216

// limitCode returns the source of the CloudFront function that refuses large bodies and headers.
func limitCode() string {
	return strings.NewReplacer(
		"MAX_BODY_BYTES", strconv.Itoa(contract.MaxBodyBytes), "MAX_HEAD_BYTES", strconv.Itoa(maxHeadBytes),
		"HEAD_ENVELOPE", edgeEnvelope(fault.Invalid, contract.NoCode, "The request line and the headers are over 9 KB. Send less."),
	).Replace(limitSource)
}

// addEdge puts CloudFront in front of the API: it limits the rate of each address,
// refuses large bodies with a plain 413 and large headers with a 431, sends the contract's
// envelope when an origin fails, adds the secret without which the API refuses requests, and
// routes uploads to the container.
func (d *deployment) addEdge() {
	limit := awscloudfront.NewFunction(d.edge, jsii.String("Limit"), &awscloudfront.FunctionProps{
		FunctionName: jsii.String(d.physicalName("limit")),
		Code:         awscloudfront.FunctionCode_FromInline(jsii.String(limitCode())),
		Runtime:      awscloudfront.FunctionRuntime_JS_2_0(),
		Comment:      jsii.String("Refuses bodies over 12 MB and headers over 9 KB"),
	})
	props := &awscloudfront.DistributionProps{
		Comment:         jsii.String(d.distributionComment()),
		WebAclId:        d.newFirewall().AttrArn(),
		DefaultBehavior: d.newBehavior(d.apiOrigin(), awscloudfront.OriginRequestPolicy_ALL_VIEWER_EXCEPT_HOST_HEADER(), limit),
		HttpVersion:     awscloudfront.HttpVersion_HTTP2_AND_3,
		PriceClass:      awscloudfront.PriceClass_PRICE_CLASS_ALL,
		ErrorResponses:  errorResponses(),
	}
	if d.uploads != nil {
		to := d.newBehavior(d.uploadsOrigin(), awscloudfront.OriginRequestPolicy_ALL_VIEWER(), limit)
		behaviors := map[string]*awscloudfront.BehaviorOptions{}
		for _, path := range uploadPaths() {
			behaviors[path] = to
		}
		props.AdditionalBehaviors = &behaviors
	}
	if d.stage.Domain != "" {
		props.MinimumProtocolVersion = awscloudfront.SecurityPolicyProtocol_TLS_V1_2_2021
		props.DomainNames = jsii.Strings(d.stage.Domain)
		props.Certificate = awscertificatemanager.Certificate_FromCertificateArn(d.edge, jsii.String("Certificate"), jsii.String(d.stage.Certificate))
	}
	distribution := awscloudfront.NewDistribution(d.edge, jsii.String("Edge"), props)
	host := *distribution.DistributionDomainName()
	addOutput(d.edge, "EdgeDomain", host, "Point the API's domain here")
	addOutput(d.edge, "EdgeUrl", "https://"+host+contract.BasePath, "The API's URL for callers, without a domain")
}

// errorResponses returns how CloudFront treats errors. It caches none; by default it would cache
// some for ten seconds and send them to every caller. The API itself never responds with 502,
// 503 or 504: a function, container or gateway then gave no response, so CloudFront sends what
// platform serves at UnavailablePath, with the same status.
func errorResponses() *[]*awscloudfront.ErrorResponse {
	var all []*awscloudfront.ErrorResponse
	for _, status := range []int{400, 403, 404, 405, 414, 416, 500, 501} {
		all = append(all, &awscloudfront.ErrorResponse{HttpStatus: jsii.Number(status), Ttl: awscdk.Duration_Seconds(jsii.Number(0))})
	}
	for _, status := range []int{502, 503, 504} {
		all = append(all, &awscloudfront.ErrorResponse{
			HttpStatus: jsii.Number(status), ResponseHttpStatus: jsii.Number(status), ResponsePagePath: jsii.String(topology.UnavailablePath),
			Ttl: awscdk.Duration_Seconds(jsii.Number(0)),
		})
	}
	return &all
}

// distributionComment returns a text that changes with the generation of the secrets,
// which makes CloudFormation read them again.
func (d *deployment) distributionComment() string {
	return fmt.Sprintf("External API, secrets %d", d.stage.Secrets)
}

// uploadPaths returns the paths of the operations with large bodies. A behaviour matches
// by path alone, so the container serves every method on them.
func uploadPaths() (paths []string) {
	for _, operation := range topology.UploadOperations {
		paths = append(paths, contract.BasePath+contract.FindRoute(operation).Path)
	}
	return paths
}

// newBehavior returns a behaviour that forwards every request and caches nothing.
func (d *deployment) newBehavior(origin awscloudfront.IOrigin, forward awscloudfront.IOriginRequestPolicy, limit awscloudfront.Function) *awscloudfront.BehaviorOptions {
	return &awscloudfront.BehaviorOptions{
		Origin: origin, OriginRequestPolicy: forward,
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

func (d *deployment) apiOrigin() awscloudfront.IOrigin {
	host := d.serviceOutput("ApiHost", jsii.String(*d.api.Ref()+".execute-api."+*d.stack.Region()+"."+*d.stack.UrlSuffix()), "What the edge sends requests to")
	return awscloudfrontorigins.NewHttpOrigin(host, &awscloudfrontorigins.HttpOriginProps{
		ProtocolPolicy:     awscloudfront.OriginProtocolPolicy_HTTPS_ONLY,
		OriginSslProtocols: &[]awscloudfront.OriginSslPolicy{awscloudfront.OriginSslPolicy_TLS_V1_2},
		ReadTimeout:        awscdk.Duration_Seconds(jsii.Number(30)),
		CustomHeaders:      d.originHeaders(),
	})
}

// throttledBody returns the body of the response to an address over its rate limit.
func throttledBody() string {
	return edgeEnvelope(fault.TooMany, contract.IPThrottled, "Too many requests from this address. Wait a minute and slow down.")
}

// edgeRequestID is the request id of all responses of the firewall, which cannot generate ids.
const edgeRequestID = "edge"

// throttledHeaders are the headers of the response to an address over its rate limit.
func throttledHeaders() *[]any {
	var all []any
	for _, h := range [][2]string{
		{"Retry-After", "60"}, {"X-Request-Id", edgeRequestID}, {"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"},
	} {
		all = append(all, &awswafv2.CfnWebACL_CustomHTTPHeaderProperty{Name: jsii.String(h[0]), Value: jsii.String(h[1])})
	}
	return &all
}

// edgeEnvelope returns the body of an error response of the edge itself.
func edgeEnvelope(kind fault.Kind, code contract.Code, message string) string {
	body, err := json.Marshal(contract.ErrorEnvelope{Error: contract.ErrorBody{
		Type: kind.Category().Type, Code: code, RequestID: edgeRequestID, Message: message,
	}})
	if err != nil {
		panic(err) // strings only
	}
	return string(body)
}

// newFirewall returns a firewall whose only rule limits the rate of each address. AWS's
// managed rules inspect bodies and would refuse files in base64.
func (d *deployment) newFirewall() awswafv2.CfnWebACL {
	visible := func(name string) *awswafv2.CfnWebACL_VisibilityConfigProperty {
		return &awswafv2.CfnWebACL_VisibilityConfigProperty{
			CloudWatchMetricsEnabled: jsii.Bool(true), SampledRequestsEnabled: jsii.Bool(false), MetricName: jsii.String(d.physicalName(name)),
		}
	}
	return awswafv2.NewCfnWebACL(d.edge, jsii.String("Firewall"), &awswafv2.CfnWebACLProps{
		Scope: jsii.String("CLOUDFRONT"), VisibilityConfig: visible("firewall"),
		DefaultAction: &awswafv2.CfnWebACL_DefaultActionProperty{Allow: &awswafv2.CfnWebACL_AllowActionProperty{}},
		CustomResponseBodies: &map[string]any{"throttled": &awswafv2.CfnWebACL_CustomResponseBodyProperty{
			ContentType: jsii.String("APPLICATION_JSON"), Content: jsii.String(throttledBody()),
		}},
		Rules: &[]any{&awswafv2.CfnWebACL_RuleProperty{
			Name: jsii.String("rate"), Priority: jsii.Number(0), VisibilityConfig: visible("rate"),
			Statement: &awswafv2.CfnWebACL_StatementProperty{RateBasedStatement: &awswafv2.CfnWebACL_RateBasedStatementProperty{
				AggregateKeyType: jsii.String("IP"), Limit: jsii.Number(d.stage.RequestsPerAddress), EvaluationWindowSec: jsii.Number(300),
			}},
			Action: &awswafv2.CfnWebACL_RuleActionProperty{Block: &awswafv2.CfnWebACL_BlockActionProperty{
				CustomResponse: &awswafv2.CfnWebACL_CustomResponseProperty{
					ResponseCode: jsii.Number(fault.TooMany.Category().Status), CustomResponseBodyKey: jsii.String("throttled"),
					ResponseHeaders: throttledHeaders(),
				},
			}},
		}},
	})
}
