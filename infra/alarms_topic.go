package main

import (
	"github.com/aws/aws-cdk-go/awscdk/v2/awsbudgets"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
	"github.com/aws/jsii-runtime-go"
)

// addTopic creates the topic that every alarm and the budget publishes to. Its policy
// replaces the default one, which lets the account's alarms publish, and so names
// CloudWatch again.
func (d *deployment) addTopic() {
	d.alarmTopic = awssns.NewTopic(d.stack, jsii.String("Alarms"), &awssns.TopicProps{
		TopicName: jsii.String(d.physicalName("alarms")), EnforceSSL: jsii.Bool(true),
	})
	for _, service := range []string{"budgets.amazonaws.com", "cloudwatch.amazonaws.com"} {
		d.alarmTopic.AddToResourcePolicy(awsiam.NewPolicyStatement(&awsiam.PolicyStatementProps{
			Actions: jsii.Strings("sns:Publish"), Resources: &[]*string{d.alarmTopic.TopicArn()},
			Principals: &[]awsiam.IPrincipal{awsiam.NewServicePrincipal(jsii.String(service), nil)},
			Conditions: &map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": d.stack.Account()}},
		}))
	}
	if d.stage.AlarmEmail != "" {
		d.alarmTopic.AddSubscription(awssnssubscriptions.NewEmailSubscription(jsii.String(d.stage.AlarmEmail), nil))
	}
	addOutput(d.stack, "AlarmTopic", *d.alarmTopic.TopicArn(), "Subscribe to it to hear of alarms")
}

// addBudget warns before the month's costs exceed the stage's budget.
func (d *deployment) addBudget() {
	notify := func(kind string, percent float64) *awsbudgets.CfnBudget_NotificationWithSubscribersProperty {
		return &awsbudgets.CfnBudget_NotificationWithSubscribersProperty{
			Notification: &awsbudgets.CfnBudget_NotificationProperty{
				NotificationType: jsii.String(kind), ComparisonOperator: jsii.String("GREATER_THAN"),
				Threshold: jsii.Number(percent), ThresholdType: jsii.String("PERCENTAGE"),
			},
			Subscribers: []*awsbudgets.CfnBudget_SubscriberProperty{{SubscriptionType: jsii.String("SNS"), Address: d.alarmTopic.TopicArn()}},
		}
	}
	awsbudgets.NewCfnBudget(d.stack, jsii.String("Budget"), &awsbudgets.CfnBudgetProps{
		Budget: &awsbudgets.CfnBudget_BudgetDataProperty{
			BudgetName: jsii.String("rmk-" + d.stage.Name), BudgetType: jsii.String("COST"), TimeUnit: jsii.String("MONTHLY"),
			BudgetLimit: &awsbudgets.CfnBudget_SpendProperty{Amount: jsii.Number(d.stage.MonthlyBudget), Unit: jsii.String("USD")},
			CostFilters: map[string]any{"TagKeyValue": []string{"user:stage$" + d.stage.Name}},
		},
		NotificationsWithSubscribers: []any{notify("ACTUAL", 80), notify("FORECASTED", 100)},
	})
}
