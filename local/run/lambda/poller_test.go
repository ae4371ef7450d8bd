package lambda_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

type (
	sqsEvent    = events.SQSEvent
	sqsResponse = events.SQSEventResponse
)

// newQueueClient returns a client as the local system's pollers have it. The SDK's own HTTP client may lose an answer
// on a busy machine, and with it messages.
func newQueueClient(t *testing.T, hooks ...cloud.Hook) *sqs.Client {
	t.Helper()
	env := emulator.ForTest(t, emulator.SQS).Env()
	host := cloud.NewHost(func(name string) string { return env[name] }, time.Now, slog.New(slog.DiscardHandler))
	for _, hook := range hooks {
		host.AWS = cloud.WithHook(host.AWS, hook)
	}
	return sqs.NewFromConfig(lambda.WithSystemAttributes(host.AWS))
}

// pollerFixture runs a poller on a new queue with a visibility time-out of one second, the minimum, until the test ends.
type pollerFixture struct {
	t           *testing.T
	client      *sqs.Client
	queue, dead string
	calls       cloudtest.Calls

	mu     sync.Mutex
	failed []error
	stop   func()
}

func newPollerFixture(t *testing.T, maxReceives int) *pollerFixture {
	t.Helper()
	p := &pollerFixture{t: t}
	p.client = newQueueClient(t, p.calls.Hook)
	var err error
	p.queue, p.dead, err = lambda.EnsureQueue(t.Context(), p.client, "test-"+rand.Text(), time.Second, maxReceives)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *pollerFixture) runPoller(poller lambda.Poller) {
	poller.Client = p.client
	poller.QueueURL = p.queue
	if poller.BatchSize == 0 {
		poller.BatchSize = 10
	}
	if poller.Concurrency == 0 {
		poller.Concurrency = 2
	}
	if poller.Timeout == 0 {
		poller.Timeout = 30 * time.Second
	}
	poller.Failed = func(err error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.failed = append(p.failed, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func() {
		defer close(over)
		poller.Run(ctx)
	}()
	p.stop = sync.OnceFunc(func() { cancel(); <-over })
	p.t.Cleanup(p.stop)
}

func (p *pollerFixture) sendMessages(bodies ...string) {
	p.t.Helper()
	p.sendGroup(nil, bodies...)
}

// sendGroup sends messages of one group.
func (p *pollerFixture) sendGroup(group *string, bodies ...string) {
	p.t.Helper()
	for part := range slices.Chunk(bodies, 10) {
		in := &sqs.SendMessageBatchInput{QueueUrl: &p.queue}
		for i, body := range part {
			in.Entries = append(in.Entries, types.SendMessageBatchRequestEntry{Id: aws.String(strconv.Itoa(i)), MessageBody: &body, MessageGroupId: group})
		}
		if _, err := p.client.SendMessageBatch(p.t.Context(), in); err != nil {
			p.t.Fatal(err)
		}
	}
}

// countMessages returns how many messages a queue holds, visible or not.
func (p *pollerFixture) countMessages(queue string) int {
	p.t.Helper()
	visible, hidden := p.countByVisibility(queue)
	return visible + hidden
}

func (p *pollerFixture) countByVisibility(queue string) (visible, hidden int) {
	p.t.Helper()
	got, err := p.client.GetQueueAttributes(p.t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: &queue, AttributeNames: []types.QueueAttributeName{"All"}})
	if err != nil {
		p.t.Fatal(err)
	}
	visible, _ = strconv.Atoi(got.Attributes["ApproximateNumberOfMessages"])
	hidden, _ = strconv.Atoi(got.Attributes["ApproximateNumberOfMessagesNotVisible"])
	return visible, hidden
}

// waitForCount waits until the queue holds that many messages.
func (p *pollerFixture) waitForCount(queue string, want int) {
	p.t.Helper()
	p.waitUntil(func() bool { return p.countMessages(queue) == want }, "the queue holds %d messages", want)
}

// waitUntil waits for a condition, which is described for the failure.
func (p *pollerFixture) waitUntil(isTrue func() bool, format string, args ...any) {
	p.t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); !isTrue(); time.Sleep(5 * time.Millisecond) { // a guard against hanging
		if time.Now().After(deadline) {
			visible, hidden := p.countByVisibility(p.queue)
			p.t.Fatalf("waited in vain until %s: the queue holds %d visible and %d hidden messages; failures of the poller: %v",
				fmt.Sprintf(format, args...), visible, hidden, p.recordedFailures())
		}
	}
}

