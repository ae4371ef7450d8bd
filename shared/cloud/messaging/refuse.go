package messaging

import (
	"context"
	"strings"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// ReasonAttribute is the message attribute in which a refused message says why.
const ReasonAttribute = "reason"

const (
	// maxReason keeps a reason readable beside its message.
	maxReason = 2000
	// maxRefused is how much of a refused body is kept: the least limit of SQS's,
	// 256 KB, with room for the reason.
	maxRefused = 250 << 10
)

// Refuse sends an unusable body to a dead-letter queue, unchanged as far as SQS accepts
// it, with the reason beside it.
func (q Queue) Refuse(ctx context.Context, body, reason string) error {
	_, err := q.client.SendMessage(ctx, &sqs.SendMessageInput{
		QueueUrl: &q.url, MessageBody: aws.String(toSendable(body, maxRefused)), MessageSystemAttributes: newTraceAttributes(cloud.TraceOf(ctx)),
		MessageAttributes: map[string]types.MessageAttributeValue{
			ReasonAttribute: {DataType: aws.String("String"), StringValue: aws.String(toSendable(reason, maxReason))},
		},
	})
	return err
}

// toSendable returns the text as SQS accepts it: not empty, no controls, not too long.
func toSendable(s string, most int) string {
	s = strings.Map(toSendableRune, strings.ToValidUTF8(s, "\ufffd"))
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	if strings.TrimSpace(s) == "" {
		return "(empty)"
	}
	return s
}

func toSendableRune(r rune) rune {
	switch {
	case strings.ContainsRune("\t\n\r", r):
		return r
	case unicode.IsControl(r), r == '\ufffe', r == '\uffff':
		return '\ufffd'
	}
	return r
}
