package capacity_test

import (
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// addRead adds the units of a call that reads; nothing for other calls.
func (m *meter) addRead(input, result any) {
	switch in := input.(type) {
	case *dynamodb.GetItemInput:
		if out, ok := result.(*dynamodb.GetItemOutput); ok {
			m.addItem(*in.TableName, in.Key, out.Item, readFactor(in.ConsistentRead))
		}
	case *dynamodb.BatchGetItemInput:
		if out, ok := result.(*dynamodb.BatchGetItemOutput); ok {
			m.addBatch(in, out)
		}
	case *dynamodb.TransactGetItemsInput:
		if out, ok := result.(*dynamodb.TransactGetItemsOutput); ok {
			for i, one := range in.TransactItems {
				m.addItem(*one.Get.TableName, one.Get.Key, out.Responses[i].Item, 4)
			}
		}
	case *dynamodb.QueryInput:
		if out, ok := result.(*dynamodb.QueryOutput); ok {
			m.addQuery(in, out)
		}
	case *dynamodb.ScanInput:
		m.usage.add(m.tables[*in.TableName], "", "scan", "", capacity.Units{Reads: 1})
	}
}

// readFactor returns the cost of a call relative to an eventually consistent read.
func readFactor(consistent *bool) float64 {
	if aws.ToBool(consistent) {
		return 2
	}
	return 1
}

// addItem adds the read of an item. An item that does not exist costs as much as a small one.
func (m *meter) addItem(table string, key, found item, factor float64) {
	m.usage.add(m.tables[table], "", key.text(topology.PK), key.text(topology.SK), capacity.Units{Reads: factor * readUnits(found.size())})
}

func (m *meter) addBatch(in *dynamodb.BatchGetItemInput, out *dynamodb.BatchGetItemOutput) {
	for table, request := range in.RequestItems {
		found := map[string]item{}
		for _, i := range out.Responses[table] {
			found[encodeItem(keyOfItem(i))] = i
		}
		for _, key := range request.Keys {
			m.addItem(table, key, found[encodeItem(key)], readFactor(request.ConsistentRead))
		}
	}
}

// addQuery adds a query's units as DynamoDB reports them; a query that finds nothing costs as much
// as a small item.
func (m *meter) addQuery(in *dynamodb.QueryInput, out *dynamodb.QueryOutput) {
	table := m.tables[*in.TableName]
	units := max(readFactor(in.ConsistentRead)*readUnits(0), reportedUnits(out))
	hash := topology.PK
	index := ""
	for _, i := range table.Indexes {
		if i.Name == aws.ToString(in.IndexName) {
			hash = i.Hash
			index = i.Name
		}
	}
	pk := ""
	sk := ""
	if condition, ok := in.KeyConditions[hash]; ok {
		pk = item{hash: condition.AttributeValueList[0]}.text(hash)
	}
	if len(out.Items) > 0 {
		sk = item(out.Items[0]).text(topology.SK)
	}
	m.usage.add(table, index, pk, sk, capacity.Units{Reads: units})
}

func encodeItem(i item) string { return encodeValue(&types.AttributeValueMemberM{Value: i}) }

// encodeValue returns a text that is the same for equal values.
func encodeValue(value types.AttributeValue) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // attribute values can be encoded
	}
	return string(text)
}
