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
	function := awslambda.NewFunction(d.stack, jsii.String("Authorizer"), &awslambda.FunctionProps{
		FunctionName: jsii.String(name), Description: jsii.String(d.functionDescription(self)),
		Runtime: awslambda.Runtime_NODEJS_24_X(), Architecture: awslambda.Architecture_ARM_64(),
		Handler: jsii.String("index.handler"), Code: awslambda.Code_FromInline(jsii.String(authorizeSource)),
		Role: d.newFunctionRole(self, logs), LogGroup: logs, ReservedConcurrentExecutions: jsii.Number(authorizerInstances),
		Environment: &map[string]*string{topology.SettingFunction: jsii.String(authorizer), topology.SettingOriginSecrets: d.originSecrets()},
	})
	d.functions[authorizer] = function
	region := *d.stack.Region()
	account := *d.stack.Account()
	created := awsapigatewayv2.NewCfnAuthorizer(d.stack, jsii.String("OriginAuthorizer"), &awsapigatewayv2.CfnAuthorizerProps{
		ApiId: d.api.Ref(), Name: jsii.String("origin"), AuthorizerType: jsii.String("REQUEST"),
		AuthorizerUri:                  jsii.String("arn:" + *d.stack.Partition() + ":apigateway:" + region + ":lambda:path/2015-03-31/functions/" + *function.FunctionArn() + "/invocations"),
		AuthorizerPayloadFormatVersion: jsii.String("2.0"), EnableSimpleResponses: jsii.Bool(true),
		IdentitySource: jsii.Strings("$request.header.X-Origin-Secret"), AuthorizerResultTtlInSeconds: jsii.Number(authorizedSeconds),
	})
	awslambda.NewCfnPermission(d.stack, jsii.String("AuthorizerInvoke"), &awslambda.CfnPermissionProps{
		Action: jsii.String("lambda:InvokeFunction"), FunctionName: function.FunctionArn(), Principal: jsii.String("apigateway.amazonaws.com"),
		SourceArn: jsii.String("arn:" + *d.stack.Partition() + ":execute-api:" + region + ":" + account + ":" + *d.api.Ref() + "/authorizers/" + *created.Ref()),
	})
	return created.Ref()
}
