package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssqs"
	"github.com/aws/jsii-runtime-go"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addData creates the tables, buckets and queues of the topology.
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
	table := awsdynamodb.NewTable(d.stack, jsii.String(id), &awsdynamodb.TableProps{
		PartitionKey:        newAttribute(topology.PK, awsdynamodb.AttributeType_STRING),
		SortKey:             newAttribute(topology.SK, awsdynamodb.AttributeType_STRING),
		TimeToLiveAttribute: jsii.String(topology.TTL),
		BillingMode:         awsdynamodb.BillingMode_PAY_PER_REQUEST,
		PointInTimeRecoverySpecification: &awsdynamodb.PointInTimeRecoverySpecification{
			PointInTimeRecoveryEnabled: jsii.Bool(true),
		},
		DeletionProtection: jsii.Bool(d.stage.KeepData),
		RemovalPolicy:      d.removalPolicy(),
		WarmThroughput:     d.stage.warmThroughput(t.Name),
	})
	for _, index := range t.Indexes {
		table.AddGlobalSecondaryIndex(&awsdynamodb.GlobalSecondaryIndexProps{
			IndexName:      jsii.String(index.Name),
			PartitionKey:   newAttribute(index.Hash, awsdynamodb.AttributeType_STRING),
			SortKey:        newAttribute(index.Range, awsdynamodb.AttributeType_NUMBER),
			ProjectionType: awsdynamodb.ProjectionType_KEYS_ONLY,
			WarmThroughput: d.stage.warmThroughput(t.Name + " " + index.Name),
		})
	}
	d.tables[t.Name], d.workingTables[t.Name] = table, table
	if name := d.stage.Restored[t.Name]; name != "" {
		d.workingTables[t.Name] = awsdynamodb.Table_FromTableName(d.stack, jsii.String(id+"Restored"), jsii.String(name))
	}
}

func (d *deployment) addBucket(b topology.Bucket) {
	rules := []*awss3.LifecycleRule{{AbortIncompleteMultipartUploadAfter: awscdk.Duration_Days(jsii.Number(1))}}
	for _, e := range b.Expires {
		rules = append(rules, &awss3.LifecycleRule{
			Prefix: jsii.String(e.Prefix), Expiration: awscdk.Duration_Days(jsii.Number(e.Days)),
		})
	}
	d.buckets[b.Name] = awss3.NewBucket(d.stack, jsii.String(constructID(b.Name)+"Bucket"), &awss3.BucketProps{
		BlockPublicAccess: awss3.BlockPublicAccess_BLOCK_ALL(),
		Encryption:        awss3.BucketEncryption_S3_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		ObjectOwnership:   awss3.ObjectOwnership_BUCKET_OWNER_ENFORCED,
		LifecycleRules:    &rules,
		RemovalPolicy:     d.removalPolicy(),
	})
}

// addQueue creates a queue and its dead-letter queue. A message is hidden for six times
// the worker's time-out, as AWS recommends for Lambda's event source.
func (d *deployment) addQueue(q topology.Queue) {
	id := constructID(q.Name)
	dead := awssqs.NewQueue(d.stack, jsii.String(id+"Dlq"), &awssqs.QueueProps{
		RetentionPeriod: awscdk.Duration_Days(jsii.Number(14)),
		Encryption:      awssqs.QueueEncryption_SQS_MANAGED,
		EnforceSSL:      jsii.Bool(true),
		RemovalPolicy:   d.removalPolicy(),
	})
	queue := awssqs.NewQueue(d.stack, jsii.String(id+"Queue"), &awssqs.QueueProps{
		VisibilityTimeout: awscdk.Duration_Seconds(jsii.Number(q.Visibility().Seconds())),
		RetentionPeriod:   awscdk.Duration_Days(jsii.Number(4)),
		Encryption:        awssqs.QueueEncryption_SQS_MANAGED,
		EnforceSSL:        jsii.Bool(true),
		DeadLetterQueue:   &awssqs.DeadLetterQueue{Queue: dead, MaxReceiveCount: jsii.Number(q.MaxReceives)},
		RemovalPolicy:     d.removalPolicy(),
	})
	d.queues[q.Name], d.deadQueues[q.Name] = queue, dead
}
