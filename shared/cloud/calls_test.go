package cloud_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/testkit/cloudtest"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

type row struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	N  int    `dynamo:"n"`
}

// addItem counts on one item and reads the count behind the hook's back.
func addItem(t *testing.T, hook cloud.Hook) (count int, err error) {
	t.Helper()
	host := cloudtest.Host(t, nil, time.Now)
	plain := host.Opener().Table(topology.Accounts)
	host.AWS = cloud.WithHook(host.AWS, hook)
	hooked := host.Opener().Table(topology.Accounts)
	err = hooked.Update("pk", "a").Range("sk", "b").Add("n", 1).Run(t.Context())
	var got row
	readErr := plain.Get("pk", "a").Range("sk", dynamo.Equal, "b").Consistent(true).One(t.Context(), &got)
	if readErr != nil && !errors.Is(readErr, dynamo.ErrNotFound) {
		t.Fatal(readErr)
	}
	return got.N, err
}

func TestHookDecidesWhatBecomesOfAnAttempt(t *testing.T) {
	t.Parallel()
	final := errors.New("final")
	tests := []struct {
		name string
		hook cloud.Hook
		want int
		err  error
	}{
		{"observes", func(_ context.Context, _ cloud.Call, send func() error) error { return send() }, 1, nil},
		{"fails before", func(context.Context, cloud.Call, func() error) error { return final }, 0, final},
		{"fails after", cloudtest.Lose("UpdateItem", 1, final), 1, final},
		{"lost, then retried", cloudtest.Lose("UpdateItem", 1, cloudtest.Lost{}), 2, nil},
		{"happens twice", func(_ context.Context, _ cloud.Call, send func() error) error { return errors.Join(send(), send()) }, 2, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := addItem(t, tt.hook)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("counted %d, error %v; want %d, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestHookIsToldTheCall(t *testing.T) {
	t.Parallel()
	var got cloud.Call
	var calls cloudtest.Calls
	host := cloudtest.Host(t, nil, time.Now)
	host.AWS = cloud.WithHook(cloud.WithHook(host.AWS, calls.Hook), func(_ context.Context, call cloud.Call, send func() error) error {
		got = call
		return send()
	})
	table := host.Opener().Table(topology.Network)
	if err := table.Put(row{PK: "a", SK: "b"}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	in, ok := got.Input.(*dynamodb.PutItemInput)
	if !ok || *in.TableName != table.Name() || got.Service != "DynamoDB" || got.Operation != "PutItem" {
		t.Errorf("told %+v", got)
	}
	if diff := cmp.Diff([]string{"DynamoDB.PutItem"}, calls.Reset()); diff != "" {
		t.Errorf("counted (-want +got):\n%s", diff)
	}
}

func TestFailedOperationsNameTheirTables(t *testing.T) {
	t.Parallel()
	const tableARN = "arn:aws:dynamodb:eu-central-1:123456789012:table/accounts"
	failure := errors.New("injected")
	host := cloudtest.Host(t, nil, time.Now)
	host.AWS = cloud.WithHook(host.AWS, func(context.Context, cloud.Call, func() error) error { return failure })
	opener := host.Opener()
	accounts := opener.Table(topology.Accounts)
	network := opener.Table(topology.Network)
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
