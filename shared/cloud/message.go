package cloud

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Message is a message to send.
type Message struct {
	Body string
	// Group is the tenant of the message, as 1 to 128 printable ASCII characters without
	// spaces. While messages of one tenant pile up, SQS delivers those of the others first
	// (fair queues). A message without a group counts as a tenant of its own.
	Group string
	// Trace is the trace id of the request that the message belongs to; "" is that of the
	// context in which it is sent.
	Trace string
}

// toBatchEntry returns the message as an entry of SendMessageBatch.
func (m Message) toBatchEntry(ctx context.Context, id string, delay time.Duration) sqstypes.SendMessageBatchRequestEntry {
	entry := sqstypes.SendMessageBatchRequestEntry{
		Id: &id, MessageBody: &m.Body, DelaySeconds: int32(delay / time.Second),
		MessageSystemAttributes: newTraceAttributes(cmp.Or(m.Trace, TraceOf(ctx))),
	}
	if m.Group != "" {
		entry.MessageGroupId = &m.Group
	}
	return entry
}

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
		QueueUrl: &q.url, MessageBody: aws.String(toSendable(body, maxRefused)), MessageSystemAttributes: newTraceAttributes(TraceOf(ctx)),
		MessageAttributes: map[string]sqstypes.MessageAttributeValue{
			ReasonAttribute: {DataType: aws.String("String"), StringValue: aws.String(toSendable(reason, maxReason))},
		},
	})
	return err
}

// toSendable returns the text as SQS accepts it: not empty, no controls, not too long.
func toSendable(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' && r != '\n' && r != '\r' || r == '\ufffe' || r == '\uffff' {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}
	if strings.TrimSpace(s) == "" {
		return "(empty)"
	}
	return s
}

// DeadLetters opens the dead-letter queue of a queue whose function sends to it.
func (h Host) DeadLetters(q topology.Queue) (Queue, error) {
	url, err := h.requireSetting(q.DeadEnv)
	return Queue{client: sqs.NewFromConfig(h.AWS), url: url}, err
}
