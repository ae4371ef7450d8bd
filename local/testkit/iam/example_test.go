package iam_test

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/local/testkit/iam"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// A transaction requires the action of each of its parts.
func ExampleRequirements() {
	table := aws.String("rmk-dev-accounts")
	requirements, err := iam.Requirements(cloud.Call{Input: &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: table}},
		{ConditionCheck: &types.ConditionCheck{TableName: table}},
	}}})
	for _, r := range requirements {
		fmt.Println(r.Action, "on", r.On)
	}
	fmt.Println(err)
	// Output:
	// dynamodb:PutItem on table rmk-dev-accounts
	// dynamodb:ConditionCheckItem on table rmk-dev-accounts
	// <nil>
}

// A call without a grant is refused before it is sent.
func ExampleEnforcer_Hook() {
	enforcer := iam.Enforcer{
		Function: topology.Function{Name: "platform"},
		Resolve:  func(deployed topology.Resource) (topology.Resource, bool) { return topology.Accounts.Items(), true },
		Record:   &iam.Record{},
	}
	call := cloud.Call{Input: &dynamodb.GetItemInput{TableName: aws.String("rmk-dev-accounts")}}
	err := enforcer.Hook(context.Background(), call, func() error { fmt.Println("sent"); return nil })
	fmt.Println(err)
	// Output:
	// platform: dynamodb:GetItem on table accounts is not granted: enter it in shared/cloud/topology
}
