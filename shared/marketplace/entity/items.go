package entity

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// attributeNames are the attributes of one entity in its item.
type attributeNames struct{ version, gone, body, rows, at string }

func attributesOf(part string) attributeNames {
	return attributeNames{part + "v", part + "gone", part + "body", part + "rows", part + "at"}
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

// stateOf reads an entity's attributes out of its item. It does so without reflection, because a
// page of a list reads hundreds.
func stateOf(item dynamo.Item, part string) (s State, err error) {
	a := attributesOf(part)
	if value, ok := item[a.version]; ok {
		s.Version, err = intIn(value)
	}
	if gone, ok := item[a.gone].(*types.AttributeValueMemberBOOL); ok {
		s.Deleted = gone.Value
	}
	if value, ok := item[a.at]; ok {
		at, atErr := intIn(value)
		s.at = at
		err = errors.Join(err, atErr)
	}
	s.body = bytesIn(item[a.body])
	s.rows = textsIn(item[a.rows])
	if value, ok := item[topology.DueIndex.Range]; ok && part == "" {
		due, dueErr := intIn(value)
		s.Due = time.UnixMilli(due)
		err = errors.Join(err, dueErr)
	}
	return s, err
}

// intIn returns the number in an attribute.
func intIn(value types.AttributeValue) (int64, error) {
	n, ok := value.(*types.AttributeValueMemberN)
	if !ok {
		return 0, fmt.Errorf("an attribute of type %T is not a number", value)
	}
	return strconv.ParseInt(n.Value, 10, 64)
}

// bytesIn returns the bytes in an attribute, nil if it has none.
func bytesIn(value types.AttributeValue) []byte {
	if b, ok := value.(*types.AttributeValueMemberB); ok {
		return b.Value
	}
	return nil
}

// textsIn returns the list of texts in an attribute, nil if it has none.
func textsIn(value types.AttributeValue) (all []string) {
	list, ok := value.(*types.AttributeValueMemberL)
	if !ok {
		return nil
	}
	for _, entry := range list.Value {
		all = append(all, textIn(entry))
	}
	return all
}

// textIn returns the text in an attribute, "" if it has none.
func textIn(value types.AttributeValue) string {
	if s, ok := value.(*types.AttributeValueMemberS); ok {
		return s.Value
	}
	return ""
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

// Shards are the partitions of the index by due time.
const Shards = cloud.Shards(16)
