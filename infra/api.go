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
// $default, which sends everything else to platform.
func (d *deployment) addAPI() {
	d.api = awsapigatewayv2.NewCfnApi(d.stack, jsii.String("Api"), &awsapigatewayv2.CfnApiProps{
		Name: jsii.String("rmk-" + d.stage.Name), ProtocolType: jsii.String("HTTP"),
		Description: jsii.String("The routes of the contract; everything else leads to platform"),
	})
	targets := map[contract.Function]*string{}
	origin := d.addAuthorizer()
	authorization := "NONE"
	if origin != nil {
		authorization = "CUSTOM"
	}
	route := func(id, key string, function contract.Function) {
		if targets[function] == nil {
			targets[function] = d.integrateFunction(function)
		}
		awsapigatewayv2.NewCfnRoute(d.stack, jsii.String(id), &awsapigatewayv2.CfnRouteProps{
			ApiId: d.api.Ref(), RouteKey: jsii.String(key), Target: targets[function], AuthorizationType: jsii.String(authorization), AuthorizerId: origin,
		})
	}
	for _, r := range contract.Routes {
		route(constructID(r.Operation)+"Route", r.Method+" "+contract.BasePath+r.Path, r.Function)
	}
	route("DefaultRoute", "$default", contract.Platform)
	d.addStage()
	addOutput(d.stack, "ApiUrl", *d.api.AttrApiEndpoint()+contract.BasePath, "The API's own URL; with an edge it answers CloudFront alone")
}

// integrateFunction lets the API invoke a function and returns the target for its routes.
// All routes share one permission, because the size of a function's policy is limited.
func (d *deployment) integrateFunction(function contract.Function) *string {
	id := constructID(string(function))
	f := d.callees[string(function)]
	awslambda.NewCfnPermission(d.stack, jsii.String(id+"Invoke"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: f.FunctionArn(),
		Principal: jsii.String("apigateway.amazonaws.com"),
		SourceArn: jsii.String("arn:" + *d.stack.Partition() + ":execute-api:" + *d.stack.Region() + ":" + *d.stack.Account() + ":" + *d.api.Ref() + "/*"),
	})
	integration := awsapigatewayv2.NewCfnIntegration(d.stack, jsii.String(id+"Integration"), &awsapigatewayv2.CfnIntegrationProps{
		ApiId: d.api.Ref(), IntegrationType: jsii.String("AWS_PROXY"), IntegrationUri: f.FunctionArn(),
		PayloadFormatVersion: jsii.String("2.0"), TimeoutInMillis: jsii.Number(gatewayMillis),
	})
	return jsii.String("integrations/" + *integration.Ref())
}

// accessLog is the format of the gateway's log, a line per request, including requests
// that reach no function. It has no address and no path, which may contain an id.
const accessLog = `{"requestId":"$context.requestId","route":"$context.routeKey","status":$context.status,` +
	`"ms":$context.responseLatency,"error":"$context.error.message","integration":"$context.integrationErrorMessage"}`

// addStage publishes the API at the root, with the stage's rate limit.
func (d *deployment) addStage() {
	awsapigatewayv2.NewCfnStage(d.stack, jsii.String("ApiStage"), &awsapigatewayv2.CfnStageProps{
		ApiId: d.api.Ref(), StageName: jsii.String("$default"), AutoDeploy: jsii.Bool(true),
		AccessLogSettings: &awsapigatewayv2.CfnStage_AccessLogSettingsProperty{
			DestinationArn: d.logGroup("ApiLog", "/rmk/"+d.stage.Name+"/api").LogGroupArn(),
			Format:         jsii.String(accessLog),
		},
		DefaultRouteSettings: &awsapigatewayv2.CfnStage_RouteSettingsProperty{
			ThrottlingRateLimit: jsii.Number(d.stage.RequestsPerSecond), ThrottlingBurstLimit: jsii.Number(2 * d.stage.RequestsPerSecond),
		},
	})
}

// addCanaryAddress gives the canary the address by which callers reach the API: the stage's domain,
// and so the edge, or the API itself if the stage has none.
func (d *deployment) addCanaryAddress() {
	address := d.api.AttrApiEndpoint()
	if public := d.publicURL(); public != nil {
		address = public
	}
	d.functions[topology.Canary.Name].AddEnvironment(jsii.String(topology.SettingCanaryURL), jsii.String(*address+contract.BasePath), nil)
}
