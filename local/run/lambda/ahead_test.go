package lambda_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
)

// newBodies returns n different bodies.
func newBodies(n int) (bodies []string) {
	for i := range n {
		bodies = append(bodies, "a"+strconv.Itoa(i))
	}
	return bodies
}

// waitForHidden waits until want messages of the queue are hidden, fails if more ever are, and
// returns the number of visible ones.
func (p *pollerFixture) waitForHidden(want int) (visible int) {
	p.t.Helper()
	p.waitUntil(func() bool {
		var hidden int
		visible, hidden = p.countByVisibility(p.queue)
		if hidden > want {
			p.t.Fatalf("%d messages are hidden, want %d", hidden, want)
		}
		return hidden == want
	}, "%d messages are hidden", want)
	return visible
}

// waitForNextPoll waits until the poller receives again, and so has what it received before.
func (p *pollerFixture) waitForNextPoll() {
	p.t.Helper()
	p.calls.Reset()
	p.waitUntil(func() bool { return slices.Contains(p.calls.Reset(), "SQS.ReceiveMessage") }, "the poller receives again")
}

// blockedFunction is a function whose invocations wait until release is closed, and that records
// the messages in the order of the invocations.
type blockedFunction struct {
	release chan struct{}
	mu      sync.Mutex
	events  []sqsEvent
}

func (b *blockedFunction) handle(_ context.Context, e sqsEvent) (sqsResponse, error) {
	b.mu.Lock()
	b.events = append(b.events, e)
	b.mu.Unlock()
	<-b.release
	return sqsResponse{}, nil
}

func (b *blockedFunction) bodies() (all []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		all = append(all, e.Records[0].Body)
	}
	return all
}

// While 300 messages of one group wait, the message of another group is next.
func TestAMessageOfAnotherGroupIsNext(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct{ ahead, position int }{
		"order of the queue": {0, 300},
		"fair order":         {1000, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPollerFixture(t, 2)
			f := &blockedFunction{release: make(chan struct{})}
			p.sendGroup(aws.String("agency-a"), newBodies(300)...)
			p.runPoller(lambda.Poller{BatchSize: 1, Concurrency: 1, Visibility: time.Hour, Ahead: want.ahead, Function: f.handle})
			p.waitForHidden(map[bool]int{true: 1, false: 300}[want.ahead == 0]) // one of them runs
			p.sendGroup(aws.String("agency-b"), "b")
			if want.ahead > 0 {
				p.waitForHidden(301)
				p.waitForNextPoll()
			}
			close(f.release)
			p.waitForCount(p.queue, 0)
			got := f.bodies()
			if at := slices.Index(got, "b"); at != want.position || len(got) != 301 {
				t.Errorf("%d of %d messages came before that of the other group, want %d of 301", at, len(got), want.position)
			}
			last := f.events[slices.Index(got, "b")].Records[0]
			if group := last.Attributes["MessageGroupId"]; group != "agency-b" || len(last.MessageAttributes) != 0 || last.Attributes["ApproximateReceiveCount"] != "1" {
				t.Errorf("the function received %+v; want the group as a system attribute, and one receipt", last)
			}
			if failed := p.recordedFailures(); failed != nil {
				t.Errorf("failures: %v", failed)
			}
		})
	}
}

// At most Ahead messages wait outside the queue, and all are delivered eventually.
func TestAheadBoundsTheMessagesThatWait(t *testing.T) {
	t.Parallel()
	p := newPollerFixture(t, 2)
	f := &blockedFunction{release: make(chan struct{})}
	p.sendGroup(aws.String("agency-a"), newBodies(50)...)
	p.runPoller(lambda.Poller{BatchSize: 1, Concurrency: 2, Visibility: time.Hour, Ahead: 20, Function: f.handle})
	if visible := p.waitForHidden(20); visible != 30 { // two of them run, and a further ten would exceed Ahead
		t.Errorf("%d messages are in the queue, want 30", visible)
	}
	close(f.release)
	p.waitForCount(p.queue, 0)
	got := f.bodies()
	slices.Sort(got)
	got = slices.Compact(got)
	if len(got) != 50 {
		t.Errorf("%d messages were delivered, want 50", len(got))
	}
}

// A stop returns the waiting messages to the queue at once.
func TestAStopReturnsWaitingMessages(t *testing.T) {
	t.Parallel()
	p := newPollerFixture(t, 100)
	f := &blockedFunction{release: make(chan struct{})}
	p.sendGroup(aws.String("agency-a"), newBodies(30)...)
	p.runPoller(lambda.Poller{BatchSize: 1, Concurrency: 1, Visibility: time.Hour, Ahead: 100, Grace: time.Minute, Function: f.handle})
	p.waitForHidden(30)
	go p.stop()
	p.waitUntil(func() bool {
		visible, _ := p.countByVisibility(p.queue)
		return visible == 29
	}, "the waiting messages are visible")
	close(f.release)
	p.stop()
	if visible, hidden := p.countByVisibility(p.queue); visible != 29 || hidden != 0 {
		t.Errorf("%d messages are visible and %d hidden, want 29 and none", visible, hidden)
	}
}

// A message that waited so long that the queue delivers it again is left to that delivery.
func TestAMessageThatWaitedTooLongIsDropped(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	newMessage := func(id string) object {
		sum := md5.Sum([]byte(id))
		return object{"MessageId": id, "ReceiptHandle": id, "Body": id, "MD5OfBody": hex.EncodeToString(sum[:]), "Attributes": object{"MessageGroupId": "a"}}
	}
	ctx, stop := context.WithCancel(t.Context())
	var received atomic.Int32
	var deleted []string
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Entries []struct{ ID, ReceiptHandle string }
		}
		_ = json.NewDecoder(r.Body).Decode(&in)
		answer := object{}
		switch _, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), "."); operation {
		case "ReceiveMessage":
			if received.Add(1) == 1 {
				answer["Messages"] = []object{newMessage("late"), newMessage("in time")}
			} else {
				<-ctx.Done()
			}
		case "ChangeMessageVisibilityBatch": // the handle of the first one is not valid any more
			answer["Failed"] = []object{{"Id": in.Entries[0].ID, "Code": "ReceiptHandleIsInvalid", "SenderFault": true}}
			answer["Successful"] = []object{{"Id": in.Entries[1].ID}}
		case "DeleteMessageBatch":
			for _, e := range in.Entries {
				deleted = append(deleted, e.ReceiptHandle)
			}
			stop()
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		_ = json.NewEncoder(w).Encode(answer)
	}))
	defer service.Close()
	f := &blockedFunction{release: make(chan struct{})}
	close(f.release)
	poller := lambda.Poller{
		Client:   sqs.New(sqs.Options{BaseEndpoint: &service.URL, Region: "us-east-1", Credentials: aws.AnonymousCredentials{}}),
		QueueURL: service.URL + "/queue", Function: f.handle, BatchSize: 10, Concurrency: 1, Ahead: 10,
		Timeout: time.Minute, Visibility: 2 * time.Minute, Grace: time.Minute, Failed: func(err error) { t.Error(err) },
	}
	poller.Run(ctx)
	if diff := cmp.Diff([]string{"in time"}, f.bodies()); diff != "" || !slices.Equal(deleted, []string{"in time"}) {
		t.Errorf("deleted %v; processed (-want +got):\n%s", deleted, diff)
	}
}
