package messaging_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go/middleware"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/messaging"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A function that cannot start names the queues that it lacks.
func TestOpenRecordsWhatIsMissing(t *testing.T) {
	t.Parallel()
	o := cloud.NewHost(func(string) string { return "" }, time.Now, slog.New(slog.DiscardHandler)).Opener()
	messaging.Open(o, topology.IngestQueue)
	messaging.OpenDeadLetters(o, topology.FeedQueue)
	for _, name := range []string{topology.IngestQueue.Env, topology.FeedQueue.DeadEnv} {
		if err := o.Err(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named in: %v", name, err)
		}
	}
}

// A message carries the trace of the context in which it is sent, unless it has its own, in the
// system attribute from which its worker reads it.
func TestMessagesCarryTheTrace(t *testing.T) {
	t.Parallel()
	host := cloudtest.System(t, nil, time.Now)
	const sampleTrace, own = "1-5759e988-bd862e3fe1be46a994272793", "1-00000001-000000000000000000000001"
	var got []string
	host.AWS = cloud.WithHook(host.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		for _, entry := range call.Input.(*sqs.SendMessageBatchInput).Entries {
			attributes := map[string]string{}
			for name, value := range entry.MessageSystemAttributes {
				attributes[name] = *value.StringValue
			}
			got = append(got, cloud.TraceOf(cloud.WithMessageTrace(t.Context(), attributes)))
		}
		return send()
	})
	queue := messaging.Open(host.Opener(), topology.IngestQueue)
	for _, ctx := range []context.Context{cloud.WithTrace(t.Context(), sampleTrace), t.Context()} {
		for _, err := range queue.Send(ctx, []cloud.Message{{Body: "a"}, {Body: "b", Trace: own}}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := []string{sampleTrace, own, "", own}; !slices.Equal(got, want) {
		t.Errorf("got the traces %q, want %q", got, want)
	}
}

// Ids in a response that are not those of the messages are passed over.
func TestUnknownIdsAcceptNoMessage(t *testing.T) {
	t.Parallel()
	host := cloudtest.System(t, nil, time.Now)
	respond := func(
		context.Context, middleware.InitializeInput, middleware.InitializeHandler,
	) (out middleware.InitializeOutput, meta middleware.Metadata, err error) {
		accepted := []types.SendMessageBatchResultEntry{{}, {Id: new("-1")}, {Id: new("2")}, {Id: new("x")}, {Id: new("1")}}
		out.Result = &sqs.SendMessageBatchOutput{Successful: accepted}
		return out, meta, nil
	}
	host.AWS.APIOptions = append(slices.Clone(host.AWS.APIOptions), func(stack *middleware.Stack) error {
		return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("Respond", respond), middleware.Before)
	})
	queue := messaging.Open(host.Opener(), topology.IngestQueue)
	errs := queue.Send(t.Context(), []cloud.Message{{Body: "a"}, {Body: "b"}})
	if !errors.Is(errs[0], messaging.ErrRefused) || errs[1] != nil {
		t.Errorf("got %v; want the first message refused", errs)
	}
}

// A call that fails as a whole fails its ten messages, and no message of another call.
func TestACallFailsItsOwnMessages(t *testing.T) {
	t.Parallel()
	host := cloudtest.System(t, nil, time.Now)
	errDown := errors.New("down")
	host.AWS = cloud.WithHook(host.AWS, func(_ context.Context, call cloud.Call, send func() error) error {
		if *call.Input.(*sqs.SendMessageBatchInput).Entries[0].MessageBody == "m10" {
			return errDown
		}
		return send()
	})
	messages := make([]cloud.Message, 23)
	for i := range messages {
		messages[i].Body = "m" + strconv.Itoa(i)
	}
	for i, err := range messaging.Open(host.Opener(), topology.IngestQueue).Send(t.Context(), messages) {
		if isFailed := i >= 10 && i < 20; errors.Is(err, errDown) != isFailed || !isFailed && err != nil {
			t.Errorf("message %d: %v", i, err)
		}
	}
}
