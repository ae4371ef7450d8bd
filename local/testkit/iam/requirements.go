package iam

import (
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Requirements returns the IAM actions that an SDK call requires, of no function yet, on deployed names and, for objects, on
// whole keys. A transaction requires the action of each of its parts and none of its own. For an unknown operation it
// returns an error.
func Requirements(call cloud.Call) (needs []Access, err error) {
	needItems := func(action string, table *string) {
		needs = append(needs, Access{Action: "dynamodb:" + action, On: topology.Resource{Kind: topology.Items, Name: *table}})
	}
	needMessages := func(queue *string) {
		needs = append(needs, Access{Action: "sqs:SendMessage", On: topology.Resource{Kind: topology.Messages, Name: *queue}})
	}
	needObject := func(action string, bucket, key *string) {
		needs = append(needs, Access{Action: "s3:" + action, On: topology.Resource{Kind: topology.Objects, Name: *bucket, Part: *key}})
	}
	switch in := call.Input.(type) {
	case *dynamodb.GetItemInput:
		needItems("GetItem", in.TableName)
	case *dynamodb.PutItemInput:
		needItems("PutItem", in.TableName)
	case *dynamodb.UpdateItemInput:
		needItems("UpdateItem", in.TableName)
	case *dynamodb.DeleteItemInput:
		needItems("DeleteItem", in.TableName)
	case *dynamodb.QueryInput:
		needItems("Query", in.TableName)
		if in.IndexName != nil {
			needs[0].On.Kind = topology.Entries
			needs[0].On.Part = *in.IndexName
		}
	case *dynamodb.BatchGetItemInput:
		for table := range in.RequestItems {
			needItems("BatchGetItem", &table)
		}
	case *dynamodb.BatchWriteItemInput:
		for table := range in.RequestItems {
			needItems("BatchWriteItem", &table)
		}
	case *dynamodb.TransactGetItemsInput:
		for _, item := range in.TransactItems {
			needItems("GetItem", item.Get.TableName)
		}
	case *dynamodb.TransactWriteItemsInput:
		for _, item := range in.TransactItems {
			switch {
			case item.Put != nil:
				needItems("PutItem", item.Put.TableName)
			case item.Update != nil:
				needItems("UpdateItem", item.Update.TableName)
			case item.Delete != nil:
				needItems("DeleteItem", item.Delete.TableName)
			case item.ConditionCheck != nil:
				needItems("ConditionCheckItem", item.ConditionCheck.TableName)
			}
		}
	case *sqs.SendMessageBatchInput:
		needMessages(in.QueueUrl)
	case *sqs.SendMessageInput:
		needMessages(in.QueueUrl)
	case *s3.PutObjectInput:
		needObject("PutObject", in.Bucket, in.Key)
	case *s3.GetObjectInput:
		needObject("GetObject", in.Bucket, in.Key)
	case *s3.DeleteObjectInput:
		needObject("DeleteObject", in.Bucket, in.Key)
	default:
		return nil, fmt.Errorf("%s.%s: say in local/testkit/iam which IAM actions it needs", call.Service, call.Operation)
	}
	return needs, nil
}
