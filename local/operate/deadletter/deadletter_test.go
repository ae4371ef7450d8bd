package deadletter

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A redriven letter keeps its group, in SQS and in the emulator, so that it waits for its
// tenant's turn.
func TestRedriveKeepsTheGroup(t *testing.T) {
	t.Parallel()
	text := func(value string) types.MessageAttributeValue {
		return types.MessageAttributeValue{DataType: aws.String("String"), StringValue: &value}
	}
	group := map[string]string{"MessageGroupId": "agy_1", "SentTimestamp": "1"}
	for name, tt := range map[string]struct {
		letter types.Message
		want   sqs.SendMessageInput
	}{
		"SQS":          {types.Message{Attributes: group}, sqs.SendMessageInput{MessageGroupId: aws.String("agy_1")}},
		"the emulator": {types.Message{MessageAttributes: map[string]types.MessageAttributeValue{"MessageGroupId": text("agy_1")}}, sqs.SendMessageInput{MessageAttributes: map[string]types.MessageAttributeValue{"MessageGroupId": text("agy_1")}}},
		"SQS, with a trace": {types.Message{Attributes: map[string]string{"AWSTraceHeader": "Root=1"}}, sqs.SendMessageInput{
			MessageSystemAttributes: map[string]types.MessageSystemAttributeValue{"AWSTraceHeader": {DataType: aws.String("String"), StringValue: aws.String("Root=1")}},
		}},
		"a refused letter without a group": {types.Message{MessageAttributes: map[string]types.MessageAttributeValue{messaging.ReasonAttribute: text("no JSON")}},
			sqs.SendMessageInput{MessageAttributes: map[string]types.MessageAttributeValue{}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.letter.Body = aws.String("body")
			tt.want.MessageBody = aws.String("body")
			tt.want.QueueUrl = aws.String("queue")
			if diff := cmp.Diff(&tt.want, newRedrive("queue", tt.letter), cmpopts.IgnoreUnexported(sqs.SendMessageInput{}, types.MessageAttributeValue{}, types.MessageSystemAttributeValue{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// openLetters returns dead letters of a queue of its own, with a hook around the calls that follow.
func openLetters(t *testing.T, letters int, hook func(*sqs.Client, *Letters) cloud.Hook) *Letters {
	t.Helper()
	env := emulator.ForTest(t, emulator.SQS).Env()
	host := cloud.NewHost(func(name string) string { return env[name] }, time.Now, nil)
	client := sqs.NewFromConfig(host.AWS)
	queue, dead, err := lambda.EnsureQueue(t.Context(), client, uuid.NewString(), time.Hour, 3)
	if err != nil {
		t.Fatal(err)
	}
	for n := range letters {
		if _, err := client.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &dead, MessageBody: aws.String(fmt.Sprint("letter ", n))}); err != nil {
			t.Fatal(err)
		}
	}
	env[topology.FeedQueue.Env] = queue
	l, err := Open(t.Context(), host, topology.FeedQueue.Name)
	if err != nil {
		t.Fatal(err)
	}
	l.client = sqs.NewFromConfig(cloud.WithHook(host.AWS, hook(client, l)))
	return l
}

// Letters are hidden for as long as it takes to redrive all of them.
func TestManyLettersAreHiddenForLonger(t *testing.T) {
	t.Parallel()
	for letters, want := range map[int]int32{1: 60, 20: 65, 20_000: 5_060, 1_000_000: 43_200} {
		if got := hiddenSeconds(letters); got != want {
			t.Errorf("%d letters are hidden for %d s, want %d", letters, got, want)
		}
	}
	var asked int32
	l := openLetters(t, 25, func(*sqs.Client, *Letters) cloud.Hook {
		return func(_ context.Context, call cloud.Call, send func() error) error {
			if in, isReceive := call.Input.(*sqs.ReceiveMessageInput); isReceive {
				asked = in.VisibilityTimeout
			}
			return send()
		}
	})
	if n, err := l.Settle(t.Context(), l.Count, "", l.Redrive); err != nil || n != 25 || asked != hiddenSeconds(25) {
		t.Errorf("sent %d letters that were hidden for %d s, %v", n, asked, err)
	}
}

// A queue that does not tell its counts is named.
func TestMissingCountsNameTheQueue(t *testing.T) {
	t.Parallel()
	const policy = `"RedrivePolicy":"{\"deadLetterTargetArn\":\"arn:aws:sqs:us-east-1:1:dead\"}"`
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in, _ := io.ReadAll(r.Body)
		switch {
		case strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".GetQueueUrl"):
			_, _ = io.WriteString(w, `{"QueueUrl":"http://sqs.example.com/dead"}`)
		case strings.Contains(string(in), "http://sqs.example.com/dead"):
			_, _ = io.WriteString(w, `{"Attributes":{}}`)
		default:
			_, _ = io.WriteString(w, `{"Attributes":{"ApproximateNumberOfMessages":"1","ApproximateNumberOfMessagesNotVisible":"0",`+policy+`}}`)
		}
	}))
	t.Cleanup(service.Close)
	env := map[string]string{
		"AWS_ENDPOINT_URL_SQS": service.URL, "AWS_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x",
		topology.Queues[0].Env: "http://sqs.example.com/queue",
	}
	host := cloud.NewHost(func(name string) string { return env[name] }, time.Now, nil)
	_, err := Open(t.Context(), host, QueueNames()[0])
	if err == nil || !strings.Contains(err.Error(), "http://sqs.example.com/dead") {
		t.Errorf("got %v, want an error that names the dead-letter queue", err)
	}
}

// A letter that a worker refuses again at once is not sent a second time.
func TestRefusedLettersAreRedrivenOnce(t *testing.T) {
	t.Parallel()
	const letters = 15
	sent := map[string]int{}
	l := openLetters(t, letters, func(client *sqs.Client, l *Letters) cloud.Hook {
		return func(ctx context.Context, call cloud.Call, send func() error) error {
			in, isSend := call.Input.(*sqs.SendMessageInput)
			if !isSend {
				return send()
			}
			sent[*in.MessageBody]++
			_, err := client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &l.deadQueue, MessageBody: in.MessageBody})
			return errors.Join(send(), err)
		}
	})
	if n, err := l.Settle(t.Context(), 2*letters, "", l.Redrive); err != nil || n != letters || len(sent) != letters {
		t.Errorf("sent %d letters, %d of them different, %v; want %d", n, len(sent), err, letters)
	}
}

