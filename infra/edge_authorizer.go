package main

import (
	_ "embed"

	"github.com/aws/aws-cdk-go/awscdk/v2/awsapigatewayv2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awslambda"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

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
