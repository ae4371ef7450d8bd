package iam

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Need is an IAM action on a resource. The resource's name is the deployed one,
// the part of objects the whole key.
type Need struct {
	Action string
	On     topology.Resource
}

// Needs maps an SDK operation to the IAM actions that it takes. A transaction
// needs the action of each of its parts and none of its own.
func Needs(call cloud.Call) ([]Need, error) {
	switch in := call.Input.(type) {
	case *dynamodb.GetItemInput:
		return table("GetItem", in.TableName), nil
	case *dynamodb.PutItemInput:
		return table("PutItem", in.TableName), nil
	case *dynamodb.UpdateItemInput:
		return table("UpdateItem", in.TableName), nil
	case *dynamodb.DeleteItemInput:
		return table("DeleteItem", in.TableName), nil
	case *dynamodb.QueryInput:
		return query(in), nil
	case *dynamodb.BatchGetItemInput:
		return each("BatchGetItem", in.RequestItems), nil
	case *dynamodb.BatchWriteItemInput:
		return each("BatchWriteItem", in.RequestItems), nil
	case *dynamodb.TransactGetItemsInput:
		return transactionReads(in.TransactItems), nil
	case *dynamodb.TransactWriteItemsInput:
		return transactionWrites(in.TransactItems), nil
	case *sqs.SendMessageBatchInput:
		return []Need{{"sqs:SendMessage", topology.Resource{Kind: topology.Messages, Name: *in.QueueUrl}}}, nil
	case *sqs.SendMessageInput:
		return []Need{{"sqs:SendMessage", topology.Resource{Kind: topology.Messages, Name: *in.QueueUrl}}}, nil
	case *s3.PutObjectInput:
		return object("s3:PutObject", *in.Bucket, *in.Key), nil
	case *s3.GetObjectInput:
		return object("s3:GetObject", *in.Bucket, *in.Key), nil
	case *s3.DeleteObjectInput:
		return object("s3:DeleteObject", *in.Bucket, *in.Key), nil
	}
	return nil, fmt.Errorf("%s.%s: say in local/iam which IAM actions it needs", call.Service, call.Operation)
}

func table(action string, name *string) []Need {
	return []Need{{"dynamodb:" + action, topology.Resource{Kind: topology.Items, Name: *name}}}
}

func query(in *dynamodb.QueryInput) []Need {
	need := table("Query", in.TableName)
	if in.IndexName != nil {
		need[0].On.Kind, need[0].On.Part = topology.Entries, *in.IndexName
	}
	return need
}

func each[T any](action string, tables map[string]T) (needs []Need) {
	for name := range tables {
		needs = append(needs, table(action, &name)...)
	}
	return needs
}

func object(action, bucket, key string) []Need {
	return []Need{{action, topology.Resource{Kind: topology.Objects, Name: bucket, Part: key}}}
}

func transactionReads(items []types.TransactGetItem) (needs []Need) {
	for _, item := range items {
		needs = append(needs, table("GetItem", item.Get.TableName)...)
	}
	return needs
}

func transactionWrites(items []types.TransactWriteItem) (needs []Need) {
	for _, item := range items {
		switch {
		case item.Put != nil:
			needs = append(needs, table("PutItem", item.Put.TableName)...)
		case item.Update != nil:
			needs = append(needs, table("UpdateItem", item.Update.TableName)...)
		case item.Delete != nil:
			needs = append(needs, table("DeleteItem", item.Delete.TableName)...)
		case item.ConditionCheck != nil:
			needs = append(needs, table("ConditionCheckItem", item.ConditionCheck.TableName)...)
		}
	}
	return needs
}
