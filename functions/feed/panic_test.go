package feed_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
)

// An event on which the worker panics is brought back alone: its neighbours are
// applied, and the log says where it was, not what was read.
func TestPanicIsOfOneEvent(t *testing.T) {
	t.Parallel()
	b := newTestFeed(t)
	var log bytes.Buffer
	var broken atomic.Bool
	b.host.Log = slog.New(slog.NewTextHandler(&log, nil))
	b.host.AWS = cloud.WithHook(b.host.AWS, func(_ context.Context, _ cloud.Call, send func() error) error {
		if broken.CompareAndSwap(false, true) {
			panic("of ada@example.com")
		}
		return send()
	})
	worker, err := feed.New(t.Context(), b.host)
	if err != nil {
		t.Fatal(err)
	}
	var in events.SQSEvent
	for _, id := range []string{"one", "two", "three"} {
		in.Records = append(in.Records, events.SQSMessage{MessageId: id, Body: event("company.deleted", id, 1, nil)})
	}
	out, err := worker.Handle(t.Context(), in)
	if err != nil || len(out.BatchItemFailures) != 1 {
		t.Errorf("got %v, %v; want one of three back", out.BatchItemFailures, err)
	}
	if said := log.String(); strings.Contains(said, "ada@") || !strings.Contains(said, "panic_test.go") {
		t.Errorf("the log says %s", said)
	}
}
