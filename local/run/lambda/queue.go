package lambda

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go/middleware"
)

// SQSFunction is a function behind an SQS event source with ReportBatchItemFailures.
type SQSFunction = func(context.Context, events.SQSEvent) (events.SQSEventResponse, error)

// Poller is an SQS event source: it receives messages, invokes the function with each batch and deletes the messages
// that succeeded. A failed message becomes visible again when its visibility time-out ends, and moves to the dead-letter
// queue by the queue's own redrive policy.
//
// Client, QueueURL, Function, BatchSize, Concurrency, Timeout and Failed are required. The visibility time-out must be longer
// than Timeout.
type Poller struct {
	Client   *sqs.Client
	QueueURL string
	Function SQSFunction
	// BatchSize is the most messages in one invocation, 1 to 10.
	BatchSize int
	// Concurrency is the most invocations at one time.
	Concurrency int
	// Timeout ends an invocation.
	Timeout time.Duration
	// Visibility hides the received messages from other receivers; 0 means the queue's own time-out.
	Visibility time.Duration
	// Ahead is the maximum number of messages to receive before their turn. With them the poller does what SQS does in a
	// fair queue: while many messages of one group wait, those of the other groups come first. A message without a group
	// is a group of its own. 0 keeps the order of the queue; otherwise Visibility is required. A stop returns the waiting
	// messages to the queue, which has counted their receipt.
	Ahead int
	// PerBacklog is the maximum number of messages in flight of a group with more than 50 waiting ones, for a poller with
	// Ahead; 0 means no bound.
	PerBacklog int
	// Grace is how long the invocations in flight may continue after the context of Run has ended.
	Grace time.Duration
	// Failed is called for every failed invocation and every failed call of SQS, possibly concurrently.
	Failed func(error)
}

const (
	maxReceive  = 10 // messages in one call of SQS
	longPoll    = 20 * time.Second
	afterError  = time.Second     // between a failed receive and the next
	deleteLimit = 5 * time.Second // for deleting a batch, which bounds how long a stop waits
)

// Run polls until ctx ends, and returns when the invocations in flight have ended.
func (p *Poller) Run(ctx context.Context) {
	work, cancel := withGracePeriod(ctx, p.Grace)
	defer cancel()
	if p.Ahead > 0 {
		p.runAhead(ctx, work)
		return
	}
	var inFlight sync.WaitGroup
	defer inFlight.Wait()
	slots := make(chan struct{}, p.Concurrency)
	for {
		select { // first the slot: a message received without one would use up its visibility time-out
		case slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		messages := p.receiveMessages(ctx, p.BatchSize, longPoll, p.Visibility)
		inFlight.Go(func() {
			defer func() { <-slots }()
			if len(messages) > 0 {
				p.processBatch(work, messages)
			}
		})
	}
}

func (p *Poller) receiveMessages(ctx context.Context, most int, wait, visibility time.Duration) []types.Message {
	got, err := p.Client.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{
		QueueUrl:                    &p.QueueURL,
		MaxNumberOfMessages:         int32(most),
		WaitTimeSeconds:             int32(wait / time.Second),
		VisibilityTimeout:           int32(visibility / time.Second),
		MessageSystemAttributeNames: []types.MessageSystemAttributeName{types.MessageSystemAttributeNameAll},
		MessageAttributeNames:       []string{"All"},
	})
	switch {
	case err == nil:
		return restoreSystemAttributes(got.Messages)
	case ctx.Err() != nil:
		return nil
	}
	p.Failed(fmt.Errorf("receive: %w", err))
	select {
	case <-ctx.Done():
	case <-time.After(afterError):
	}
	return nil
}

// processBatch invokes the function and deletes what succeeded. A message that cannot be deleted is delivered again, as with Lambda.
func (p *Poller) processBatch(ctx context.Context, messages []types.Message) {
	work, cancel := context.WithTimeout(ctx, p.Timeout)
	defer cancel()
	response, err := invokeFunction(work, p.Function, p.newSQSEvent(messages))
	if err != nil {
		p.Failed(err)
		return
	}
	failed := map[string]bool{} // by the id of each message of the batch
	for _, m := range messages {
		failed[*m.MessageId] = false
	}
	for _, f := range response.BatchItemFailures {
		if _, ok := failed[f.ItemIdentifier]; !ok {
			p.Failed(ErrBatchFailures)
			return
		}
		failed[f.ItemIdentifier] = true
	}
	in := &sqs.DeleteMessageBatchInput{QueueUrl: &p.QueueURL}
	for i, m := range messages {
		if !failed[*m.MessageId] {
			in.Entries = append(in.Entries, types.DeleteMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), ReceiptHandle: m.ReceiptHandle})
		}
	}
	if len(in.Entries) == 0 {
		return
	}
	deletion, cancel := context.WithTimeout(context.WithoutCancel(ctx), deleteLimit)
	defer cancel()
	got, err := p.Client.DeleteMessageBatch(deletion, in)
	if err != nil {
		p.Failed(fmt.Errorf("delete: %w", err))
		return
	}
	for _, kept := range got.Failed {
		p.Failed(fmt.Errorf("delete: %s", *kept.Code))
	}
}

