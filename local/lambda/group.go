package lambda

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go/middleware"
)

// groupAttribute names a message's group: in SQS a system attribute, and here a message attribute as well.
const groupAttribute = string(types.MessageSystemAttributeNameMessageGroupId)

// WithMessageGroups returns cfg for clients that send the group of a message as a message attribute too, because the
// emulator drops the group of a message in a standard queue. The [Poller] restores it: a function receives it as from SQS.
func WithMessageGroups(cfg aws.Config) aws.Config {
	cfg.APIOptions = append(slices.Clone(cfg.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("MessageGroups", copyGroups), middleware.Before)
	})
	return cfg
}

func copyGroups(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	if batch, ok := in.Parameters.(*sqs.SendMessageBatchInput); ok {
		sent := *batch
		sent.Entries = slices.Clone(batch.Entries)
		for i, entry := range sent.Entries {
			if entry.MessageGroupId == nil {
				continue
			}
			attributes := map[string]types.MessageAttributeValue{groupAttribute: {DataType: aws.String("String"), StringValue: entry.MessageGroupId}}
			maps.Copy(attributes, entry.MessageAttributes)
			sent.Entries[i].MessageAttributes = attributes
		}
		in.Parameters = &sent
	}
	return next.HandleInitialize(ctx, in)
}

// restoreGroups makes the groups sent as message attributes system attributes again.
func restoreGroups(messages []types.Message) []types.Message {
	for i := range messages {
		m := &messages[i]
		group, found := m.MessageAttributes[groupAttribute]
		if !found {
			continue
		}
		delete(m.MessageAttributes, groupAttribute)
		if len(m.MessageAttributes) == 0 {
			m.MessageAttributes, m.MD5OfMessageAttributes = nil, nil
		}
		m.Attributes[groupAttribute] = aws.ToString(group.StringValue)
	}
	return messages
}

// groupOf returns the message's group; a message without one is a group of its own.
func groupOf(m types.Message) string { return cmp.Or(m.Attributes[groupAttribute], *m.MessageId) }
