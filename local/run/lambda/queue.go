package lambda

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go/middleware"
)

// Queue identifies a standard queue.
type Queue struct {
	URL, ARN string
}

// EnsureQueue creates the queue and its dead-letter queue, named like it with "-dlq" appended, if they do not exist,
// and sets the queue's attributes: for how long a received message stays hidden, in whole seconds, and how often it is
// received before it moves to the dead-letter queue. It is idempotent.
func EnsureQueue(
	ctx context.Context, client *sqs.Client, name string, visibility time.Duration, maxReceives int,
) (queue, deadLetters Queue, err error) {
	deadLetters, err = createQueue(ctx, client, name+"-dlq")
	if err == nil {
		queue, err = createQueue(ctx, client, name)
	}
	if err != nil {
		return Queue{}, Queue{}, err
	}
	redrive := fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":%d}`, deadLetters.ARN, maxReceives)
	_, err = client.SetQueueAttributes(ctx, &sqs.SetQueueAttributesInput{QueueUrl: &queue.URL, Attributes: map[string]string{
		string(types.QueueAttributeNameVisibilityTimeout): strconv.Itoa(int(visibility / time.Second)),
		string(types.QueueAttributeNameRedrivePolicy):     redrive,
	}})
	return queue, deadLetters, err
}

// createQueue creates a queue without attributes, which succeeds if it exists with any attributes.
func createQueue(ctx context.Context, client *sqs.Client, name string) (Queue, error) {
	created, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		return Queue{}, err
	}
	got, err := client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl:       created.QueueUrl,
		AttributeNames: []types.QueueAttributeName{types.QueueAttributeNameQueueArn},
	})
	if err != nil {
		return Queue{}, err
	}
	return Queue{URL: *created.QueueUrl, ARN: got.Attributes[string(types.QueueAttributeNameQueueArn)]}, nil
}

// The system attributes of a message that the emulator drops: its group, in a standard queue, and its trace.
const (
	groupAttribute = string(types.MessageSystemAttributeNameMessageGroupId)
	traceAttribute = string(types.MessageSystemAttributeNameAWSTraceHeader)
)

// WithSystemAttributes returns cfg for clients that send the group and the trace of a message as message attributes too,
// because the emulator drops them. The [Poller] restores them: a function receives them as from SQS.
func WithSystemAttributes(cfg aws.Config) aws.Config {
	cfg.APIOptions = append(slices.Clone(cfg.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("SystemAttributes", copySystemAttributes), middleware.Before)
	})
	return cfg
}

func copySystemAttributes(
	ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler,
) (middleware.InitializeOutput, middleware.Metadata, error) {
	if batch, ok := in.Parameters.(*sqs.SendMessageBatchInput); ok {
		sent := *batch
		sent.Entries = slices.Clone(batch.Entries)
		for i, entry := range sent.Entries {
			attributes := maps.Clone(entry.MessageAttributes)
			trace := entry.MessageSystemAttributes[traceAttribute].StringValue
			for name, value := range map[string]*string{groupAttribute: entry.MessageGroupId, traceAttribute: trace} {
				if value == nil {
					continue
				}
				if attributes == nil {
					attributes = map[string]types.MessageAttributeValue{}
				}
				attributes[name] = types.MessageAttributeValue{DataType: aws.String("String"), StringValue: value}
			}
			sent.Entries[i].MessageAttributes = attributes
		}
		in.Parameters = &sent
	}
	return next.HandleInitialize(ctx, in)
}

// restoreSystemAttributes makes system attributes of those that were sent as message attributes.
func restoreSystemAttributes(messages []types.Message) []types.Message {
	for i := range messages {
		m := &messages[i]
		for _, name := range []string{groupAttribute, traceAttribute} {
			if value, found := m.MessageAttributes[name]; found {
				delete(m.MessageAttributes, name)
				m.Attributes[name] = aws.ToString(value.StringValue)
			}
		}
		if len(m.MessageAttributes) == 0 {
			m.MessageAttributes = nil
			m.MD5OfMessageAttributes = nil
		}
	}
	return messages
}

// groupOf returns the message's group; a message without one is a group of its own.
func groupOf(m types.Message) string { return cmp.Or(m.Attributes[groupAttribute], *m.MessageId) }
