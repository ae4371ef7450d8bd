// Command sdk serves GET /identity with the AWS SDK alone, as a short program would: it counts the
// request on the key's item, reads the account, and returns both.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log"
	"os"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

var table = os.Getenv("TABLE_ACCOUNTS")

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func main() {
	cfg, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	client := dynamodb.NewFromConfig(cfg)
	lambda.Start(func(ctx context.Context, event events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error) {
		return identity(ctx, client, strings.TrimPrefix(event.Headers["authorization"], "Bearer "))
	})
}

func identity(ctx context.Context, client *dynamodb.Client, key string) (out events.APIGatewayV2HTTPResponse, err error) {
	hash := sha256.Sum256([]byte(key))
	counted, err := client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: &table, Key: map[string]types.AttributeValue{"pk": text("K#" + hex.EncodeToString(hash[:])), "sk": text("K")},
		UpdateExpression: aws.String("ADD used :one"), ConditionExpression: aws.String("attribute_exists(pk)"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
		ReturnValues:              types.ReturnValueAllNew,
	})
	if err != nil {
		return out, err
	}
	account, err := client.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: &table, Key: map[string]types.AttributeValue{"pk": text("A#" + os.Getenv("AGENCY")), "sk": text("A")},
		ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return out, err
	}
	body, err := json.Marshal(map[string]any{"key": counted.Attributes, "agency": account.Item})
	out.StatusCode = 200
	out.Headers = map[string]string{"content-type": "application/json"}
	out.Body = string(body)
	return out, err
}
