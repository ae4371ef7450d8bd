package cloud

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go/middleware"
)

// addResourceNames adds a step to every client that puts the names of a failed operation's tables,
// queue or bucket behind the operation in the SDK's error, which names the operation only.
func addResourceNames(stack *middleware.Stack) error {
	return stack.Initialize.Add(middleware.InitializeMiddlewareFunc("ResourceNames", nameResources), middleware.Before)
}

func nameResources(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (middleware.InitializeOutput, middleware.Metadata, error) {
	out, meta, err := next.HandleInitialize(ctx, in)
	if err == nil {
		return out, meta, nil
	}
	if names := resourceNames(in.Parameters); names != "" {
		err = fmt.Errorf("%s: %w", names, err)
	}
	return out, meta, err
}

// resourceNames returns what an operation reads or writes, as "table network" or "table accounts+network";
// "" for an operation that no function calls. A key is not part of it: it can name a person.
func resourceNames(input any) string {
	if tables := tableNames(input); len(tables) > 0 {
		slices.Sort(tables)
		return "table " + strings.Join(slices.Compact(tables), "+")
	}
	switch in := input.(type) {
	case *sqs.SendMessageInput:
		return queueName(in.QueueUrl)
	case *sqs.SendMessageBatchInput:
		return queueName(in.QueueUrl)
	case *s3.GetObjectInput:
		return bucketName(in.Bucket)
	case *s3.PutObjectInput:
		return bucketName(in.Bucket)
	case *s3.DeleteObjectInput:
		return bucketName(in.Bucket)
	case *s3.DeleteObjectsInput:
		return bucketName(in.Bucket)
	case *s3.HeadObjectInput:
		return bucketName(in.Bucket)
	case *s3.CopyObjectInput:
		return bucketName(in.Bucket)
	case *s3.ListObjectsV2Input:
		return bucketName(in.Bucket)
	}
	return ""
}

func queueName(url *string) string { return "queue " + path.Base(aws.ToString(url)) }

func bucketName(bucket *string) string { return "bucket " + aws.ToString(bucket) }

// tableNames returns the tables of a DynamoDB operation, which may repeat.
func tableNames(input any) []string {
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.QueryInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.PutItemInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.UpdateItemInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.DeleteItemInput:
		return []string{aws.ToString(in.TableName)}
	case *dynamodb.BatchGetItemInput:
		return slices.Collect(maps.Keys(in.RequestItems))
	case *dynamodb.BatchWriteItemInput:
		return slices.Collect(maps.Keys(in.RequestItems))
	case *dynamodb.TransactGetItemsInput:
		return transactReadTables(in.TransactItems)
	case *dynamodb.TransactWriteItemsInput:
		return transactWriteTables(in.TransactItems)
	}
	return nil
}

func transactReadTables(items []types.TransactGetItem) (tables []string) {
	for _, item := range items {
		if item.Get != nil {
			tables = append(tables, aws.ToString(item.Get.TableName))
		}
	}
	return tables
}

func transactWriteTables(items []types.TransactWriteItem) (tables []string) {
	for _, item := range items {
		switch {
		case item.Put != nil:
			tables = append(tables, aws.ToString(item.Put.TableName))
		case item.Update != nil:
			tables = append(tables, aws.ToString(item.Update.TableName))
		case item.Delete != nil:
			tables = append(tables, aws.ToString(item.Delete.TableName))
		case item.ConditionCheck != nil:
			tables = append(tables, aws.ToString(item.ConditionCheck.TableName))
		}
	}
	return tables
}
