package cloudtest

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/local/run/emulator"
	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/local/run/resources"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// createTable creates the table under a unique name, which it returns.
func createTable(t testing.TB, host cloud.Host, table topology.Table) string {
	t.Helper()
	name := uniqueName(table.Name)
	if err := resources.EnsureTable(t.Context(), dynamodb.NewFromConfig(host.AWS), table, name, false); err != nil {
		t.Fatal(err)
	}
	return name
}

// System returns a host as [Host] does, with all queues and buckets of the topology in
// addition.
func System(t testing.TB, env map[string]string, now func() time.Time) cloud.Host {
	t.Helper()
	settings := emulator.ForTest(t, emulator.DynamoDB, emulator.SQS, emulator.S3).Env()
	for name, value := range env {
		settings[name] = value
	}
	h := cloud.NewHost(func(name string) string { return settings[name] }, now, slog.New(slog.DiscardHandler))
	for _, q := range topology.Queues {
		spec := lambda.QueueSpec{Name: uniqueName(q.Name), Visibility: q.Visibility(), MaxReceives: q.MaxReceives}
		made, dead, err := lambda.EnsureQueue(t.Context(), sqs.NewFromConfig(h.AWS), spec)
		if err != nil {
			t.Fatal(err)
		}
		settings[q.Env] = made.URL
		if q.DeadEnv != "" {
			settings[q.DeadEnv] = dead.URL
		}
	}
	for _, b := range topology.Buckets {
		settings[b.Env] = uniqueName(b.Name)
		client := s3.NewFromConfig(h.AWS, func(o *s3.Options) { o.UsePathStyle = true })
		if err := resources.EnsureBucket(t.Context(), client, settings[b.Env]); err != nil {
			t.Fatal(err)
		}
	}
	return Host(t, settings, now)
}

// uniqueName returns the name with a random suffix.
func uniqueName(name string) string { return name + "-" + strings.ToLower(uuid.NewString()) }
