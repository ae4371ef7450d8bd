package main

import (
	"slices"
	"strings"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatch"
	"github.com/aws/aws-cdk-go/awscdk/v2/awscloudwatchactions"
	"github.com/aws/aws-cdk-go/awscdk/v2/awsiam"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssns"
	"github.com/aws/aws-cdk-go/awscdk/v2/awssnssubscriptions"
)

// pageKinds are the alarms that wake an operator: callers are not served, or soon will not be. All
// others are tickets, which wait for working hours.
var pageKinds = []string{
	"availability", "canary", "concurrency", "latency",
	"outcome", "queue-age-quiet", "reads-down", "traffic-floor",
}

// topics are those that the alarms of one stack publish to.
type topics struct {
	stack          awscdk.Stack
	pages, tickets awssns.Topic
}

// newTopics creates the topics of the alarms of a stack, and of the tickets of other sources. Pages go to the pager, if
// the stage has one, beside the address of all alarms.
func (d *deployment) newTopics(stack awscdk.Stack, prefix string, ticketSources ...string) topics {
	pages := d.newTopic(stack, prefix+"pages", "cloudwatch.amazonaws.com")
	tickets := d.newTopic(stack, prefix+"tickets", ticketSources...)
	if d.stage.PageURL != "" {
		pages.AddSubscription(awssnssubscriptions.NewUrlSubscription(new(d.stage.PageURL), nil))
	}
	return topics{stack, pages, tickets}
}

// notify lets an alarm publish to its topic. A page also publishes that the trouble is over.
func (t topics) notify(alarm awscloudwatch.AlarmBase, kind string) {
	if !slices.Contains(pageKinds, kind) {
		alarm.AddAlarmAction(awscloudwatchactions.NewSnsAction(t.tickets))
		return
	}
	alarm.AddAlarmAction(awscloudwatchactions.NewSnsAction(t.pages))
	alarm.AddOkAction(awscloudwatchactions.NewSnsAction(t.pages))
}

// newTopic creates a topic to which the account's services publish. Its policy replaces the
// default one, which lets the account's alarms publish, and so names CloudWatch again.
func (d *deployment) newTopic(stack awscdk.Stack, name string, services ...string) awssns.Topic {
	topic := awssns.NewTopic(stack, new(constructID(name)), &awssns.TopicProps{
		TopicName: new(d.physicalName(name)), EnforceSSL: new(true),
	})
	ours := map[string]any{"StringEquals": map[string]any{"aws:SourceAccount": stack.Account()}}
	for _, service := range services {
		publisher := awsiam.NewServicePrincipal(&service, nil)
		topic.AddToResourcePolicy(allowPrincipal(publisher, ours, topic.TopicArn(), "sns:Publish"))
	}
	if d.stage.AlarmEmail != "" {
		topic.AddSubscription(awssnssubscriptions.NewEmailSubscription(new(d.stage.AlarmEmail), nil))
	}
	output := strings.TrimSuffix(constructID(name), "s") + "Topic"
	addOutput(stack, output, *topic.TopicArn(), "Subscribe to it to hear of alarms")
	return topic
}

// addBudget warns before the month's costs exceed the stage's budget.
func (d *deployment) addBudget() {
	addResource(d.stack, "Budget", map[string]any{
		"Stage": d.stage.Name, "Dollars": d.stage.MonthlyBudget, "Tickets": *d.topics.tickets.TopicArn(),
	})
}
