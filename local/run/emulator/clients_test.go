package emulator_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

var credentials = aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
	return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
})

func dynamoClient(endpoint string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{BaseEndpoint: &endpoint, Region: "us-east-1", Credentials: credentials})
}

func sqsClient(endpoint string) *sqs.Client {
	return sqs.New(sqs.Options{BaseEndpoint: &endpoint, Region: "us-east-1", Credentials: credentials})
}

func s3Client(endpoint string) *s3.Client {
	return s3.New(s3.Options{BaseEndpoint: &endpoint, Region: "us-east-1", Credentials: credentials})
}

func createTable(t *testing.T, db *dynamodb.Client, table string) {
	t.Helper()
	_, err := db.CreateTable(t.Context(), &dynamodb.CreateTableInput{
		TableName:            &table,
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{{AttributeName: aws.String("pk"), AttributeType: "S"}},
		KeySchema:            []types.KeySchemaElement{{AttributeName: aws.String("pk"), KeyType: "HASH"}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

func putItem(t *testing.T, db *dynamodb.Client, table, pk string) {
	t.Helper()
	_, err := db.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &table, Item: itemKey(pk)})
	if err != nil {
		t.Fatal(err)
	}
}

func hasItem(t *testing.T, db *dynamodb.Client, table, pk string) bool {
	t.Helper()
	got, err := db.GetItem(t.Context(), &dynamodb.GetItemInput{TableName: &table, Key: itemKey(pk)})
	if err != nil {
		t.Fatal(err)
	}
	return len(got.Item) > 0
}

func itemKey(pk string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{"pk": &types.AttributeValueMemberS{Value: pk}}
}
