package cloud_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

func TestFailedOperationsNameTheirTables(t *testing.T) {
	t.Parallel()
	const tableARN = "arn:aws:dynamodb:eu-central-1:123456789012:table/accounts"
	failure := errors.New("injected")
	host := cloudtest.Host(t, nil, time.Now)
	host.AWS = cloud.WithHook(host.AWS, func(context.Context, cloud.Call, func() error) error { return failure })
	opener := host.Opener()
	accounts, network := opener.Table(topology.Accounts), opener.Table(topology.Network)
	ctx := t.Context()
	tests := []struct {
		name, want string
		run        func() error
	}{
		{"get", "operation error DynamoDB: GetItem, table " + accounts.Name(), func() error {
			return accounts.Get("pk", "a").Range("sk", dynamo.Equal, "b").One(ctx, &row{})
		}},
		{"get by ARN", "operation error DynamoDB: GetItem, table " + tableARN, func() error {
			return dynamo.New(host.AWS).Table(tableARN).Get("pk", "a").Range("sk", dynamo.Equal, "b").One(ctx, &row{})
		}},
		{"query", "operation error DynamoDB: Query, table " + accounts.Name(), func() error {
			return accounts.Get("pk", "a").All(ctx, &[]row{})
		}},
		{"update", "operation error DynamoDB: UpdateItem, table " + network.Name(), func() error {
			return network.Update("pk", "a").Range("sk", "b").Set("n", 1).Run(ctx)
		}},
		{"batch", "operation error DynamoDB: BatchGetItem, table " + network.Name(), func() error {
			return network.Batch("pk", "sk").Get(dynamo.Keys{"a", "b"}).All(ctx, &[]row{})
		}},
		{"transaction", "operation error DynamoDB: TransactWriteItems, table " + accounts.Name() + "+" + network.Name(), func() error {
			return opener.Write().Put(network.Put(row{PK: "a", SK: "b"})).Delete(accounts.Delete("pk", "a").Range("sk", "b")).
				Put(accounts.Put(row{PK: "c", SK: "d"})).Run(ctx)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := tt.run()
			if !errors.Is(err, failure) || !strings.HasPrefix(err.Error(), tt.want+":") {
				t.Errorf("got %v; want %s: …", err, tt.want)
			}
		})
	}
}
