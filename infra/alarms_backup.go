package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsevents"
)

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
	d.createAlarm(alarmSpec{
		kind: "backup-copies", subject: "account", onSilence: true, periods: 26,
		text:   "has had no copy of its data in the account for backups for 26 hours",
		metric: newMetric("AWS/Events", "MatchedEvents", "Sum", "RuleName", name).With(metricOptions(60, "Sum")),
	})
}