// ErrBatchFailures reports that a function named a failed item that is not in its batch, or named none in an entry:
// Lambda then treats the whole batch as failed.
var ErrBatchFailures = errors.New("a batch item failure names no message of the batch: the whole batch counts as failed")

// changeVisibility restarts the visibility time-out of messages, and returns those that were
// still hidden.
func (p *Poller) changeVisibility(ctx context.Context, messages []types.Message, visibility time.Duration) (hidden []types.Message) {
	if len(messages) == 0 {
		return nil
	}
	in := &sqs.ChangeMessageVisibilityBatchInput{QueueUrl: &p.QueueURL}
	for i, m := range messages {
		in.Entries = append(in.Entries, types.ChangeMessageVisibilityBatchRequestEntry{
			Id: aws.String(strconv.Itoa(i)), ReceiptHandle: m.ReceiptHandle, VisibilityTimeout: int32(visibility / time.Second),
		})
	}
	out, err := p.Client.ChangeMessageVisibilityBatch(ctx, in)
	if err != nil {
		p.Failed(fmt.Errorf("change visibility: %w", err))
		return nil
	}
	for _, done := range out.Successful {
		i, _ := strconv.Atoi(*done.Id)
		hidden = append(hidden, messages[i])
	}
	return hidden
}

func (p *Poller) newSQSEvent(messages []types.Message) events.SQSEvent {
	event := events.SQSEvent{Records: make([]events.SQSMessage, len(messages))}
	for i, m := range messages {
		attributes := make(map[string]events.SQSMessageAttribute, len(m.MessageAttributes))
		for name, a := range m.MessageAttributes {
			attributes[name] = events.SQSMessageAttribute{
				DataType:         aws.ToString(a.DataType),
				StringValue:      a.StringValue,
				BinaryValue:      a.BinaryValue,
				StringListValues: []string{},
				BinaryListValues: [][]byte{},
			}
		}
		event.Records[i] = events.SQSMessage{
			MessageId:              aws.ToString(m.MessageId),
			ReceiptHandle:          aws.ToString(m.ReceiptHandle),
			Body:                   aws.ToString(m.Body),
			Md5OfBody:              aws.ToString(m.MD5OfBody),
			Md5OfMessageAttributes: aws.ToString(m.MD5OfMessageAttributes),
			Attributes:             m.Attributes,
			MessageAttributes:      attributes,
			EventSource:            "aws:sqs",
			AWSRegion:              p.Client.Options().Region,
		}
	}
	return event
}

// EnsureQueue creates the queue and its dead-letter queue, named like it with "-dlq" appended, if they do not exist,
// and sets the queue's attributes: for how long a received message stays hidden, in whole seconds, and how often it is
// received before it moves to the dead-letter queue. It is idempotent, and returns the URLs of both.
func EnsureQueue(
	ctx context.Context, client *sqs.Client, name string, visibility time.Duration, maxReceives int,
) (queue, deadLetters string, err error) {
	var urls [2]string
	for i, name := range []string{name, name + "-dlq"} {
		created, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: &name}) // succeeds if it exists with any attributes
		if err != nil {
			return "", "", fmt.Errorf("create the queue: %w", err)
		}
		urls[i] = *created.QueueUrl
	}
	const arn = types.QueueAttributeNameQueueArn
	dead, err := client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl: &urls[1], AttributeNames: []types.QueueAttributeName{arn},
	})
	if err != nil {
		return "", "", fmt.Errorf("read the new queue: %w", err)
	}
	redrive := fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":%d}`, dead.Attributes[string(arn)], maxReceives)
	_, err = client.SetQueueAttributes(ctx, &sqs.SetQueueAttributesInput{QueueUrl: &urls[0], Attributes: map[string]string{
		string(types.QueueAttributeNameVisibilityTimeout): strconv.Itoa(int(visibility / time.Second)),
		string(types.QueueAttributeNameRedrivePolicy):     redrive,
	}})
	return urls[0], urls[1], err
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
