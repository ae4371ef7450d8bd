package cloudtest

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/uuid"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// create makes the table and answers its name.
func create(t testing.TB, host cloud.Host, table topology.Table) string {
	t.Helper()
	in := &dynamodb.CreateTableInput{
		TableName:            aws.String(table.Name + "-" + uuid.NewString()),
		BillingMode:          types.BillingModePayPerRequest,
		AttributeDefinitions: []types.AttributeDefinition{attribute(topology.PK, "S"), attribute(topology.SK, "S")},
		KeySchema:            schema(topology.PK, topology.SK),
	}
	for _, index := range table.Indexes {
		in.AttributeDefinitions = append(in.AttributeDefinitions, attribute(index.Hash, "S"), attribute(index.Range, "N"))
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: aws.String(index.Name), KeySchema: schema(index.Hash, index.Range),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		})
	}
	if _, err := dynamodb.NewFromConfig(host.AWS).CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	return *in.TableName
}

func attribute(name string, of types.ScalarAttributeType) types.AttributeDefinition {
	return types.AttributeDefinition{AttributeName: aws.String(name), AttributeType: of}
}

func schema(hash, sort string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: aws.String(hash), KeyType: types.KeyTypeHash},
		{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange},
	}
}
