package main

import (
	"cmp"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
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
	return &awsdynamodb.Attribute{Name: jsii.String(name), Type: kind}
}

func (d *deployment) addTable(t topology.Table) {
	id := constructID(t.Name) + "Table"
	reads, writes := d.stage.initialUnits(t.Name)
	table := awsdynamodb.NewTable(d.data, jsii.String(id), &awsdynamodb.TableProps{
		TableName:           jsii.String(d.physicalName(t.Name)),
		PartitionKey:        newAttribute(topology.PK, awsdynamodb.AttributeType_STRING),
		SortKey:             newAttribute(topology.SK, awsdynamodb.AttributeType_STRING),
		TimeToLiveAttribute: jsii.String(topology.TTL),
		BillingMode:         d.stage.billing(),
		ReadCapacity:        reads,
		WriteCapacity:       writes,
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(true),
		},
		DeletionProtection: jsii.Bool(d.stage.KeepData),
		RemovalPolicy:      d.removalPolicy(),
		WarmThroughput:     d.stage.warmThroughput(t.Name),
	})
	var indexes []string
	for _, index := range t.Indexes {
		reads, writes := d.stage.initialUnits(t.Name + " " + index.Name)
		indexes = append(indexes, index.Name)
		table.AddGlobalSecondaryIndex(&awsdynamodb.GlobalSecondaryIndexProps{
			IndexName:      jsii.String(index.Name),
			PartitionKey:   newAttribute(index.Hash, awsdynamodb.AttributeType_STRING),
			SortKey:        newAttribute(index.Range, awsdynamodb.AttributeType_NUMBER),
			ProjectionType: awsdynamodb.ProjectionType_KEYS_ONLY,
			ReadCapacity:   reads,
			WriteCapacity:  writes,
			WarmThroughput: d.stage.warmThroughput(t.Name + " " + index.Name),
		})
	}
	d.stage.scaleTable(table, t.Name, indexes)
	name := cmp.Or(d.stage.Restored[t.Name], d.physicalName(t.Name))
	d.tables[t.Name] = awsdynamodb.Table_FromTableName(d.stack, jsii.String(id), jsii.String(name))
}

func (d *deployment) addBucket(b topology.Bucket) {
	rules := []*awss3.LifecycleRule{{AbortIncompleteMultipartUploadAfter: awscdk.Duration_Days(jsii.Number(1))}}
	if b.OldVersionDays > 0 {
		rules[0].NoncurrentVersionExpiration = awscdk.Duration_Days(jsii.Number(b.OldVersionDays))
		rules[0].ExpiredObjectDeleteMarker = jsii.Bool(true)
	}
	for _, e := range b.Expires {
		rule := &awss3.LifecycleRule{Prefix: jsii.String(e.Prefix), Expiration: awscdk.Duration_Days(jsii.Number(e.Days))}
		if b.OldVersionDays > 0 { // of two rules S3 follows the one that deletes sooner
			rule.NoncurrentVersionExpiration = awscdk.Duration_Days(jsii.Number(1))
		}
		rules = append(rules, rule)
	}
	id := constructID(b.Name) + "Bucket"
	name := d.bucketName(b.Name)
	awss3.NewBucket(d.data, jsii.String(id), &awss3.BucketProps{
		BucketName:        name,
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		ObjectOwnership:   awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
		LifecycleRules:    &rules,
		Versioned:         jsii.Bool(b.OldVersionDays > 0),
		RemovalPolicy:     d.removalPolicy(),
	})
	d.buckets[b.Name] = awss3.Bucket_FromBucketName(d.stack, jsii.String(id), name)
}

// bucketName returns a name that is unique in all of AWS, as those of buckets must be.
func (d *deployment) bucketName(name string) *string {
	return jsii.String(d.physicalName(name) + "-" + *d.data.Account() + "-" + *d.data.Region())
}

// addQueue creates a queue and its dead-letter queue. A message is hidden for six times
// the worker's time-out, as AWS recommends for Lambda's event source.
func (d *deployment) addQueue(q topology.Queue) {
	id := constructID(q.Name)
	name := d.physicalName(q.Name)
	deadName := d.physicalName(q.Name + "-dlq")
	dead := awssqs.NewQueue(d.data, jsii.String(id+"Dlq"), &awssqs.QueueProps{
		QueueName:       jsii.String(deadName),
		RetentionPeriod: awscdk.Duration_Days(jsii.Number(14)),
		Encryption:      awssqs.QueueEncryption_SQS_MANAGED,
		EnforceSSL:      jsii.Bool(true),
		RemovalPolicy:   d.removalPolicy(),
	})
	awssqs.NewQueue(d.data, jsii.String(id+"Queue"), &awssqs.QueueProps{
		QueueName:         jsii.String(name),
		VisibilityTimeout: awscdk.Duration_Seconds(jsii.Number(q.Visibility().Seconds())),
		RetentionPeriod:   awscdk.Duration_Days(jsii.Number(14)),
		Encryption:        awssqs.QueueEncryption_SQS_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		DeadLetterQueue:   &awssqs.DeadLetterQueue{Queue: dead, MaxReceiveCount: jsii.Number(q.MaxReceives)},
		RemovalPolicy:     d.removalPolicy(),
	})
	d.queues[q.Name] = awssqs.Queue_FromQueueArn(d.stack, jsii.String(id+"Queue"), d.serviceARN("sqs", name))
	d.deadQueues[q.Name] = awssqs.Queue_FromQueueArn(d.stack, jsii.String(id+"Dlq"), d.serviceARN("sqs", deadName))
}

// serviceARN returns the ARN of a resource of the stage's account and region by its name.
func (d *deployment) serviceARN(service, name string) *string {
	return d.stack.FormatArn(&awscdk.ArnComponents{
		Service: jsii.String(service), Resource: jsii.String(name), ArnFormat: awscdk.ArnFormat_NO_RESOURCE_NAME,
	})
}
