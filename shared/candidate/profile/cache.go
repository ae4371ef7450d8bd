package profile

import (
	"context"
	"errors"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// RefusalTTL bounds how long [ErrNotFound] and [ErrNoExperience] are stored: people correct a URL, or
// publish or complete a profile, then submit again.
const RefusalTTL = time.Hour

// Cached is a provider that stores the outcomes of another one, because a repeated
// look-up is billed again: profiles for TTL, [ErrNotFound] and [ErrNoExperience] for
// TTL or [RefusalTTL], whichever is shorter, *[Unavailable] never. Errors of the
// table are ignored: they cost money, not a candidate. Do not wrap a [Sandbox].
type Cached struct {
	Provider Provider
	Table    dynamo.Table // topology.Network; DynamoDB's time to live deletes the items
	TTL      time.Duration
	Now      func() time.Time
}

// cachedItem is the stored form of an outcome. Its time to live is checked, too, because DynamoDB deletes late.
type cachedItem struct {
	ID      string  `dynamo:"pk"`
	Kind    string  `dynamo:"sk"`
	Outcome string  `dynamo:"outcome"`
	Profile Profile `dynamo:"profile,omitempty"`
	TTL     int64   `dynamo:"ttl"`
}

// outcomes holds the errors of the outcomes that are stored, by names that must not change.
var outcomes = map[string]error{"verified": nil, "not_found": ErrNotFound, "no_experience": ErrNoExperience}

// Profile implements [Provider] by what is stored, or else by asking.
func (c Cached) Profile(ctx context.Context, slug string) (Profile, error) {
	// The key is made from the identity's hash, so that an erasure finds the item.
	pk, sk := itemkey.CachedProfile.Key(identity.Hash(identity.LinkedInFromSlug(slug)))
	var item cachedItem
	err := c.Table.Get(topology.PK, pk).Range(topology.SK, dynamo.Equal, sk).One(ctx, &item)
	if stored, ok := outcomes[item.Outcome]; ok && err == nil && c.Now().Unix() < item.TTL {
		return item.Profile, stored
	}
	found, outcome := c.Provider.Profile(ctx, slug)
	ttl := c.TTL
	if outcome != nil {
		ttl = min(ttl, RefusalTTL)
	}
	for name, err := range outcomes {
		if errors.Is(outcome, err) {
			_ = c.Table.Put(cachedItem{pk, sk, name, found, c.Now().Add(ttl).Unix()}).Run(ctx)
		}
	}
	return found, outcome
}

// Forget deletes from the network table the cached outcome under the hash of a canonical LinkedIn URL.
func Forget(ctx context.Context, table dynamo.Table, hash string) (err error) {
	defer fault.Wrap(&err, "profile.Forget(hash)")

	pk, sk := itemkey.CachedProfile.Key(hash)
	return table.Delete(topology.PK, pk).Range(topology.SK, sk).Run(ctx)
}
