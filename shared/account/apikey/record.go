package apikey

import (
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Record is a key's item: one layout for the [Checker], which reads and counts, and for
// key administration, which writes. Times are epoch milliseconds, 0 for "never".
// Beside these fields the item holds the counters.
type Record struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	// Caller is what a request may know of the key.
	Caller
	RevokedAt  int64 `dynamo:"revokedAt,omitempty"`
	LastUsedAt int64 `dynamo:"lastUsedAt,omitempty"`
	// Disabled is set while the principal is switched off.
	Disabled bool `dynamo:"disabled,omitempty"`
}

// The attributes that conditions and updates name.
const (
	AttrName         = "name"
	AttrRevokedAt    = "revokedAt"
	AttrDisabled     = "disabled"
	AttrNetworkOff   = "networkOff"
	AttrPrimaryOwner = "primaryOwner"
	attrExpiresAt    = "expiresAt"
	attrLastUsed     = "lastUsedAt"
)

// RecordKey returns the partition and sort key of the key with this hash.
func RecordKey(hash string) (pk, sk string) { return itemkey.APIKey.Key(hash) }

// Update starts an update of the item of the key with this hash.
func Update(table dynamo.Table, hash string) *dynamo.Update {
	pk, sk := RecordKey(hash)
	return table.Update(topology.PK, pk).Range(topology.SK, sk)
}

const (
	// keptMinutes: a counter this young may still be some process's current
	// one, since clocks differ.
	keptMinutes = 2
	// staleEnough counters are worth one more update: about 100 bytes.
	staleEnough = 8
	// staleAtOnce bounds that update's expression; the rest waits for the next.
	staleAtOnce = 100
)

// storedKey is a key's whole item, with its counters and the last nonce of each tier.
type storedKey struct {
	Record
	item dynamo.Item
	// withinRate says that the request was counted.
	withinRate bool
}

// UnmarshalDynamoItem reads the record, and keeps the attributes that have no fixed name.
func (s *storedKey) UnmarshalDynamoItem(item dynamo.Item) error {
	s.item = item
	return cloud.DecodeItem(item, &s.Record)
}

// text returns the text or number that an attribute has; "" if the item lacks it.
func (s *storedKey) text(attribute string) string {
	switch v := s.item[attribute].(type) {
	case *types.AttributeValueMemberS:
		return v.Value
	case *types.AttributeValueMemberN:
		return v.Value
	}
	return ""
}

func (s *storedKey) count(w window) int {
	n, _ := strconv.Atoi(s.text(w.counterName())) // 0 if there is no counter
	return n
}
