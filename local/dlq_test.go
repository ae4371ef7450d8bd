package main

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// deadLetterFixture is a feed queue with dead letters, on which it runs commands.
type deadLetterFixture struct {
	t      *testing.T
	client *sqs.Client
	queue  string
	// refuse sends a body to the dead-letter queue, as a worker does.
	refuse func(body, reason string) error
	env    []string
}

func newDeadLetterFixture(t *testing.T) *deadLetterFixture {
	t.Helper()
	env := emulator.ForTest(t, emulator.SQS).Env()
	host := cloud.NewHost(func(name string) string { return env[name] }, time.Now, nil)
	b := &deadLetterFixture{t: t, client: sqs.NewFromConfig(host.AWS)}
	var dead string
	for _, q := range topology.Queues {
		made, itsDead, err := lambda.EnsureQueue(t.Context(), b.client, q.Name+"-"+uuid.NewString(), time.Hour, 3)
		if err != nil {
			t.Fatal(err)
		}
		b.env = append(b.env, q.Env+"="+made)
		if q.Name == topology.FeedQueue.Name {
			b.queue = made
			dead = itsDead
		}
	}
	for name, value := range env {
		b.env = append(b.env, name+"="+value)
	}
	b.env = append(b.env, "TABLE_ACCOUNTS=unused", runVariable+"=1", "PATH="+os.Getenv("PATH"))
	b.refuse = func(body, reason string) error { return refuseAsWorker(t, host, dead, body, reason) }
	if err := b.refuse("not JSON", "The event is no JSON."); err != nil {
		t.Fatal(err)
	}
	if _, err := b.client.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &dead, MessageBody: aws.String("private")}); err != nil {
		t.Fatal(err)
	}
	return b
}

// refuseAsWorker sends a dead letter like a worker that refuses a message.
func refuseAsWorker(t *testing.T, host cloud.Host, url, body, reason string) error {
	t.Helper()
	host.Getenv = func(string) string { return url }
	dead := messaging.OpenDeadLetters(host.Opener(), topology.FeedQueue)
	return dead.Refuse(t.Context(), body, reason)
}

// runCommand runs `local dlq …` as a process.
func (b *deadLetterFixture) runCommand(args ...string) (string, error) {
	b.t.Helper()
	command := exec.Command(os.Args[0], append([]string{"dlq"}, args...)...)
	command.Env = b.env
	out, err := command.CombinedOutput()
	return string(out), err
}

func TestDeadLettersAreListedAndRedriven(t *testing.T) {
	t.Parallel()
	b := newDeadLetterFixture(t)
	for _, c := range []struct {
		args       []string
		want, lack []string
	}{
		{[]string{"list"}, []string{"feed    2", "ingest  0"}, nil},
		{[]string{"list", "feed"}, []string{"The event is no JSON.", "tried too often"}, []string{"private", "not JSON"}},
		{[]string{"list", "feed", "--bodies"}, []string{"private", "not JSON"}, nil}, // listing gave them back
		{[]string{"redrive", "feed", "--max", "1"}, []string{"1 of 2 letters"}, nil},
		{[]string{"redrive", "feed"}, []string{"1 of 1 letters"}, nil},
		{[]string{"list"}, []string{"feed    0"}, nil},
	} {
		out, err := b.runCommand(c.args...)
		if err != nil {
			t.Fatalf("%v: %v\n%s", c.args, err, out)
		}
		for _, text := range c.want {
			if !strings.Contains(out, text) {
				t.Errorf("%v: got %q; want %q in it", c.args, out, text)
			}
		}
		for _, text := range c.lack {
			if strings.Contains(out, text) {
				t.Errorf("%v: got %q; want no %q in it", c.args, out, text)
			}
		}
	}
	var bodies []string
	for range 2 {
		out, err := b.client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &b.queue, MaxNumberOfMessages: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range out.Messages {
			bodies = append(bodies, *m.Body)
		}
	}
	if text := strings.Join(bodies, ","); len(bodies) != 2 || !strings.Contains(text, "private") || !strings.Contains(text, "not JSON") {
		t.Errorf("the queue has %q", bodies)
	}
}

// The drill of a redrive: 200 dead letters are back in their queue, each once.
func TestDrillRedrive(t *testing.T) {
	t.Parallel()
	const letters = 200
	b := newDeadLetterFixture(t)
	for n := range letters {
		if err := b.refuse("letter "+strconv.Itoa(n), "refused"); err != nil {
			t.Fatal(err)
		}
	}
	start := time.Now()
	out, err := b.runCommand("redrive", "feed")
	if err != nil || !strings.Contains(out, "202 of 202 letters") { // with those of the fixture
		t.Errorf("got %v, %s", err, out)
	}
	t.Logf("drill of a redrive: %d letters in %v", letters+2, time.Since(start))
	seen := map[string]int{}
	for received := 1; received > 0; {
		out, err := b.client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &b.queue, MaxNumberOfMessages: 10})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range out.Messages {
			seen[*m.Body]++
		}
		received = len(out.Messages)
	}
	for body, times := range seen {
		if times != 1 {
			t.Errorf("%q is in the queue %d times", body, times)
		}
	}
	if len(seen) != letters+2 {
		t.Errorf("%d letters are in the queue, want %d", len(seen), letters+2)
	}
}

func TestDeadLettersOfNoQueue(t *testing.T) {
	t.Parallel()
	b := newDeadLetterFixture(t)
	if out, err := b.runCommand("redrive", "mail"); err == nil || !strings.Contains(out, "the queues are ingest, feed") {
		t.Errorf("got %v, %q", err, out)
	}
}
