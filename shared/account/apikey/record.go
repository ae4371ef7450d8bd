package apikey

import (
	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
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

	ID          string           `dynamo:"id"`
	Name        string           `dynamo:"name"`
	Type        contract.KeyType `dynamo:"type"`
	Principal   string           `dynamo:"principal"`
	Creator     string           `dynamo:"creator"`
	Scopes      []contract.Scope `dynamo:"scopes"`
	Environment string           `dynamo:"environment"`
	Last4       string           `dynamo:"last4"`
	CreatedAt   int64            `dynamo:"createdAt"`
	ExpiresAt   int64            `dynamo:"expiresAt,omitempty"`
	RevokedAt   int64            `dynamo:"revokedAt,omitempty"`
	LastUsedAt  int64            `dynamo:"lastUsedAt,omitempty"`
	// Disabled is set while the principal is switched off.
	Disabled bool `dynamo:"disabled,omitempty"`
	// NetworkOff is set while the principal is an agency without Talent Network access.
	NetworkOff bool `dynamo:"networkOff,omitempty"`
	// PrimaryOwner is the id of the agency's primary owner; empty for a recruiter.
	PrimaryOwner string `dynamo:"primaryOwner,omitempty"`
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

// toCaller returns what a request may know of the record.
func (r Record) toCaller() Caller {
	return Caller{
		KeyID: r.ID, KeyName: r.Name, Last4: r.Last4, Environment: r.Environment,
		Type: r.Type, Principal: r.Principal, Creator: r.Creator,
		Scopes: r.Scopes, NetworkOff: r.NetworkOff, PrimaryOwner: r.PrimaryOwner,
		CreatedAt: cloud.FromMillis(r.CreatedAt), ExpiresAt: cloud.FromMillis(r.ExpiresAt),
	}
}
