package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// gatewayMillis is how long the gateway waits for a function: longer than any function
// runs, and within the 30 s limit of an HTTP API.
const gatewayMillis = 29_000

// addAPI creates the HTTP API: a route for every row of the contract's table, and
// $default, which sends everything else to platform. It is published at the root, with the stage's rate limit.
func (d *deployment) addAPI() {
	d.api = awsapigatewayv2.NewCfnApi(d.stack, new("Api"), &awsapigatewayv2.CfnApiProps{
		Name: new("rmk-" + d.stage.Name), ProtocolType: new("HTTP"),
		Description: new("The routes of the contract; everything else leads to platform"),
	})
	targets := map[contract.Function]*string{}
	origin := d.addAuthorizer()
	authorization := "NONE"
	if origin != nil {
		authorization = "CUSTOM"
	}
	route := func(id, key string, function contract.Function) {
		if targets[function] == nil {
			name := constructID(string(function))
			f := d.callees[string(function)]
			// All routes share one permission, because the size of a function's policy is limited.
			awslambda.NewCfnPermission(d.stack, new(name+"Invoke"), &awslambda.CfnPermissionProps{
				Action: new("lambda:InvokeFunction"), FunctionName: f.FunctionArn(),
				Principal: new("apigateway.amazonaws.com"), SourceArn: d.apiARN("*"),
			})
			props := &awsapigatewayv2.CfnIntegrationProps{
				ApiId: d.api.Ref(), IntegrationType: new("AWS_PROXY"), IntegrationUri: f.FunctionArn(),
				PayloadFormatVersion: new("2.0"), TimeoutInMillis: jsii.Number(gatewayMillis),
			}
			integration := awsapigatewayv2.NewCfnIntegration(d.stack, new(name+"Integration"), props)
			targets[function] = new("integrations/" + *integration.Ref())
		}
		awsapigatewayv2.NewCfnRoute(d.stack, new(id), &awsapigatewayv2.CfnRouteProps{
			ApiId: d.api.Ref(), RouteKey: &key, Target: targets[function],
			AuthorizationType: &authorization, AuthorizerId: origin,
		})
	}
	for _, r := range contract.Routes {
		route(constructID(r.Operation)+"Route", r.Method+" "+contract.BasePath+r.Path, r.Function)
	}
	route("DefaultRoute", "$default", contract.Platform)
	awsapigatewayv2.NewCfnStage(d.stack, new("ApiStage"), &awsapigatewayv2.CfnStageProps{
		ApiId: d.api.Ref(), StageName: new("$default"), AutoDeploy: new(true),
		AccessLogSettings: &awsapigatewayv2.CfnStage_AccessLogSettingsProperty{
			DestinationArn: d.logGroup("ApiLog", "/rmk/"+d.stage.Name+"/api").LogGroupArn(),
			Format:         new(accessLog),
		},
		DefaultRouteSettings: &awsapigatewayv2.CfnStage_RouteSettingsProperty{
			ThrottlingRateLimit:  jsii.Number(d.stage.RequestsPerSecond),
			ThrottlingBurstLimit: jsii.Number(2 * d.stage.RequestsPerSecond),
		},
	})
	address := d.api.AttrApiEndpoint()
	addOutput(d.stack, "ApiUrl", *address+contract.BasePath, "The API's own URL; with an edge it answers CloudFront alone")
	if public := d.publicURL(); public != nil {
		address = public
	}
	// The canary calls the address of callers: the stage's domain, and so the edge, or the API itself if the stage has none.
	canary := d.functions[topology.Canary.Name]
	canary.AddEnvironment(new(topology.SettingCanaryURL), new(*address+contract.BasePath), nil)
}

func (d *deployment) apiARN(part string) *string {
	return new("arn:" + *d.stack.Partition() + ":execute-api:" + *d.stack.Region() + ":" + *d.stack.Account() + ":" +
		*d.api.Ref() + "/" + part)
}

// accessLog is the format of the gateway's log, a line per request, including requests
// that reach no function. It has no address and no path, which may contain an id.
const accessLog = `{"requestId":"$context.requestId","route":"$context.routeKey","status":$context.status,` +
	`"ms":$context.responseLatency,"error":"$context.error.message","integration":"$context.integrationErrorMessage"}`
