package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// dlqCommand works on the dead-letter queues of the system that [keysCommand] works
// on. It finds a dead-letter queue through the redrive policy of its queue, whose URL
// is in the environment.
type dlqCommand struct {
	List    listDead    `cmd:"" help:"Show the dead letters of a queue, or how many every queue has."`
	Redrive redriveDead `cmd:"" help:"Send dead letters to their queue again, after the cause is mended."`
}

type listDead struct {
	Queue  string `arg:"" optional:"" help:"Queue: ${queues} (default: all, as counts)."`
	Max    int    `default:"20" help:"Most letters to show."`
	Bodies bool   `help:"Show what the letters say. It may name persons: keep it off shared screens and logs."`
}

type redriveDead struct {
	Queue string `arg:"" help:"Queue: ${queues}."`
	Max   int    `default:"0" help:"Most letters to send; 0 is all that are there now."`
}

// queueNames returns the queue names of the topology, for the help text.
func queueNames() string {
	var names []string
	for _, q := range topology.Queues {
		names = append(names, q.Name)
	}
	return strings.Join(names, ", ")
}

// Run prints the dead letters, oldest first as far as SQS keeps order. They stay in the
// queue and are hidden from other receivers while Run shows them.
func (c listDead) Run() error {
	ctx := context.Background()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer func() { _ = w.Flush() }()
	if c.Queue == "" {
		for _, q := range topology.Queues {
			dead, err := openDeadLetters(ctx, q.Name)
			if err != nil {
				return err
			}
			_, _ = fmt.Fprintf(w, "%s\t%d\n", q.Name, dead.count)
		}
		return nil
	}
	dead, err := openDeadLetters(ctx, c.Queue)
	if err != nil {
		return err
	}
	letters, err := dead.receiveLetters(ctx, c.Max)
	if len(letters) == 0 && err == nil {
		fmt.Fprintf(os.Stderr, "%s has no dead letters\n", c.Queue)
	}
	for _, m := range letters {
		_, _ = fmt.Fprintf(w, "%s\t%s\treceived %s times\t%s\n", *m.MessageId, sentAt(m), m.Attributes["ApproximateReceiveCount"], refusalReason(m))
		if c.Bodies {
			_, _ = fmt.Fprintf(w, "\t%s\n", *m.Body)
		}
	}
	return errors.Join(err, dead.releaseLetters(ctx, letters))
}

// Run sends each dead letter to its queue and then deletes it. A run that is
// interrupted sends at most one letter twice, which workers tolerate.
func (c redriveDead) Run() error {
	ctx := context.Background()
	dead, err := openDeadLetters(ctx, c.Queue)
	if err != nil {
		return err
	}
	most := cmp.Or(c.Max, dead.count)
	letters, err := dead.receiveLetters(ctx, most)
	if err != nil {
		return err
	}
	for sent, m := range letters {
		if err := dead.redriveLetter(ctx, m); err != nil {
			return fmt.Errorf("after %d letters: %w", sent, errors.Join(err, dead.releaseLetters(ctx, letters[sent:])))
		}
	}
	fmt.Printf("%d of %d letters were sent to %s again\n", len(letters), dead.count, c.Queue)
	return nil
}

// deadLetters is a queue and its dead-letter queue.
type deadLetters struct {
	client           *sqs.Client
	queue, deadQueue string // URLs
	count            int
}

func openDeadLetters(ctx context.Context, name string) (d deadLetters, err error) {
	getenv, err := commandEnvironment()
	if err != nil {
		return d, err
	}
	d.client = sqs.NewFromConfig(cloud.NewHost(getenv, time.Now, slog.New(slog.DiscardHandler)).AWS)
	for _, q := range topology.Queues {
		if q.Name == name {
			d.queue = getenv(q.Env)
		}
	}
	if d.queue == "" {
		return d, fmt.Errorf("no queue %q: the queues are %s, and the environment must name the URL", name, queueNames())
	}
	return d, d.findDeadQueue(ctx)
}