// A command that is interrupted hides no letters either.
func TestInterruptedRedriveReleasesLetters(t *testing.T) {
	t.Parallel()
	const letters = 15
	ctx, interrupt := context.WithCancel(t.Context())
	sent := 0
	l := openLetters(t, letters, func(*sqs.Client, *Letters) cloud.Hook {
		return func(_ context.Context, call cloud.Call, send func() error) error {
			if call.Operation == "SendMessage" {
				sent++
				if sent == 3 {
					interrupt()
				}
			}
			return send()
		}
	})
	n, err := l.Settle(ctx, l.Count, "", l.Redrive)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	left, err := l.Receive(t.Context(), letters)
	if err != nil || n+len(left) != letters || len(left) == 0 {
		t.Errorf("%d letters were sent and %d are visible, %v; want %d together", n, len(left), err, letters)
	}
}

// Letters that could not be sent are visible again at once.
func TestFailedRedriveReleasesLetters(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"ReceiveMessage", "SendMessage"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			const letters = 15
			calls := 0
			l := openLetters(t, letters, func(*sqs.Client, *Letters) cloud.Hook {
				return func(_ context.Context, call cloud.Call, send func() error) error {
					if call.Operation != operation {
						return send()
					}
					calls++
					if calls == 2 {
						return errors.New("no " + operation)
					}
					return send()
				}
			})
			n, err := l.Settle(t.Context(), l.Count, "", l.Redrive)
			if err == nil || !strings.Contains(err.Error(), "no "+operation) {
				t.Errorf("got %v", err)
			}
			left, err := l.Receive(t.Context(), letters)
			if err != nil || n+len(left) != letters {
				t.Errorf("%d letters were sent and %d are visible, %v; want %d together", n, len(left), err, letters)
			}
		})
	}
}
