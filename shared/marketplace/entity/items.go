package entity

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
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
	gone, _ := item[a.gone].(*types.AttributeValueMemberBOOL)
	s = State{Deleted: gone != nil && gone.Value, body: bytesIn(item[a.body]), rows: textsIn(item[a.rows])}
	s.Version, err = intIn(item[a.version])
	if err == nil {
		s.at, err = intIn(item[a.at])
	}
	return s, err
}

// intIn returns the number in an attribute, 0 if the item does not have it.
func intIn(value types.AttributeValue) (int64, error) {
	if value == nil {
		return 0, nil
	}
	n, ok := value.(*types.AttributeValueMemberN)
	if !ok {
		return 0, fmt.Errorf("an attribute of type %T is not a number", value)
	}
	return strconv.ParseInt(n.Value, 10, 64)
}

func bytesIn(value types.AttributeValue) []byte {
	if b, ok := value.(*types.AttributeValueMemberB); ok {
		return b.Value
	}
	return nil
}

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
