package apikey

import (
	"github.com/guregu/dynamo/v2"

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
