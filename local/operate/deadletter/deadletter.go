// Package deadletter reads the dead-letter queues of a system and sends their letters again. It finds
// a dead-letter queue through the redrive policy of its queue; that queue's URL is in the environment.
package deadletter

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Letters is a queue and its dead-letter queue.
type Letters struct {
	client           *sqs.Client
	queue, deadQueue string // URLs
	// Count is how many dead letters there are, Waiting how many messages the queue has, and
	// InFlight how many of its messages workers hold. All are as of [Open].
	Count, Waiting, InFlight int
}

// Open returns the letters of a queue of the topology, whose URL is in the host's environment.
func Open(ctx context.Context, host cloud.Host, name string) (*Letters, error) {
	l := &Letters{client: sqs.NewFromConfig(host.AWS)}
	for _, q := range topology.Queues {
		if q.Name == name {
			l.queue = host.Getenv(q.Env)
		}
	}
	if l.queue == "" {
		return nil, fmt.Errorf("no queue %q: the queues are %s, and the environment must name the URL", name, strings.Join(QueueNames(), ", "))
	}
	policy, waiting, inFlight, err := l.readQueue(ctx, l.queue)
	if err != nil {
		return nil, fmt.Errorf("read the queue: %w", err)
	}
	l.Waiting = waiting
	l.InFlight = inFlight
	// The dead-letter queue is in the queue's account; its name is the end of the ARN in the redrive policy.
	_, rest, _ := strings.Cut(policy, `"deadLetterTargetArn":"`)
	target, _, _ := strings.Cut(rest, `"`)
	out, err := l.client.GetQueueUrl(ctx, &sqs.GetQueueUrlInput{QueueName: aws.String(target[strings.LastIndex(target, ":")+1:])})
	if err != nil {
		return nil, fmt.Errorf("finding the dead-letter queue: %w", err)
	}
	l.deadQueue = *out.QueueUrl
	_, l.Count, _, err = l.readQueue(ctx, l.deadQueue)
	return l, err
}

// QueueNames returns the names of the topology's queues.
func QueueNames() []string {
	var names []string
	for _, q := range topology.Queues {
		names = append(names, q.Name)
	}
	return names
}

func (l *Letters) readQueue(ctx context.Context, url string) (policy string, waiting, inFlight int, err error) {
	in := &sqs.GetQueueAttributesInput{QueueUrl: &url, AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameAll}}
	out, err := l.client.GetQueueAttributes(ctx, in)
	if err != nil {
		return "", 0, 0, err
	}
	of := out.Attributes
	_, err = fmt.Sscan(of["ApproximateNumberOfMessages"]+" "+of["ApproximateNumberOfMessagesNotVisible"], &waiting, &inFlight)
	if err != nil {
		return "", 0, 0, fmt.Errorf("reading the counts of %s: %w", url, err)
	}
	return of["RedrivePolicy"], waiting, inFlight, nil
}

// Receive returns up to most letters, fewer if the queue has no more. They stay in the queue and are
// hidden from other receivers for a while, unless they are released: for a minute, and for as long as it takes to
// receive and redrive most of them, so that none is received twice.
func (l *Letters) Receive(ctx context.Context, most int) (all []types.Message, err error) {
	for len(all) < most {
		out, err := l.client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
			QueueUrl: &l.deadQueue, MaxNumberOfMessages: int32(min(10, most-len(all))), VisibilityTimeout: hiddenSeconds(most), WaitTimeSeconds: 1,
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

// hiddenSeconds returns how long so many letters are hidden: a quarter of a second for each, of the twelve hours that SQS allows.
func hiddenSeconds(letters int) int32 { return int32(min(60+letters/4, 12*60*60)) }

// releaseTime bounds a release, which goes on after the end of its context: an interrupted command would hide letters for long.
const releaseTime = 30 * time.Second

// Release makes the letters visible to other receivers again. It ends at the first call that fails; the letters that are left come
// back after the time for which they are hidden.
func (l *Letters) Release(ctx context.Context, letters []types.Message) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer cancel()
	for part := range slices.Chunk(letters, 10) {
		in := &sqs.ChangeMessageVisibilityBatchInput{QueueUrl: &l.deadQueue}
		for i, m := range part {
			entry := types.ChangeMessageVisibilityBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), ReceiptHandle: m.ReceiptHandle}
			in.Entries = append(in.Entries, entry)
		}
		out, err := l.client.ChangeMessageVisibilityBatch(ctx, in)
		if err != nil {
			return fmt.Errorf("release the messages: %w", err)
		}
		if len(out.Failed) > 0 {
			return fmt.Errorf("%d letters stay hidden for a while: %s", len(out.Failed), aws.ToString(out.Failed[0].Message))
		}
	}
	return nil
}

// Settle receives as many letters as there were at [Open], and up to most, and settles those that are meant, by [Letters.Redrive] or
// [Letters.Remove]: all of them, or the one with an id. It returns how many it settled, each once. It receives all of them before it
// settles the first, because a worker may refuse a letter again at once.
// Letters that it does not settle, because something failed or they are not meant, are visible again.
func (l *Letters) Settle(
	ctx context.Context, most int, id string, settle func(context.Context, types.Message) error,
) (settled int, err error) {
	letters, err := l.Receive(ctx, min(most, l.Count))
	var left []types.Message
	for _, m := range letters {
		isMeant := id == "" || id == *m.MessageId
		if isMeant && err == nil {
			err = settle(ctx, m)
		}
		if !isMeant || err != nil {
			left = append(left, m)
			continue
		}
		settled++
	}
	return settled, errors.Join(err, l.Release(ctx, left))
}

// Redrive sends a letter to its queue and then deletes it. If it is interrupted between the two, the
// letter is sent twice, which workers tolerate.
func (l *Letters) Redrive(ctx context.Context, m types.Message) error {
	if _, err := l.client.SendMessage(ctx, newRedrive(l.queue, m)); err != nil {
		return fmt.Errorf("send the message again: %w", err)
	}
	return l.Remove(ctx, m)
}

// Remove deletes a letter that was received.
func (l *Letters) Remove(ctx context.Context, m types.Message) error {
	_, err := l.client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &l.deadQueue, ReceiptHandle: m.ReceiptHandle})
	return err
}

// newRedrive returns the message that sends a dead letter to its queue again: with its group and
// its trace, which in the emulator are message attributes, and without the reason.
func newRedrive(queue string, m types.Message) *sqs.SendMessageInput {
	in := &sqs.SendMessageInput{QueueUrl: &queue, MessageBody: m.Body, MessageAttributes: maps.Clone(m.MessageAttributes)}
	delete(in.MessageAttributes, messaging.ReasonAttribute)
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

// SentAt returns when the letter was sent to its queue.
func SentAt(m types.Message) time.Time {
	var millis int64
	_, _ = fmt.Sscan(m.Attributes["SentTimestamp"], &millis)
	return time.UnixMilli(millis).UTC()
}

// Reason returns the reason with which a worker refused the letter, if it gave one.
func Reason(m types.Message) string {
	if a, ok := m.MessageAttributes[messaging.ReasonAttribute]; ok {
		return aws.ToString(a.StringValue)
	}
	return "tried too often"
}
