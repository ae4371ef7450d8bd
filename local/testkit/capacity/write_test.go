package capacity_test

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/infra/capacity"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// writtenKey is the key of an item that a call writes, or whose condition a transaction checks.
type writtenKey struct {
	table         string
	key           map[string]types.AttributeValue
	transactional bool
}

// writtenKeys returns the keys of the items that a call writes; none for other calls.
func writtenKeys(input any) (keys []writtenKey) {
	switch in := input.(type) {
	case *dynamodb.PutItemInput:
		keys = append(keys, writtenKey{*in.TableName, keyOfItem(in.Item), false})
	case *dynamodb.UpdateItemInput:
		keys = append(keys, writtenKey{*in.TableName, in.Key, false})
	case *dynamodb.DeleteItemInput:
		keys = append(keys, writtenKey{*in.TableName, in.Key, false})
	case *dynamodb.BatchWriteItemInput:
		for table, requests := range in.RequestItems {
			for _, r := range requests {
				if r.PutRequest != nil {
					keys = append(keys, writtenKey{table, keyOfItem(r.PutRequest.Item), false})
				} else {
					keys = append(keys, writtenKey{table, r.DeleteRequest.Key, false})
				}
			}
		}
	case *dynamodb.TransactWriteItemsInput:
		for _, action := range in.TransactItems {
			keys = append(keys, keyOfAction(action))
		}
	}
	return keys
}

func keyOfAction(action types.TransactWriteItem) writtenKey {
	switch {
	case action.Put != nil:
		return writtenKey{*action.Put.TableName, keyOfItem(action.Put.Item), true}
	case action.Update != nil:
		return writtenKey{*action.Update.TableName, action.Update.Key, true}
	case action.Delete != nil:
		return writtenKey{*action.Delete.TableName, action.Delete.Key, true}
	}
	return writtenKey{*action.ConditionCheck.TableName, action.ConditionCheck.Key, true}
}

func keyOfItem(i item) map[string]types.AttributeValue { return i.project(topology.PK, topology.SK) }

// addWrite adds a write of an item, and its cost in each index. The write costs by the larger of
// the states before and after it, and twice as much in a transaction.
func (m *meter) addWrite(key writtenKey, before, after item) {
	table := m.tables[key.table]
	factor := 1.0
	if key.transactional {
		factor = 2
	}
	pk := item(key.key).text(topology.PK)
	sk := item(key.key).text(topology.SK)
	largest := max(before.size(), after.size())
	m.usage.add(table, "", pk, sk, capacity.Units{Writes: factor * writeUnits(largest)})
	form := table.Name + " " + partitionForm(table, pk, sk)
	m.usage.largest[form] = max(m.usage.largest[form], largest)
	for _, index := range table.Indexes {
		m.addIndexWrite(table, index, before, after)
	}
}

// addIndexWrite adds the cost of a write in an index: one write for an entry that is added, removed
// or changed, two for one whose key changes.
func (m *meter) addIndexWrite(table topology.Table, index topology.Index, before, after item) {
	was := indexEntry(index, before)
	is := indexEntry(index, after)
	moved := was != nil && is != nil && !sameValues(was.project(index.Hash, index.Range), is.project(index.Hash, index.Range))
	if was != nil && is != nil && !moved {
		if !sameValues(was, is) {
			m.addEntry(table, index, is, max(was.size(), is.size()))
		}
		return
	}
	for _, entry := range []item{was, is} {
		if entry != nil {
			m.addEntry(table, index, entry, entry.size())
		}
	}
}

// addEntry adds the write of an index's entry.
func (m *meter) addEntry(table topology.Table, index topology.Index, entry item, size int) {
	m.usage.add(table, index.Name, entry.text(index.Hash), "", capacity.Units{Writes: writeUnits(size)})
}

// indexEntry returns an item's entry in an index; nil if it has none.
func indexEntry(index topology.Index, i item) item {
	return i.project(topology.PK, topology.SK, index.Hash, index.Range)
}

func sameValues(a, b item) bool {
	for name, value := range a {
		if b[name] == nil || encodeValue(value) != encodeValue(b[name]) {
			return false
		}
	}
	return len(a) == len(b)
}
