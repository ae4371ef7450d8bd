package entity

import (
	"errors"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// attributeNames are the attributes of one entity in its item.
type attributeNames struct{ version, gone, body, rows string }

func attributesOf(part string) attributeNames {
	return attributeNames{part + "v", part + "gone", part + "body", part + "rows"}
}

// rowItem is a row as it is stored.
type rowItem struct {
	PK   string `dynamo:"pk,hash"`
	SK   string `dynamo:"sk,range"`
	Body []byte `dynamo:"body,omitempty"`
}

func (r Row) newItem() (rowItem, error) {
	body, err := encodeBody(r.Body)
	if len(body) > 0 && err == nil && r.Deflated {
		body, err = deflateBody(body)
	}
	return rowItem{r.PK, r.SK, body}, err
}

// stateOf reads an entity's attributes out of its item.
func stateOf(item dynamo.Item, part string) (State, error) {
	var s State
	a := attributesOf(part)
	var errs []error
	for name, out := range map[string]any{a.version: &s.Version, a.gone: &s.Deleted, a.body: &s.body, a.rows: &s.rows} {
		if value, ok := item[name]; ok {
			errs = append(errs, dynamo.Unmarshal(value, out))
		}
	}
	if value, ok := item[topology.DueIndex.Range]; ok && part == "" {
		var due int64
		errs = append(errs, dynamo.Unmarshal(value, &due))
		s.Due = time.UnixMilli(due)
	}
	return s, errors.Join(errs...)
}

// rowNames returns the names of rows in the item that owns them: their keys. No key holds a
// line break.
func rowNames(rows []Row) []string {
	var names []string
	for _, r := range rows {
		names = append(names, r.PK+"\n"+r.SK)
	}
	return names
}

func splitRow(name string) (pk, sk string) {
	pk, sk, _ = strings.Cut(name, "\n")
	return pk, sk
}

// Shards is the number of partitions of the index by due time.
const Shards = 16

// shardOf spreads entities over the index.
func shardOf(id string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	return strconv.Itoa(int(h.Sum32() % Shards))
}
