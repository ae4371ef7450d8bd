package main

import (
	"cmp"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssecretsmanager"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addData creates the tables, buckets and queues of the topology in the data stack, under names
// that the service computes: neither stack refers to the other, so each can be deployed alone. A
// construct with another logical id would be a new, empty resource; CloudFormation refuses to
// create it, because its name is taken.
func (d *deployment) addData() {
	for _, t := range topology.Tables {
		d.addTable(t)
	}
	for _, b := range topology.Buckets {
		d.addBucket(b)
	}
	for _, q := range topology.Queues {
		d.addQueue(q)
	}
}

func newAttribute(name string, kind awsdynamodb.AttributeType) *awsdynamodb.Attribute {
	return &awsdynamodb.Attribute{Name: new(name), Type: kind}
}

func (d *deployment) addTable(t topology.Table) {
	id := constructID(t.Name) + "Table"
	billing := awsdynamodb.BillingMode_PAY_PER_REQUEST
	if d.stage.Provisioned {
		billing = awsdynamodb.BillingMode_PROVISIONED
	}
	reads, writes := d.stage.unitRanges(t.Name) // it begins with the least
	table := awsdynamodb.NewTable(d.data, new(id), &awsdynamodb.TableProps{
		TableName:           new(d.physicalName(t.Name)),
		PartitionKey:        newAttribute(topology.PK, awsdynamodb.AttributeType_STRING),
		SortKey:             newAttribute(topology.SK, awsdynamodb.AttributeType_STRING),
		TimeToLiveAttribute: new(topology.TTL),
		BillingMode:         billing,
		ReadCapacity:        reads.MinCapacity,
		WriteCapacity:       writes.MinCapacity,
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: new(true),
		},
		DeletionProtection: new(d.stage.KeepData),
		RemovalPolicy:      d.removalPolicy(),
		WarmThroughput:     d.stage.warmThroughput(t.Name),
	})
	if d.stage.Provisioned {
		followLoad(table.AutoScaleReadCapacity(reads))
		followLoad(table.AutoScaleWriteCapacity(writes))
	}
	for _, index := range t.Indexes {
		reads, writes := d.stage.unitRanges(t.Name + " " + index.Name)
		table.AddGlobalSecondaryIndex(&awsdynamodb.GlobalSecondaryIndexProps{
			IndexName:      new(index.Name),
			PartitionKey:   newAttribute(index.Hash, awsdynamodb.AttributeType_STRING),
			SortKey:        newAttribute(index.Range, awsdynamodb.AttributeType_NUMBER),
			ProjectionType: awsdynamodb.ProjectionType_KEYS_ONLY,
			ReadCapacity:   reads.MinCapacity,
			WriteCapacity:  writes.MinCapacity,
			WarmThroughput: d.stage.warmThroughput(t.Name + " " + index.Name),
		})
		if d.stage.Provisioned {
			followLoad(table.AutoScaleGlobalSecondaryIndexReadCapacity(&index.Name, reads))
			followLoad(table.AutoScaleGlobalSecondaryIndexWriteCapacity(&index.Name, writes))
		}
	}
	name := cmp.Or(d.stage.Restored[t.Name], d.physicalName(t.Name))
	d.tables[t.Name] = awsdynamodb.Table_FromTableName(d.stack, new(id), new(name))
}

func (d *deployment) addBucket(b topology.Bucket) {
	rules := []*awss3.LifecycleRule{{AbortIncompleteMultipartUploadAfter: awscdk.Duration_Days(new(1.0))}}
	if b.OldVersionDays > 0 {
		rules[0].NoncurrentVersionExpiration = awscdk.Duration_Days(jsii.Number(b.OldVersionDays))
		rules[0].ExpiredObjectDeleteMarker = new(true)
	}
	for _, e := range b.Expires {
		rule := &awss3.LifecycleRule{Prefix: new(e.Prefix), Expiration: awscdk.Duration_Days(jsii.Number(e.Days))}
		if b.OldVersionDays > 0 { // of two rules S3 follows the one that deletes sooner
			rule.NoncurrentVersionExpiration = awscdk.Duration_Days(new(1.0))
		}
		rules = append(rules, rule)
	}
	id := constructID(b.Name) + "Bucket"
	d.newBucket(id, b.Name, b.OldVersionDays > 0, rules)
	d.buckets[b.Name] = awss3.Bucket_FromBucketName(d.stack, &id, d.bucketName(b.Name))
}

func (d *deployment) newBucket(id, name string, versioned bool, rules []*awss3.LifecycleRule) awss3.Bucket {
	return awss3.NewBucket(d.data, &id, &awss3.BucketProps{
		BucketName:        d.bucketName(name),
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		EnforceSSL:        new(true),
		ObjectOwnership:   awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
		LifecycleRules:    &rules,
		Versioned:         &versioned,
		RemovalPolicy:     d.removalPolicy(),
	})
}