// makeVisible makes a received message visible at once, so that a visibility time-out can be longer than any delay.
func (p *pollerFixture) makeVisible(ctx context.Context, receipt string) error {
	_, err := p.client.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{QueueUrl: &p.queue, ReceiptHandle: &receipt})
	return err
}

func (p *pollerFixture) recordedFailures() []error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]error(nil), p.failed...)
}

func TestDoneMessagesAreDeleted(t *testing.T) {
	t.Parallel()
	p := newPollerFixture(t, 3)
	_, err := p.client.SendMessage(t.Context(), &sqs.SendMessageInput{
		QueueUrl: &p.queue, MessageBody: aws.String("hello"),
		MessageAttributes: map[string]types.MessageAttributeValue{"kind": {DataType: aws.String("String"), StringValue: aws.String("x")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := make(chan sqsEvent, 2)
	p.runPoller(lambda.Poller{
		Visibility: time.Hour, // what is deleted late is not delivered again
		Function: func(_ context.Context, e sqsEvent) (sqsResponse, error) {
			got <- e
			return sqsResponse{}, nil
		},
	})
	p.waitForCount(p.queue, 0)
	event := <-got
	if len(event.Records) != 1 {
		t.Fatalf("got %d records", len(event.Records))
	}
	r := event.Records[0]
	for _, name := range []string{"SenderId", "SentTimestamp", "ApproximateFirstReceiveTimestamp"} {
		if r.Attributes[name] == "" {
			t.Errorf("attribute %s is missing", name)
		}
	}
	if r.MessageId == "" || r.ReceiptHandle == "" || r.Md5OfBody == "" || r.Md5OfMessageAttributes == "" {
		t.Errorf("ids or digests are missing: %+v", r)
	}
	type fields struct{ body, source, region, receives, kind string }
	have := fields{r.Body, r.EventSource, r.AWSRegion, r.Attributes["ApproximateReceiveCount"], *r.MessageAttributes["kind"].StringValue}
	if want := (fields{"hello", "aws:sqs", "us-east-1", "1", "x"}); have != want {
		t.Errorf("got %+v, want %+v", have, want)
	}
	if failed := p.recordedFailures(); failed != nil {
		t.Errorf("failures: %v", failed)
	}
}

func TestOnlyTheFailedPartIsDeliveredAgain(t *testing.T) {
	t.Parallel()
	for name, ahead := range orders {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testOnlyTheFailedPartIsDeliveredAgain(t, ahead)
		})
	}
}

// orders are the orders in which a poller delivers messages, by its field Ahead.
var orders = map[string]int{"order of the queue": 0, "fair order": 100}

func testOnlyTheFailedPartIsDeliveredAgain(t *testing.T, ahead int) {
	p := newPollerFixture(t, 5)
	p.sendMessages("a", "b", "c")
	var mu sync.Mutex
	deliveries := map[string]int{}
	p.runPoller(lambda.Poller{Visibility: time.Hour, Ahead: ahead, Function: func(ctx context.Context, e sqsEvent) (r sqsResponse, err error) {
		mu.Lock()
		defer mu.Unlock()
		for _, m := range e.Records {
			deliveries[m.Body]++
			if m.Body == "b" && m.Attributes["ApproximateReceiveCount"] != "3" {
				r.BatchItemFailures = append(r.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
				err = p.makeVisible(ctx, m.ReceiptHandle)
			}
		}
		return r, err
	}})
	p.waitForCount(p.queue, 0)
	mu.Lock()
	defer mu.Unlock()
	if diff := cmp.Diff(map[string]int{"a": 1, "b": 3, "c": 1}, deliveries); diff != "" {
		t.Errorf("deliveries (-want +got):\n%s", diff)
	}
	if failed := p.recordedFailures(); failed != nil {
		t.Errorf("failures: %v", failed)
	}
}

// TestFailedInvocationsEndInTheDeadLetterQueue covers every way for a whole batch to fail: its messages are received
// exactly as often as the queue allows.
func TestFailedInvocationsEndInTheDeadLetterQueue(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	fail := func(ids ...string) func(context.Context) (r sqsResponse, _ error) {
		return func(context.Context) (r sqsResponse, _ error) {
			for _, id := range ids {
				r.BatchItemFailures = append(r.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: id})
			}
			return r, nil
		}
	}
	tests := []struct {
		name    string
		timeout time.Duration // 0 is the default
		f       func(context.Context) (sqsResponse, error)
		check   func(error) bool
	}{
		{"error", 0, func(context.Context) (sqsResponse, error) { return sqsResponse{}, broken }, func(err error) bool { return errors.Is(err, broken) }},
		{"panic", 0, func(context.Context) (sqsResponse, error) { panic("oh") }, func(err error) bool { return strings.HasPrefix(err.Error(), "panic: oh\n") }},
		{"time-out", time.Second, func(ctx context.Context) (sqsResponse, error) { <-ctx.Done(); return sqsResponse{}, nil }, func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
		{"empty id", 0, fail(""), func(err error) bool { return errors.Is(err, lambda.ErrBatchFailures) }},
		{"unknown id", 0, fail("unknown"), func(err error) bool { return errors.Is(err, lambda.ErrBatchFailures) }},
	}
	for _, tt := range tests {
		for order, ahead := range orders {
			t.Run(tt.name+" in "+order, func(t *testing.T) {
				t.Parallel()
				p := newPollerFixture(t, 2)
				p.sendMessages("a", "b")
				var mu sync.Mutex
				deliveries := map[string]int{}
				// One invocation at a time, so that few are in flight when both messages are in the dead-letter queue.
				p.runPoller(lambda.Poller{Timeout: tt.timeout, Concurrency: 1, Visibility: time.Second, Ahead: ahead, Function: func(ctx context.Context, e sqsEvent) (sqsResponse, error) {
					mu.Lock()
					for _, m := range e.Records {
						deliveries[m.Body]++
					}
					mu.Unlock()
					return tt.f(ctx)
				}})
				p.waitForCount(p.dead, 2)
				p.stop()
				mu.Lock()
				defer mu.Unlock()
				if diff := cmp.Diff(map[string]int{"a": 2, "b": 2}, deliveries); diff != "" {
					t.Errorf("deliveries (-want +got):\n%s", diff)
				}
				failed := p.recordedFailures()
				if len(failed) < 2 {
					t.Errorf("Failed was called %d times", len(failed))
				}
				for _, err := range failed {
					if errors.Is(err, context.Canceled) { // the stop ended an invocation in flight
						continue
					}
					if !tt.check(err) {
						t.Errorf("Failed was called with %v", err)
					}
				}
			})
		}
	}
}

func TestConcurrencyAndBatchSize(t *testing.T) {
	t.Parallel()
	p := newPollerFixture(t, 100)
	p.sendMessages("1", "2", "3", "4", "5", "6", "7")
	running := make(chan int, 7)
	release := make(chan struct{})
	var mu sync.Mutex
	now := 0
	most := 0
	p.runPoller(lambda.Poller{BatchSize: 1, Concurrency: 3, Visibility: time.Minute, Function: func(_ context.Context, e sqsEvent) (sqsResponse, error) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		running <- len(e.Records)
		<-release
		mu.Lock()
		now--
		mu.Unlock()
		return sqsResponse{}, nil
	}})
	for range 3 { // all slots fill while none is released
		if n := <-running; n != 1 {
			t.Errorf("a batch of %d, want 1", n)
		}
	}
	close(release)
	p.waitForCount(p.queue, 0)
	mu.Lock()
	defer mu.Unlock()
	if most != 3 {
		t.Errorf("at most %d ran at once, want 3", most)
	}
}

func TestStopLetsInvocationsFinish(t *testing.T) {
	t.Parallel()
	p := newPollerFixture(t, 100)
	p.sendMessages("a")
	started := make(chan struct{})
	release := make(chan struct{})
	p.runPoller(lambda.Poller{Grace: time.Minute, Visibility: time.Minute, Function: func(ctx context.Context, _ sqsEvent) (sqsResponse, error) {
		close(started)
		<-release
		return sqsResponse{}, ctx.Err()
	}})
	<-started
	go p.stop()
	close(release)
	p.stop()
	if n := p.countMessages(p.queue); n != 0 {
		t.Errorf("%d messages left, want none", n)
	}
}

func TestStopCancelsAfterItsGrace(t *testing.T) {
	t.Parallel()
	p := newPollerFixture(t, 100)
	p.sendMessages("a")
	started := make(chan struct{})
	p.runPoller(lambda.Poller{Visibility: time.Minute, Function: func(ctx context.Context, _ sqsEvent) (sqsResponse, error) {
		close(started)
		<-ctx.Done()
		return sqsResponse{}, ctx.Err()
	}})
	<-started
	p.stop()
	if failed := p.recordedFailures(); len(failed) != 1 || !errors.Is(failed[0], context.Canceled) {
		t.Errorf("failures: %v, want one context.Canceled", failed)
	}
	if n := p.countMessages(p.queue); n != 1 {
		t.Errorf("%d messages left, want the one", n)
	}
}

func TestFailedReceiveIsTold(t *testing.T) {
	t.Parallel()
	p := newPollerFixture(t, 1)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // hang guard
	defer cancel()
	var reported error
	poller := lambda.Poller{Client: p.client, QueueURL: p.queue + "-none", BatchSize: 1, Concurrency: 1, Failed: func(err error) {
		reported = err
		cancel()
	}}
	poller.Run(ctx)
	if _, ok := errors.AsType[*types.QueueDoesNotExist](reported); !ok {
		t.Errorf("Failed was called with %v, want QueueDoesNotExist", reported)
	}
}

func TestEnsureQueueTwice(t *testing.T) {
	t.Parallel()
	client := newQueueClient(t)
	name := "twice-" + rand.Text()
	visibility := 30 * time.Second
	maxReceives := 3
	var queues [2][2]string
	for i := range queues {
		var err error
		queues[i][0], queues[i][1], err = lambda.EnsureQueue(t.Context(), client, name, visibility, maxReceives)
		if err != nil {
			t.Fatal(err)
		}
		visibility = 90 * time.Second
		maxReceives = 5
	}
	if queues[0] != queues[1] || queues[0][0] == queues[0][1] {
		t.Errorf("the queues differ: %v", queues)
	}
	got, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: &queues[0][0], AttributeNames: []types.QueueAttributeName{"All"}})
	if err != nil {
		t.Fatal(err)
	}
	arns, err := client.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: &queues[0][1], AttributeNames: []types.QueueAttributeName{"QueueArn"}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"deadLetterTargetArn":"` + arns.Attributes["QueueArn"] + `","maxReceiveCount":5}`
	if got.Attributes["VisibilityTimeout"] != "90" || got.Attributes["RedrivePolicy"] != want {
		t.Errorf("attributes %v", got.Attributes)
	}
}
