package profile

import (
	"context"
	"errors"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// TableStore keeps cached outcomes in the network table, one item a slug, deleted by
// DynamoDB's time to live.
type TableStore struct{ table dynamo.Table }

// Open returns the store on the table that the function's environment names.
func Open(o *cloud.Opener) TableStore { return NewTableStore(o.Table(topology.Network)) }

// NewTableStore returns the store on the given network table.
func NewTableStore(table dynamo.Table) TableStore { return TableStore{table} }

// Forget deletes the entry under the hash of a canonical LinkedIn URL.
func (s TableStore) Forget(ctx context.Context, hash string) (err error) {
	defer fault.Wrap(&err, "profile.Forget(hash)")

	pk, sk := itemkey.CachedProfile.Key(hash)
	return s.table.Delete(topology.PK, pk).Range(topology.SK, sk).Run(ctx)
}

// cacheKey returns the partition key of a slug's entry. It is made from the
// identity's hash, so that an erasure finds the entry.
func cacheKey(slug string) (pk, sk string) {
	return itemkey.CachedProfile.Key(identity.Hash(identity.LinkedInFromSlug(slug)))
}

type cachedItem struct {
	ID    string `dynamo:"pk"`
	Kind  string `dynamo:"sk"`
	Entry []byte `dynamo:"entry"`
	TTL   int64  `dynamo:"ttl"`
}

// Get implements Store. The caller checks whether the entry has expired.
func (s TableStore) Get(ctx context.Context, slug string) (_ []byte, _ bool, err error) {
	defer fault.Wrap(&err, "profile.Get(slug)")

	var item cachedItem
	pk, sk := cacheKey(slug)
	err = s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil, false, nil
	}
	return item.Entry, err == nil, err
}

// Put implements Store.
func (s TableStore) Put(ctx context.Context, slug string, entry []byte, expires time.Time) (err error) {
	defer fault.Wrap(&err, "profile.Put(slug)")

	pk, sk := cacheKey(slug)
	return s.table.Put(cachedItem{ID: pk, Kind: sk, Entry: entry, TTL: expires.Unix()}).Run(ctx)
}
