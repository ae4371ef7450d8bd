package capacity_test

import (
	"fmt"
	"maps"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// templateItem is an item of a table.
type templateItem struct {
	table string
	item  map[string]types.AttributeValue
}

// scanAll returns all items of all tables.
func (s *scene) scanAll() (all []templateItem) {
	s.t.Helper()
	for _, table := range topology.Tables {
		for _, item := range s.scanTable(table) {
			all = append(all, templateItem{s.host.Getenv(table.Env), item})
		}
	}
	return all
}

// scanTable returns all items of a table.
func (s *scene) scanTable(table topology.Table) (items []map[string]types.AttributeValue) {
	s.t.Helper()
	pages := dynamodb.NewScanPaginator(s.rows, &dynamodb.ScanInput{TableName: new(s.host.Getenv(table.Env))})
	for pages.HasMorePages() {
		page, err := pages.NextPage(s.t.Context())
		s.must(err)
		items = append(items, page.Items...)
	}
	return items
}

// writeItems writes what it receives, 25 items a call.
func (s *scene) writeItems(items <-chan templateItem) error {
	batch := map[string][]types.WriteRequest{}
	size := 0
	flush := func() error {
		if size == 0 {
			return nil
		}
		out, err := s.rows.BatchWriteItem(s.t.Context(), &dynamodb.BatchWriteItemInput{RequestItems: maps.Clone(batch)})
		if err == nil && len(out.UnprocessedItems) > 0 {
			err = fmt.Errorf("items were left over")
		}
		clear(batch)
		size = 0
		return err
	}
	var failed error
	for i := range items {
		batch[i.table] = append(batch[i.table], types.WriteRequest{PutRequest: &types.PutRequest{Item: i.item}})
		size++
		if size == 25 && failed == nil {
			failed = flush()
		}
	}
	if failed == nil {
		failed = flush()
	}
	return failed
}
