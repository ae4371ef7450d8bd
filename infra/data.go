package main

import (
	"cmp"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbackup"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudtrail"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsdynamodb"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
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

func (d *deployment) newQueue(id string, props awssqs.QueueProps) awssqs.Queue {
	props.RetentionPeriod = awscdk.Duration_Days(jsii.Number(topology.MessageDays))
	props.Encryption = awssqs.QueueEncryption_SQS_MANAGED
	props.EnforceSSL = new(true)
	props.RemovalPolicy = d.removalPolicy()
	return awssqs.NewQueue(d.data, &id, &props)
}

func (d *deployment) serviceARN(service, name string) *string {
	return d.stack.FormatArn(&awscdk.ArnComponents{
		Service: new(service), Resource: new(name), ArnFormat: awscdk.ArnFormat_NO_RESOURCE_NAME,
	})
}

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

func (d *deployment) originSecrets() *string {
	if !d.stage.Edge {
		return nil
	}
	return new(strings.Join([]string{*d.secretText(originSecretA), *d.secretText(originSecretB)}, ","))
}

const (
	// backupDays is how long a copy may hold data that was erased (contract, Erasure).
	backupDays = 35.0
	trailDays  = 365.0 // for which it is known who read a resume
)

// addBackups copies tables and resumes once a day, also to a vault in another account, which
// who may delete in this one cannot reach. That vault is created by account/backup.yaml. Its
// account needs a key of ours to read what it copies: AWS's own is not shared.
func (d *deployment) addBackups() {
	key := awskms.NewKey(d.data, new("BackupKey"), &awskms.KeyProps{
		Description: new("Encrypts the backups of " + d.stage.Name), EnableKeyRotation: new(true),
		RemovalPolicy: awscdk.RemovalPolicy_RETAIN,
	})
	vault := awsbackup.NewBackupVault(d.data, new("Backups"), &awsbackup.BackupVaultProps{
		BackupVaultName: new("rmk-" + d.stage.Name), EncryptionKey: key, RemovalPolicy: awscdk.RemovalPolicy_RETAIN,
	})
	rule := &awsbackup.BackupPlanRuleProps{
		RuleName: new("daily"), DeleteAfter: awscdk.Duration_Days(new(backupDays)),
		ScheduleExpression: awsevents.Schedule_Cron(&awsevents.CronOptions{Hour: new("3"), Minute: new("0")}),
		BackupVault:        vault,
	}
	if d.stage.BackupAccount != "" {
		other := awsiam.NewAccountPrincipal(new(d.stage.BackupAccount))
		use := []string{"kms:Decrypt", "kms:DescribeKey", "kms:GenerateDataKey*", "kms:ReEncrypt*"} // there and back
		key.AddToResourcePolicy(allowPrincipal(other, nil, new("*"), use...), nil)
		byServices := map[string]any{"Bool": map[string]any{"kms:GrantIsForAWSResource": "true"}}
		key.AddToResourcePolicy(allowPrincipal(other, byServices, new("*"), "kms:CreateGrant"), nil)
		vault.AddToAccessPolicy(allowPrincipal(other, nil, new("*"), "backup:CopyIntoBackupVault"))
		copies := awsbackup.BackupVault_FromBackupVaultArn(d.data, new("OtherAccount"), d.copyVault())
		rule.CopyActions = &[]*awsbackup.BackupPlanCopyActionProps{
			{DestinationBackupVault: copies, DeleteAfter: rule.DeleteAfter},
		}
	}
	plan := awsbackup.NewBackupPlan(d.data, new("BackupPlan"), &awsbackup.BackupPlanProps{
		BackupPlanName:  new("rmk-" + d.stage.Name),
		BackupPlanRules: &[]awsbackup.BackupPlanRule{awsbackup.NewBackupPlanRule(rule)},
	})
	role := d.newBackupRole("backup", "ForBackup", "ForS3Backup")
	d.newBackupRole("restore", "ForRestores", "ForS3Restore")
	var all []awsbackup.BackupResource
	for _, t := range topology.Tables {
		all = append(all, awsbackup.BackupResource_FromArn(d.tables[t.Name].TableArn()))
	}
	all = append(all, awsbackup.BackupResource_FromArn(d.buckets[topology.Resumes.Name].BucketArn()))
	plan.AddSelection(new("Data"), &awsbackup.BackupSelectionOptions{
		Resources: &all, Role: role.WithoutPolicyUpdates(nil), DisableDefaultBackupPolicy: new(true),
	})
}

func (d *deployment) copyVault() *string {
	return new("arn:" + *d.data.Partition() + ":backup:" + *d.data.Region() + ":" + d.stage.BackupAccount +
		":backup-vault:rmk-" + d.stage.Name)
}

func (d *deployment) newBackupRole(name, forTables, forObjects string) awsiam.Role {
	role := awsiam.NewRole(d.data, new(constructID(name)+"Role"), &awsiam.RoleProps{
		RoleName:  new(d.physicalName(name)),
		AssumedBy: awsiam.NewServicePrincipal(new("backup.amazonaws.com"), nil),
	})
	const policy = "AWSBackupServiceRolePolicy"
	for _, name := range []string{"service-role/" + policy + forTables, policy + forObjects} {
		role.AddManagedPolicy(awsiam.ManagedPolicy_FromAwsManagedPolicyName(&name))
	}
	return role
}

// addTrail records who reads and writes resumes. The records name objects by ids.
func (d *deployment) addTrail() {
	oneYear := []*awss3.LifecycleRule{{Expiration: awscdk.Duration_Days(new(trailDays))}}
	trail := awscloudtrail.NewTrail(d.data, new("ResumeTrail"), &awscloudtrail.TrailProps{
		TrailName:                  new(d.physicalName("resumes")),
		EnableFileValidation:       new(true),
		IsMultiRegionTrail:         new(false),
		IncludeGlobalServiceEvents: new(false),
		ManagementEvents:           awscloudtrail.ReadWriteType_NONE,
		Bucket:                     d.newBucket("TrailBucket", "trail", false, oneYear),
	})
	resumes := []*awscloudtrail.S3EventSelector{{Bucket: d.buckets[topology.Resumes.Name]}}
	trail.AddS3EventSelector(&resumes, &awscloudtrail.AddEventSelectorOptions{
		IncludeManagementEvents: new(false), ReadWriteType: awscloudtrail.ReadWriteType_ALL,
	})
}

// addBackupAlarms reports backups and copies that fail, and the absence of copies: those that were
// never allowed to begin do not fail. A copy in the other account is an event that a rule counts.
func (d *deployment) addBackupAlarms() {
	addResource(d.stack, "BackupFailures", map[string]any{"Tickets": *d.topics.tickets.TopicArn()})
	if d.stage.BackupAccount == "" { // which deployable stages that keep data have
		return
	}
	name := d.physicalName("copies")
	addResource(d.stack, "BackupCopies", map[string]any{"Name": name, "Vault": *d.copyVault()})
	copies := newMetric("AWS/Events", "MatchedEvents", "Sum", "RuleName", name).With(metricOptions(60, "Sum"))
	d.addAlarm("backup-copies", "account", copies)
}
