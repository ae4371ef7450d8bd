// Package cloudtest gives a test the real APIs: tables, queues and buckets of
// its own on the emulators that the test binary shares, and a host around them.
// It is for tests alone.
package cloudtest

import (
	"context"
	"io"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/emulator"
	"github.com/recruiting-marketplace/external-api/local/lambda"
	"github.com/recruiting-marketplace/external-api/local/resources"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// Table makes an empty table of the topology, this test's own.
func Table(t testing.TB, table topology.Table) dynamo.Table {
	t.Helper()
	h := Host(t, nil, time.Now, table)
	return must(h.Table(table))(t)
}

// Host makes a host whose tables are this test's own and empty; env adds
// settings, and now is the clock. Without tables named it has every table of the
// topology, and its queues and buckets too.
func Host(t testing.TB, env map[string]string, now func() time.Time, tables ...topology.Table) cloud.Host {
	t.Helper()
	services := []emulator.Service{emulator.DynamoDB}
	everything := len(tables) == 0
	if everything {
		services = append(services, emulator.SQS, emulator.S3)
		tables = topology.Tables
	}
	set := emulator.ForTest(t, services...)
	settings := set.Env()
	maps.Copy(settings, env)
	h := cloud.NewHost(func(name string) string { return settings[name] }, now, slog.New(slog.NewTextHandler(io.Discard, nil)))
	suffix := "-" + strings.ToLower(uuid.NewString())
	for _, table := range tables {
		settings[table.Env] = table.Name + suffix
		check(t, resources.Table(context.Background(), dynamodb.NewFromConfig(h.AWS), table, table.Name+suffix))
	}
	if everything {
		queuesAndBuckets(t, h, settings, suffix)
	}
	return h
}

func queuesAndBuckets(t testing.TB, h cloud.Host, settings map[string]string, suffix string) {
	t.Helper()
	ctx := context.Background()
	for _, q := range topology.Queues {
		spec := lambda.QueueSpec{Name: q.Name + suffix, Visibility: time.Second, MaxReceives: q.MaxReceives}
		made, _, err := lambda.EnsureQueue(ctx, sqs.NewFromConfig(h.AWS), spec)
		check(t, err)
		settings[q.Env] = made.URL
	}
	for _, b := range topology.Buckets {
		settings[b.Env] = b.Name + suffix
		client := s3.NewFromConfig(h.AWS, func(o *s3.Options) { o.UsePathStyle = true })
		check(t, resources.Bucket(ctx, client, b.Name+suffix))
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T { t.Helper(); check(t, err); return v }
}
