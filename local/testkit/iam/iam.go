// Package iam enforces the functions' grants on this machine, as IAM does in an
// account: it checks every AWS call of a function and refuses those that the topology
// does not grant. A missing grant thus fails a test and not a deployment.
//
// It also records the granted calls, which lets a test find unused grants. It knows
// the IAM actions of the operations that the functions call, and refuses any other
// operation until it is added to requirementsOf.
package iam

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Access is one action of a function on a resource. For objects, On.Part is the granted
// prefix, or the first segment of the key if none is granted.
type Access struct {
	Function, Action string
	On               topology.Resource
}

// String returns the access as a line of a record: "function: action on kind name".
func (u Access) String() string { return u.Function + ": " + u.Action + " on " + u.On.String() }

// recorded has every access of the hosts of this process that [RestrictHost] returned, with whether it was granted.
var recorded sync.Map

// Accesses returns those of this process that were granted, or those that were refused, sorted.
func Accesses(granted bool) (chosen []Access) {
	for access, allowed := range recorded.Range {
		if allowed == granted {
			chosen = append(chosen, access.(Access))
		}
	}
	slices.SortFunc(chosen, func(a, b Access) int { return strings.Compare(a.String(), b.String()) })
	return chosen
}

// RestrictHost returns a host with AWS calls limited to the grants of a function. Deployed names are looked up in the host's
// environment.
func RestrictHost(h cloud.Host, function topology.Function) cloud.Host {
	variables := topology.Environment()
	h.AWS = cloud.WithHook(h.AWS, enforce(function, func(resource topology.Resource) (topology.Resource, bool) {
		for name, logical := range variables {
			if h.Getenv(name) != resource.Name {
				continue
			}
			resource.Name = logical.Name
			if logical.Kind == topology.Dead { // asked for as any messages are
				resource.Kind = topology.Dead
			}
			return resource, true
		}
		return resource, false
	}))
	return h
}

// enforce returns a hook that records every access and refuses a call with one that is not granted. resolve returns the resource of
// the topology that has a deployed name or URL.
func enforce(function topology.Function, resolve func(deployed topology.Resource) (logical topology.Resource, ok bool)) cloud.Hook {
	return func(_ context.Context, call cloud.Call, send func() error) error {
		required, err := requirementsOf(call)
		if err != nil {
			return err
		}
		for _, access := range required {
			on, ok := resolve(access.On)
			if !ok {
				return fmt.Errorf("function %s: %s on %s, which the topology does not have", function.Name, access.Action, access.On)
			}
			granted, allowed := function.Allows(access.Action, on)
			if !allowed {
				granted = on
				if on.Kind == topology.Objects { // the first segment of a key identifies no person
					first, _, _ := strings.Cut(on.Part, "/")
					granted.Part = first + "/"
				}
			}
			access.Function = function.Name
			access.On = granted
			recorded.Store(access, allowed)
			if !allowed {
				return fmt.Errorf("%s is not granted: enter it in shared/cloud/topology", access)
			}
		}
		return send()
	}
}

// requirementsOf returns the IAM actions that an SDK call requires, of no function yet, on deployed names and, for objects, on
// whole keys. A transaction requires the action of each of its parts and none of its own. For an unknown operation it
// returns an error.
func requirementsOf(call cloud.Call) (needs []Access, err error) {
	need := func(action string, kind topology.Kind, name *string, part string) {
		needs = append(needs, Access{Action: action, On: topology.Resource{Kind: kind, Name: *name, Part: part}})
	}
	needItems := func(action string, table *string) { need("dynamodb:"+action, topology.Items, table, "") }
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
		need("sqs:SendMessage", topology.Messages, in.QueueUrl, "")
	case *sqs.SendMessageInput:
		need("sqs:SendMessage", topology.Messages, in.QueueUrl, "")
	case *s3.PutObjectInput:
		need("s3:PutObject", topology.Objects, in.Bucket, *in.Key)
	case *s3.GetObjectInput:
		need("s3:GetObject", topology.Objects, in.Bucket, *in.Key)
	case *s3.DeleteObjectInput:
		need("s3:DeleteObject", topology.Objects, in.Bucket, *in.Key)
	default:
		return nil, fmt.Errorf("%s.%s: say in local/testkit/iam which IAM actions it needs", call.Service, call.Operation)
	}
	return needs, nil
}
