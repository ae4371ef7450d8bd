package feed_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/functions/feed"
	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/local/testkit/iam"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

var now = time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)

// testFeed is the worker with its own tables, queues and bucket.
type testFeed struct {
	*feed.Service
	host cloud.Host
}

func newTestFeed(t testing.TB, hooks ...cloud.Hook) testFeed {
	t.Helper()
	h := cloudtest.System(t, nil, func() time.Time { return now })
	h.Log = slog.New(slog.DiscardHandler)
	for _, hook := range hooks {
		h.AWS = cloud.WithHook(h.AWS, hook)
	}
	s, err := feed.New(t.Context(), iam.RestrictHost(h, topology.Feed))
	if err != nil {
		t.Fatal(err)
	}
	return testFeed{s, h}
}

// newBulkFeed returns a service for bulk loads on the same tables.
func (b testFeed) newBulkFeed(t testing.TB) testFeed {
	t.Helper()
	s, err := feed.NewBulk(t.Context(), b.host)
	if err != nil {
		t.Fatal(err)
	}
	return testFeed{s, b.host}
}

// event is one event as JSON.
func event(kind, entityID string, version int64, data any) string {
	return eventAt(kind, entityID, version, now.Add(-time.Hour), data)
}

func eventAt(kind, entityID string, version int64, at time.Time, data any) string {
	e := object{"id": uuid.NewString(), "type": kind, "entityId": entityID, "version": version, "occurredAt": at.Format(time.RFC3339Nano)}
	if data != nil {
		e["data"] = data
	}
	body, err := json.Marshal(e)
	if err != nil {
		panic(err)
	}
	return string(body)
}

// apply applies events concurrently; none may fail. It returns how many were refused.
func (b testFeed) apply(t testing.TB, events ...string) int {
	t.Helper()
	refused := make([]string, len(events))
	g, ctx := errgroup.WithContext(t.Context())
	g.SetLimit(8)
	for i, e := range events {
		g.Go(func() (err error) { refused[i], err = b.Apply(ctx, e); return err })
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, r := range refused {
		if r != "" {
			count++
		}
	}
	return count
}

// deadLetters returns the messages of the dead-letter queue.
func (b testFeed) deadLetters(t testing.TB) (all []types.Message) {
	t.Helper()
	client := sqs.NewFromConfig(b.host.AWS)
	url := b.host.Getenv(topology.FeedQueue.DeadEnv)
	for {
		got, err := client.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{
			QueueUrl: &url, MaxNumberOfMessages: 10, VisibilityTimeout: 3600, MessageAttributeNames: []string{"All"},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Messages) == 0 {
			return all
		}
		all = append(all, got.Messages...)
	}
}

// objects lists the marketplace bucket.
func (b testFeed) objects(t testing.TB) []string {
	t.Helper()
	client := s3.NewFromConfig(b.host.AWS, func(o *s3.Options) { o.UsePathStyle = true })
	bucket := b.host.Getenv(topology.MarketplaceBucket.Env)
	var keys []string
	pages := s3.NewListObjectsV2Paginator(client, &s3.ListObjectsV2Input{Bucket: &bucket})
	for pages.HasMorePages() {
		page, err := pages.NextPage(context.WithoutCancel(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range page.Contents {
			if !strings.HasPrefix(*o.Key, topology.ErasuresPrefix) { // hashes, which stay
				keys = append(keys, *o.Key)
			}
		}
	}
	return keys
}
