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

// Requirement is an IAM action on a resource. On.Name is the deployed name; for objects,
// On.Part is the whole key.
type Requirement struct {
	Action string
	On     topology.Resource
}

// Requirements returns the IAM actions that an SDK call requires. A transaction requires
// the action of each of its parts and none of its own. For an unknown operation it
// returns an error.
func Requirements(call cloud.Call) ([]Requirement, error) {
	switch in := call.Input.(type) {
	case *dynamodb.GetItemInput:
		return tableRequirement("GetItem", in.TableName), nil
	case *dynamodb.PutItemInput:
		return tableRequirement("PutItem", in.TableName), nil
	case *dynamodb.UpdateItemInput:
		return tableRequirement("UpdateItem", in.TableName), nil
	case *dynamodb.DeleteItemInput:
		return tableRequirement("DeleteItem", in.TableName), nil
	case *dynamodb.QueryInput:
		return queryRequirement(in), nil
	case *dynamodb.BatchGetItemInput:
		return tableRequirements("BatchGetItem", in.RequestItems), nil
	case *dynamodb.BatchWriteItemInput:
		return tableRequirements("BatchWriteItem", in.RequestItems), nil
	case *dynamodb.TransactGetItemsInput:
		return transactionReadRequirements(in.TransactItems), nil
	case *dynamodb.TransactWriteItemsInput:
		return transactionWriteRequirements(in.TransactItems), nil
	case *sqs.SendMessageBatchInput:
		return []Requirement{{"sqs:SendMessage", topology.Resource{Kind: topology.Messages, Name: *in.QueueUrl}}}, nil
	case *sqs.SendMessageInput:
		return []Requirement{{"sqs:SendMessage", topology.Resource{Kind: topology.Messages, Name: *in.QueueUrl}}}, nil
	case *s3.PutObjectInput:
		return objectRequirement("s3:PutObject", *in.Bucket, *in.Key), nil
	case *s3.GetObjectInput:
		return objectRequirement("s3:GetObject", *in.Bucket, *in.Key), nil
	case *s3.DeleteObjectInput:
		return objectRequirement("s3:DeleteObject", *in.Bucket, *in.Key), nil
	}
	return nil, fmt.Errorf("%s.%s: say in local/testkit/iam which IAM actions it needs", call.Service, call.Operation)
}

func tableRequirement(action string, name *string) []Requirement {
	return []Requirement{{"dynamodb:" + action, topology.Resource{Kind: topology.Items, Name: *name}}}
}

func queryRequirement(in *dynamodb.QueryInput) []Requirement {
	need := tableRequirement("Query", in.TableName)
	if in.IndexName != nil {
		need[0].On.Kind = topology.Entries
		need[0].On.Part = *in.IndexName
	}
	return need
}

func tableRequirements[T any](action string, tables map[string]T) (needs []Requirement) {
	for name := range tables {
		needs = append(needs, tableRequirement(action, &name)...)
	}
	return needs
}

func objectRequirement(action, bucket, key string) []Requirement {
	return []Requirement{{action, topology.Resource{Kind: topology.Objects, Name: bucket, Part: key}}}
}

func transactionReadRequirements(items []types.TransactGetItem) (needs []Requirement) {
	for _, item := range items {
		needs = append(needs, tableRequirement("GetItem", item.Get.TableName)...)
	}
	return needs
}

func transactionWriteRequirements(items []types.TransactWriteItem) (needs []Requirement) {
	for _, item := range items {
		switch {
		case item.Put != nil:
			needs = append(needs, tableRequirement("PutItem", item.Put.TableName)...)
		case item.Update != nil:
			needs = append(needs, tableRequirement("UpdateItem", item.Update.TableName)...)
		case item.Delete != nil:
			needs = append(needs, tableRequirement("DeleteItem", item.Delete.TableName)...)
		case item.ConditionCheck != nil:
			needs = append(needs, tableRequirement("ConditionCheckItem", item.ConditionCheck.TableName)...)
		}
	}
	return needs
}