// findDeadQueue sets the URL of the dead-letter queue and its message count. The
// dead-letter queue is in the queue's account; its name is the end of the ARN in the
// queue's redrive policy.
func (d *deadLetters) findDeadQueue(ctx context.Context) error {
	arn, err := d.getAttribute(ctx, d.queue, types.QueueAttributeNameRedrivePolicy)
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(arn, `"deadLetterTargetArn":"`)
	target, _, _ := strings.Cut(rest, `"`)
	out, err := d.client.GetQueueUrl(ctx, &sqs.GetQueueUrlInput{QueueName: aws.String(target[strings.LastIndex(target, ":")+1:])})
	if err != nil {
		return fmt.Errorf("finding the dead-letter queue: %w", err)
	}
	d.deadQueue = *out.QueueUrl
	count, err := d.getAttribute(ctx, d.deadQueue, types.QueueAttributeNameApproximateNumberOfMessages)
	if err == nil {
		_, err = fmt.Sscan(count, &d.count)
	}
	return err
}

func (d *deadLetters) getAttribute(ctx context.Context, url string, name types.QueueAttributeName) (string, error) {
	out, err := d.client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: []types.QueueAttributeName{name}})
	if err != nil {
		return "", err
	}
	return out.Attributes[string(name)], nil
}

// hiddenSeconds is how long a received letter is hidden from other receivers.
const hiddenSeconds = 60

// receiveLetters receives up to most letters, fewer if the queue has no more.
func (d *deadLetters) receiveLetters(ctx context.Context, most int) (all []types.Message, err error) {
	for len(all) < most {
		out, err := d.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
			QueueUrl: &d.deadQueue, MaxNumberOfMessages: int32(min(10, most-len(all))), VisibilityTimeout: hiddenSeconds, WaitTimeSeconds: 1,
			MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
			MessageAttributeNames:       []string{"All"},
		})
		if err != nil || len(out.Messages) == 0 {
			return all, err
		}
		all = append(all, out.Messages...)
	}
	return all, nil
}

// releaseLetters makes the letters visible to other receivers again.
func (d *deadLetters) releaseLetters(ctx context.Context, letters []types.Message) error {
	var errs []error
	for _, m := range letters {
		_, err := d.client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{QueueUrl: &d.deadQueue, ReceiptHandle: m.ReceiptHandle})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (d *deadLetters) redriveLetter(ctx context.Context, m types.Message) error {
	if _, err := d.client.SendMessage(ctx, newRedrive(d.queue, m)); err != nil {
		return err
	}
	_, err := d.client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &d.deadQueue, ReceiptHandle: m.ReceiptHandle})
	return err
}

// newRedrive returns the message that sends a dead letter to its queue again: with its group and
// its trace, which in the emulator are message attributes, and without the reason.
func newRedrive(queue string, m types.Message) *sqs.SendMessageInput {
	in := &sqs.SendMessageInput{QueueUrl: &queue, MessageBody: m.Body, MessageAttributes: maps.Clone(m.MessageAttributes)}
	delete(in.MessageAttributes, cloud.ReasonAttribute)
	if group, found := m.Attributes[string(types.MessageSystemAttributeNameMessageGroupId)]; found {
		in.MessageGroupId = &group
	}
	if trace, found := m.Attributes[string(types.MessageSystemAttributeNameAWSTraceHeader)]; found {
		in.MessageSystemAttributes = map[string]types.MessageSystemAttributeValue{
			string(types.MessageSystemAttributeNameForSendsAWSTraceHeader): {DataType: aws.String("String"), StringValue: &trace},
		}
	}
	return in
}

func sentAt(m types.Message) string {
	var millis int64
	_, _ = fmt.Sscan(m.Attributes["SentTimestamp"], &millis)
	return time.UnixMilli(millis).UTC().Format(time.RFC3339)
}

// refusalReason returns the reason with which a worker refused the letter, if it gave one.
func refusalReason(m types.Message) string {
	if a, ok := m.MessageAttributes[cloud.ReasonAttribute]; ok {
		return aws.ToString(a.StringValue)
	}
	return "tried too often"
}
