package profile

import (
	"context"
	"errors"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// TableStore keeps cached answers in the network table, one item a slug, removed
// by their time to live.
type TableStore struct{ table dynamo.Table }

// Open opens the store by the names in the function's environment.
func Open(o *cloud.Opener) TableStore { return NewTableStore(o.Table(topology.Network)) }

// NewTableStore works on the network table.
func NewTableStore(table dynamo.Table) TableStore { return TableStore{table} }

// Forget removes what is kept under the hash of a canonical LinkedIn URL.
func (s TableStore) Forget(ctx context.Context, hash string) error {
	pk, sk := itemkey.CachedProfile.Key(hash)
	return s.table.Delete(topology.PK, pk).Range(topology.SK, sk).Run(ctx)
}

// cacheKey names a slug's entry by the identity's hash, so that an erasure finds it.
func cacheKey(slug string) (pk, sk string) {
	return itemkey.CachedProfile.Key(identity.Hash(identity.LinkedInFromSlug(slug)))
}

type cachedItem struct {
	ID    string `dynamo:"pk"`
	Kind  string `dynamo:"sk"`
	Entry []byte `dynamo:"entry"`
	TTL   int64  `dynamo:"ttl"`
}

// Get implements Store. Whether an entry has expired is judged by its reader.
func (s TableStore) Get(ctx context.Context, slug string) ([]byte, bool, error) {
	var item cachedItem
	pk, sk := cacheKey(slug)
	err := s.table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).One(ctx, &item)
	if errors.Is(err, dynamo.ErrNotFound) {
		return nil, false, nil
	}
	return item.Entry, err == nil, err
}

// Put implements Store.
func (s TableStore) Put(ctx context.Context, slug string, entry []byte, expires time.Time) error {
	pk, sk := cacheKey(slug)
	return s.table.Put(cachedItem{ID: pk, Kind: sk, Entry: entry, TTL: expires.Unix()}).Run(ctx)
}
