package profile

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// TableStore is the network table. It has an item with the cached outcome of each slug, which
// DynamoDB's time to live deletes, and the items of [Breaker].
type TableStore struct{ table dynamo.Table }

// Open returns the store on the table that the function's environment names.
func Open(o *cloud.Opener) TableStore { return NewTableStore(o.Table(topology.Network)) }

// NewTableStore returns the store on the given network table.
func NewTableStore(table dynamo.Table) TableStore { return TableStore{table} }

// Forget deletes the cached outcome under the hash of a canonical LinkedIn URL.
func (s TableStore) Forget(ctx context.Context, hash string) (err error) {
	defer fault.Wrap(&err, "profile.Forget(hash)")

	pk, sk := itemkey.CachedProfile.Key(hash)
	return s.table.Delete(topology.PK, pk).Range(topology.SK, sk).Run(ctx)
}

// cacheKey returns the key of a slug's item. It is made from the identity's hash, so that
// an erasure finds the item.
func cacheKey(slug string) (pk, sk string) {
	return itemkey.CachedProfile.Key(identity.Hash(identity.LinkedInFromSlug(slug)))
}
