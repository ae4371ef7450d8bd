// Package resources creates the tables, queues and buckets of the topology at any AWS
// endpoint: the emulators, LocalStack or an account. The result equals that of the
// deployment's template; creating a resource again changes nothing.
package resources

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/recruiting-marketplace/external-api/local/run/lambda"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// ErrIncompleteTable is wrapped by the error for a table that an earlier version created
// without one of its indexes.
var ErrIncompleteTable = errors.New("was made by an earlier version and cannot be changed; " +
	"remove it with its data (locally the directory that DATA_DIR names, or .local) and start again")

// EnsureTable creates a table under the given name, with its indexes and, if items expire, time to live,
// unless it exists. It fails with [ErrIncompleteTable] if it exists without an index. Items of a test do
// not expire: DynamoDB deletes them by its machine's clock, which is not the clock that a test moves.
func EnsureTable(ctx context.Context, client *dynamodb.Client, t topology.Table, name string, expires bool) error {
	made, err := client.CreateTable(ctx, NewCreateTableInput(t, name))
	if _, exists := errors.AsType[*types.ResourceInUseException](err); exists {
		return checkIndexes(ctx, client, t, name)
	}
	if err == nil && made.TableDescription.TableStatus != types.TableStatusActive { // in an account; emulators create it at once
		one := &dynamodb.DescribeTableInput{TableName: &name}
		err = dynamodb.NewTableExistsWaiter(client).Wait(ctx, one, 5*time.Minute)
	}
	if err != nil || !expires {
		return err
	}
	_, err = client.UpdateTimeToLive(ctx, &dynamodb.UpdateTimeToLiveInput{
		TableName:               &name,
		TimeToLiveSpecification: &types.TimeToLiveSpecification{AttributeName: aws.String(topology.TTL), Enabled: aws.Bool(true)},
	})
	return err
}

func checkIndexes(ctx context.Context, client *dynamodb.Client, t topology.Table, name string) error {
	out, err := client.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return fmt.Errorf("describe the table: %w", err)
	}
	for _, index := range t.Indexes {
		isIt := func(there types.GlobalSecondaryIndexDescription) bool { return *there.IndexName == index.Name }
		if !slices.ContainsFunc(out.Table.GlobalSecondaryIndexes, isIt) {
			return fmt.Errorf("the table %s lacks the index %s: it %w", name, index.Name, ErrIncompleteTable)
		}
	}
	return nil
}

// NewCreateTableInput returns the request that creates a table.
func NewCreateTableInput(t topology.Table, name string) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName:   &name,
		BillingMode: types.BillingModePayPerRequest,
		KeySchema:   keySchema(topology.PK, topology.SK),
	}
	defineAttribute(in, topology.PK, types.ScalarAttributeTypeS)
	defineAttribute(in, topology.SK, types.ScalarAttributeTypeS)
	for _, index := range t.Indexes {
		defineAttribute(in, index.Hash, types.ScalarAttributeTypeS)
		defineAttribute(in, index.Range, types.ScalarAttributeTypeN)
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName:  aws.String(index.Name),
			KeySchema:  keySchema(index.Hash, index.Range),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		})
	}
	return in
}

// defineAttribute adds the definition of an attribute unless it is there.
func defineAttribute(in *dynamodb.CreateTableInput, name string, kind types.ScalarAttributeType) {
	if !slices.ContainsFunc(in.AttributeDefinitions, func(d types.AttributeDefinition) bool { return *d.AttributeName == name }) {
		in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &name, AttributeType: kind})
	}
}

func keySchema(hash, sort string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: &hash, KeyType: types.KeyTypeHash},
		{AttributeName: &sort, KeyType: types.KeyTypeRange},
	}
}

// EnsureQueuesAndBuckets creates the queues and buckets of the topology unless they exist, under the names that name makes of
// theirs, and returns the variables that lead the functions to them.
func EnsureQueuesAndBuckets(ctx context.Context, cfg aws.Config, name func(string) string) (map[string]string, error) {
	env := map[string]string{}
	for _, q := range topology.Queues {
		queue, dead, err := lambda.EnsureQueue(ctx, sqs.NewFromConfig(cfg), name(q.Name), q.Visibility(), q.MaxReceives)
		if err != nil {
			return nil, err
		}
		env[q.Env] = queue
		if q.DeadEnv != "" {
			env[q.DeadEnv] = dead
		}
	}
	for _, b := range topology.Buckets {
		env[b.Env] = name(b.Name)
		client := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true })
		_, err := client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: aws.String(env[b.Env])})
		_, isOwned := errors.AsType[*s3types.BucketAlreadyOwnedByYou](err)
		_, exists := errors.AsType[*s3types.BucketAlreadyExists](err)
		isThere := isOwned || exists
		if err != nil && !isThere {
			return nil, err
		}
	}
	return env, nil
}
