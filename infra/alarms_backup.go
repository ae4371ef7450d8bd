package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
	"github.com/aws/jsii-runtime-go"
)

// addBackupAlarms reports backups and copies that fail, and the absence of copies: those that were
// never allowed to begin do not fail. A copy in the other account is an event that a rule counts.
func (d *deployment) addBackupAlarms() {
	failed := []string{"FAILED", "ABORTED", "EXPIRED", "PARTIAL"}
	awsevents.NewCfnRule(d.stack, jsii.String("BackupFailures"), &awsevents.CfnRuleProps{
		Description: jsii.String("Backups and copies that fail are tickets"),
		EventPattern: map[string]any{
			"source": []string{"aws.backup"}, "detail-type": []string{"Backup Job State Change", "Copy Job State Change"},
			"detail": map[string]any{"state": failed},
		},
		Targets: &[]any{&awsevents.CfnRule_TargetProperty{Id: jsii.String("tickets"), Arn: d.topics.tickets.TopicArn()}},
	})
	if d.stage.BackupAccount == "" { // which deployable stages that keep data have
		return
	}
	name := d.physicalName("copies")
	awsevents.NewCfnRule(d.stack, jsii.String("BackupCopies"), &awsevents.CfnRuleProps{
		Name: jsii.String(name), Description: jsii.String("Counts copies in the account for backups, for the alarm backup-copies"),
		EventPattern: map[string]any{
			"source": []string{"aws.backup"}, "detail-type": []string{"Copy Job State Change"},
			"detail": map[string]any{"state": []string{"COMPLETED"}, "destinationBackupVaultArn": []string{*d.copyVault()}},
		},
	})
	d.createAlarm(alarmSpec{
		kind: "backup-copies", subject: "account", text: "has had no copy of its data in the account for backups for 26 hours",
		onSilence: true, threshold: 0, periods: 26,
		metric: newMetric("AWS/Events", "MatchedEvents", "Sum", map[string]*string{"RuleName": jsii.String(name)}).With(metricOptions(60, "Sum")),
	})
}