// bucketName returns a name that is unique in all of AWS, as those of buckets must be.
func (d *deployment) bucketName(name string) *string {
	return new(d.physicalName(name) + "-" + *d.data.Account() + "-" + *d.data.Region())
}

// addQueue creates a queue and its dead-letter queue. A message is hidden for six times
// the worker's time-out, as AWS recommends for Lambda's event source.
func (d *deployment) addQueue(q topology.Queue) {
	id := constructID(q.Name)
	name := d.physicalName(q.Name)
	deadName := d.physicalName(q.Name + "-dlq")
	dead := d.newQueue(id+"Dlq", awssqs.QueueProps{QueueName: &deadName})
	d.newQueue(id+"Queue", awssqs.QueueProps{
		QueueName:         &name,
		VisibilityTimeout: awscdk.Duration_Seconds(jsii.Number(q.Visibility().Seconds())),
		DeadLetterQueue:   &awssqs.DeadLetterQueue{Queue: dead, MaxReceiveCount: jsii.Number(q.MaxReceives)},
	})
	d.queues[q.Name] = awssqs.Queue_FromQueueArn(d.stack, new(id+"Queue"), d.serviceARN("sqs", name))
	d.deadQueues[q.Name] = awssqs.Queue_FromQueueArn(d.stack, new(id+"Dlq"), d.serviceARN("sqs", deadName))
}

func (d *deployment) newQueue(id string, props awssqs.QueueProps) awssqs.Queue {
	props.RetentionPeriod = awscdk.Duration_Days(jsii.Number(topology.MessageDays))
	props.Encryption = awssqs.QueueEncryption_SQS_MANAGED
	props.EnforceSSL = new(true)
	props.RemovalPolicy = d.removalPolicy()
	return awssqs.NewQueue(d.data, &id, &props)
}

// serviceARN returns the ARN of a resource of the stage's account and region by its name.
func (d *deployment) serviceARN(service, name string) *string {
	return d.stack.FormatArn(&awscdk.ArnComponents{
		Service: new(service), Resource: new(name), ArnFormat: awscdk.ArnFormat_NO_RESOURCE_NAME,
	})
}

// The names of secrets within their stage.
const (
	profileSecret         = "profile-key"
	canaryAgencySecret    = "canary-key"
	canaryRecruiterSecret = "canary-recruiter-key"
	originSecretA         = "origin-a"
	originSecretB         = "origin-b"
)

// secrets are those of a stage, of which one without an edge lacks those of the edge.
var secrets = []struct {
	name, description string
	ofEdge            bool
}{
	{profileSecret, "The profile provider's key: put it here after the first deployment", false},
	{canaryAgencySecret, "The API key of the canary's agency: put it here after the first deployment", false},
	{canaryRecruiterSecret, "The API key of the canary's recruiter: put it here after the first deployment", false},
	{originSecretA, "What CloudFront shows the API, slot a", true},
	{originSecretB, "What CloudFront shows the API, slot b", true},
}

// addSecrets creates the stage's secrets with random values; an operator replaces those of
// the profile provider's key and of the canary's two. CloudFormation copies the values into the functions'
// settings when it deploys, so no function needs permission to read a secret. It reads them in
// the region of the stack that refers to them: those of the edge have a replica there.
func (d *deployment) addSecrets() {
	for _, s := range secrets {
		if s.ofEdge && !d.stage.Edge {
			continue
		}
		props := &awssecretsmanager.SecretProps{
			SecretName:  new(d.secretName(s.name)),
			Description: &s.description,
			GenerateSecretString: &awssecretsmanager.SecretStringGenerator{
				ExcludePunctuation: new(true), PasswordLength: jsii.Number(40),
			},
			RemovalPolicy: d.removalPolicy(),
		}
		if s.ofEdge && d.stage.Region != edgeRegion {
			props.ReplicaRegions = &[]*awssecretsmanager.ReplicaRegion{{Region: new(edgeRegion)}}
		}
		awssecretsmanager.NewSecret(d.data, new(constructID(s.name)+"Secret"), props)
	}
}

// secretText returns a reference that CloudFormation replaces with the secret's value,
// which is never in the template or the state of CDK.
func (d *deployment) secretText(name string) *string {
	return awscdk.SecretValue_SecretsManager(new(d.secretName(name)), nil).UnsafeUnwrap()
}

func (d *deployment) secretName(name string) string { return "rmk/" + d.stage.Name + "/" + name }

// originSecrets returns the accepted secrets, comma-separated, or nil without an edge.
func (d *deployment) originSecrets() *string {
	if !d.stage.Edge {
		return nil
	}
	return new(strings.Join([]string{*d.secretText(originSecretA), *d.secretText(originSecretB)}, ","))
}
