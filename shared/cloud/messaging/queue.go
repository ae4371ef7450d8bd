// Package messaging sends messages to queues of SQS. It is a package of its own so that a
// function that sends none starts without the client of SQS.
package messaging

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Queue is one SQS queue.
type Queue struct {
	client *sqs.Client
	url    string
	delay  time.Duration
	check  func(url string) error
}

// Open opens a queue by its URL.
func Open(o *cloud.Opener, q topology.Queue) Queue { return openSetting(o, q.Env) }

// OpenDeadLetters opens a queue's dead-letter queue, which the queue's function sends to.
func OpenDeadLetters(o *cloud.Opener, q topology.Queue) Queue { return openSetting(o, q.DeadEnv) }

func openSetting(o *cloud.Opener, setting string) Queue {
	return Queue{client: sqs.NewFromConfig(o.AWS), url: o.RequireSetting(setting), check: o.CheckQueue}
}

// Delayed returns the queue with a delay, of at most 15 minutes, on what Send sends.
func (q Queue) Delayed(d time.Duration) Queue {
	q.delay = d
	return q
}

// Check returns a refusal while the queue fails and is not asked, so that nothing is done that needs a
// message. It makes no call.
func (q Queue) Check() error { return q.check(q.url) }

const (
	maxBatch = 10 // messages that one SQS call accepts
	maxCalls = 10 // calls at a time of one Send
)

// ErrRefused is a message's error when SQS accepted the call but not the message.
var ErrRefused = errors.New("the queue refused the message")

// Send sends messages, ten in a call and ten calls at a time, and returns each one's error, aligned with
// messages. A call that fails as a whole fails all of its messages.
func (q Queue) Send(ctx context.Context, messages []cloud.Message) []error {
	errs := make([]error, len(messages))
	batches := slices.Collect(slices.Chunk(messages, maxBatch))
	_ = cloud.ForEach(maxCalls, batches, func(n int, batch []cloud.Message) error {
		entries := make([]types.SendMessageBatchRequestEntry, len(batch))
		for i, m := range batch {
			entries[i] = types.SendMessageBatchRequestEntry{
				Id: new(strconv.Itoa(i)), MessageBody: &m.Body, MessageGroupId: optional.NonZero(m.Group),
				DelaySeconds:            int32(q.delay / time.Second),
				MessageSystemAttributes: newTraceAttributes(cmp.Or(m.Trace, cloud.TraceOf(ctx))),
			}
		}
		out, err := q.client.SendMessageBatch(ctx, &sqs.SendMessageBatchInput{QueueUrl: &q.url, Entries: entries})
		ofBatch := errs[n*maxBatch:][:len(batch)]
		for i := range ofBatch {
			ofBatch[i] = cmp.Or(err, ErrRefused)
		}
		if err != nil {
			return nil
		}
		for _, sent := range out.Successful {
			i, err := strconv.Atoi(aws.ToString(sent.Id))
			if err == nil && i >= 0 && i < len(ofBatch) {
				ofBatch[i] = nil
			}
		}
		return nil
	})
	return errs
}

func newTraceAttributes(id string) map[string]types.MessageSystemAttributeValue {
	if id == "" {
		return nil
	}
	return map[string]types.MessageSystemAttributeValue{cloud.TraceAttribute: {DataType: new("String"), StringValue: new("Root=" + id)}}
}

// ReasonAttribute is the message attribute in which a refused message says why.
const ReasonAttribute = "reason"

const (
	// maxReason keeps a reason readable beside its message.
	maxReason = 2000
	// maxRefused is how many bytes of a refused body are kept. SQS limits body and attributes together to
	// 256 KB, and the reason is an attribute.
	maxRefused = 250 << 10
)

// Refuse sends an unusable body to a dead-letter queue, unchanged as far as SQS accepts
// it, with the reason beside it.
func (q Queue) Refuse(ctx context.Context, body, reason string) (err error) {
	defer fault.Wrap(&err, "messaging.Refuse")

	_, err = q.client.SendMessage(ctx, &sqs.SendMessageInput{
		QueueUrl: &q.url, MessageBody: new(toSendable(body, maxRefused)), MessageSystemAttributes: newTraceAttributes(cloud.TraceOf(ctx)),
		MessageAttributes: map[string]types.MessageAttributeValue{
			ReasonAttribute: {DataType: new("String"), StringValue: new(toSendable(reason, maxReason))},
		},
	})
	return err
}

// toSendable returns the text as SQS accepts it: not empty, no controls, not too long.
func toSendable(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("\t\n\r", r):
			return r
		case unicode.IsControl(r), r == '\ufffe', r == '\uffff':
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
