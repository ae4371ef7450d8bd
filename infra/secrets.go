package main

import (
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssecretsmanager"
	"github.com/aws/jsii-runtime-go"
)

// The secrets of a stage, by the end of their names.
const (
	profileSecret         = "profile-key"
	canaryAgencySecret    = "canary-key"
	canaryRecruiterSecret = "canary-recruiter-key"
	originSecretA         = "origin-a"
	originSecretB         = "origin-b"
)

var secretNames = []string{profileSecret, canaryAgencySecret, canaryRecruiterSecret, originSecretA, originSecretB}

// addSecrets creates the stage's secrets with random values; an operator replaces those of
// the profile provider's key and of the canary's two. CloudFormation copies the values into the functions'
// settings when it deploys, so no function needs permission to read a secret. It reads them in
// the region of the stack that refers to them: those of the edge have a replica there.
func (d *deployment) addSecrets() {
	names := map[string]string{
		profileSecret:         "The profile provider's key: put it here after the first deployment",
		canaryAgencySecret:    "The API key of the canary's agency: put it here after the first deployment",
		canaryRecruiterSecret: "The API key of the canary's recruiter: put it here after the first deployment",
	}
	if d.stage.Edge {
		names[originSecretA] = "What CloudFront shows the API, slot a"
		names[originSecretB] = "What CloudFront shows the API, slot b"
	}
	for _, name := range secretNames {
		if names[name] == "" {
			continue
		}
		awssecretsmanager.NewSecret(d.data, new(constructID(name)+"Secret"), &awssecretsmanager.SecretProps{
			SecretName:     new(d.secretName(name)),
			Description:    new(names[name]),
			ReplicaRegions: d.secretReplicas(name),
			GenerateSecretString: &awssecretsmanager.SecretStringGenerator{
				ExcludePunctuation: new(true), PasswordLength: jsii.Number(40),
			},
			RemovalPolicy: d.removalPolicy(),
		})
	}
}

// secretText returns a reference that CloudFormation replaces with the secret's value,
// which is never in the template or the state of CDK.
func (d *deployment) secretText(name string) *string {
	return awscdk.SecretValue_SecretsManager(new(d.secretName(name)), nil).UnsafeUnwrap()
}

func (d *deployment) secretName(name string) string { return "rmk/" + d.stage.Name + "/" + name }

// secretReplicas returns the other region in which a secret is read; nil if there is none.
func (d *deployment) secretReplicas(name string) *[]*awssecretsmanager.ReplicaRegion {
	isOfEdge := name == originSecretA || name == originSecretB
	if !isOfEdge || d.stage.Region == edgeRegion {
		return nil
	}
	return &[]*awssecretsmanager.ReplicaRegion{{Region: new(edgeRegion)}}
}

// originSecrets returns the accepted secrets, comma-separated, or nil without an edge.
func (d *deployment) originSecrets() *string {
	if !d.stage.Edge {
		return nil
	}
	return new(strings.Join([]string{*d.secretText(originSecretA), *d.secretText(originSecretB)}, ","))
}
