package main

import (
	"fmt"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscertificatemanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfront"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudfrontorigins"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
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
	origin := d.apiHost()
	props := &awscloudfront.DistributionProps{
		Comment:         new(d.distributionComment()),
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
	host := *distribution.DistributionDomainName()
	addOutput(d.edge, "OriginHost", *origin, "The API that the edge was deployed for: output ApiHost of the service")
	addOutput(d.edge, "EdgeDomain", host, "Point the API's domain here")
	addOutput(d.edge, "EdgeUrl", "https://"+host+contract.BasePath, "The API's URL for callers, without a domain")
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

// distributionComment returns a text that changes with the generations of the secrets and of the
// service, which makes CloudFormation read secrets and outputs again.
func (d *deployment) distributionComment() string {
	return fmt.Sprintf("External API, secrets %d, service %s", d.stage.Secrets, d.stage.Generation)
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

// apiHost returns the API's host, as the edge's template reads it.
func (d *deployment) apiHost() *string {
	host := *d.api.Ref() + ".execute-api." + *d.stack.Region() + "." + *d.stack.UrlSuffix()
	return d.serviceOutput("ApiHost", new(host), "What the edge sends requests to")
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
