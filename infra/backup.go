package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbackup"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudtrail"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awskms"
	"github.com/aws/aws-cdk-go/awscdk/v2/awss3"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// backupDays is how long a copy may hold data that was erased (contract, Erasure).
const backupDays = 35.0

// trailDays is how long it is known who read a resume.
const trailDays = 365.0

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
	failed := []string{"FAILED", "ABORTED", "EXPIRED", "PARTIAL"}
	awsevents.NewCfnRule(d.stack, new("BackupFailures"), &awsevents.CfnRuleProps{
		Description: new("Backups and copies that fail are tickets"),
		EventPattern: map[string]any{
			"source":      []string{"aws.backup"},
			"detail-type": []string{"Backup Job State Change", "Copy Job State Change"},
			"detail":      map[string]any{"state": failed},
		},
		Targets: &[]any{
			&awsevents.CfnRule_TargetProperty{Id: new("tickets"), Arn: d.topics.tickets.TopicArn()},
		},
	})
	if d.stage.BackupAccount == "" { // which deployable stages that keep data have
		return
	}
	name := d.physicalName("copies")
	awsevents.NewCfnRule(d.stack, new("BackupCopies"), &awsevents.CfnRuleProps{
		Name:        new(name),
		Description: new("Counts copies in the account for backups, for the alarm backup-copies"),
		EventPattern: map[string]any{
			"source":      []string{"aws.backup"},
			"detail-type": []string{"Copy Job State Change"},
			"detail": map[string]any{
				"state": []string{"COMPLETED"}, "destinationBackupVaultArn": []string{*d.copyVault()},
			},
		},
	})
	copies := newMetric("AWS/Events", "MatchedEvents", "Sum", "RuleName", name).With(metricOptions(60, "Sum"))
	d.addAlarm("backup-copies", "account", copies)
}
