package lambda

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// ErrBatchFailures reports that a function named a failed item that is not in its batch, or named none in an entry:
// Lambda then treats the whole batch as failed.
var ErrBatchFailures = errors.New("a batch item failure names no message of the batch: the whole batch counts as failed")

// succeededMessages returns the messages that the function did not name as failed.
func succeededMessages(messages []types.Message, failures []events.SQSBatchItemFailure) ([]types.Message, error) {
	failed := map[string]bool{} // by the id of each message of the batch
	for _, m := range messages {
		failed[*m.MessageId] = false
	}
	for _, f := range failures {
		if _, ok := failed[f.ItemIdentifier]; !ok {
			return nil, ErrBatchFailures
		}
		failed[f.ItemIdentifier] = true
	}
	return slices.DeleteFunc(slices.Clone(messages), func(m types.Message) bool { return failed[*m.MessageId] }), nil
}

func deleteEntries(messages []types.Message) []types.DeleteMessageBatchRequestEntry {
	entries := make([]types.DeleteMessageBatchRequestEntry, len(messages))
	for i, m := range messages {
		entries[i] = types.DeleteMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), ReceiptHandle: m.ReceiptHandle}
	}
	return entries
}

// changeVisibility restarts the visibility time-out of messages, and returns those that were
// still hidden.
func (p *Poller) changeVisibility(ctx context.Context, messages []types.Message, visibility time.Duration) (hidden []types.Message) {
	if len(messages) == 0 {
		return nil
	}
	in := &sqs.ChangeMessageVisibilityBatchInput{QueueUrl: &p.Queue.URL}
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

// newSQSEvent returns the event with which a function receives the batch.
func (p *Poller) newSQSEvent(messages []types.Message) events.SQSEvent {
	event := events.SQSEvent{Records: make([]events.SQSMessage, len(messages))}
	for i, m := range messages {
		event.Records[i] = events.SQSMessage{
			MessageId:              aws.ToString(m.MessageId),
			ReceiptHandle:          aws.ToString(m.ReceiptHandle),
			Body:                   aws.ToString(m.Body),
			Md5OfBody:              aws.ToString(m.MD5OfBody),
			Md5OfMessageAttributes: aws.ToString(m.MD5OfMessageAttributes),
			Attributes:             m.Attributes,
			MessageAttributes:      convertAttributes(m.MessageAttributes),
			EventSource:            "aws:sqs",
			EventSourceARN:         p.Queue.ARN,
			AWSRegion:              p.Client.Options().Region,
		}
	}
	return event
}

func convertAttributes(all map[string]types.MessageAttributeValue) map[string]events.SQSMessageAttribute {
	converted := make(map[string]events.SQSMessageAttribute, len(all))
	for name, a := range all {
		converted[name] = events.SQSMessageAttribute{
			DataType:         aws.ToString(a.DataType),
			StringValue:      a.StringValue,
			BinaryValue:      a.BinaryValue,
			StringListValues: []string{},
			BinaryListValues: [][]byte{},
		}
	}
	return converted
}
