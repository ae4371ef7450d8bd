package account

import (
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// keyring is the item that makes the number of a principal's active keys exact: every
// unrevoked key is in it, until a creation finds it expired and needs its place. It
// never holds more than the limit.
type keyring struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	// Version grows whenever a key comes or goes.
	Version int64 `dynamo:"version"`
	// Keys by key id.
	Keys map[string]ringEntry `dynamo:"keys,allowempty"`
}

type ringEntry struct {
	Hash string `dynamo:"hash"`
	// ExpiresAt is in epoch milliseconds, 0 for never.
	ExpiresAt int64 `dynamo:"expiresAt,omitempty"`
}

// pointer leads from a key's id, which administrators know, to its item.
type pointer struct {
	PK   string `dynamo:"pk,hash"`
	SK   string `dynamo:"sk,range"`
	Hash string `dynamo:"hash"`
}

const (
	attrKeys    = "keys"
	attrVersion = "version"
)

// prunedAtOnce bounds the size of a creation's expressions.
const prunedAtOnce = 10

func emptyRing(p Principal) keyring {
	pk, sk := p.ringKey()
	return keyring{PK: pk, SK: sk, Keys: map[string]ringEntry{}}
}

// expiredIDs lists the ids of the expired keys, in order.
func (r keyring) expiredIDs(now time.Time) []string {
	var ids []string
	for id, e := range r.Keys {
		if e.ExpiresAt != 0 && e.ExpiresAt <= now.UnixMilli() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// countActive counts the keys that count towards the limit.
func (r keyring) countActive(now time.Time) int { return len(r.Keys) - len(r.expiredIDs(now)) }

func (s *Store) updateRing(p Principal) *dynamo.Update {
	pk, sk := p.ringKey()
	return s.table.Update(topology.PK, pk).Range(topology.SK, sk).Add(attrVersion, 1)
}

// joinRing adds a key to the ring and removes up to prunedAtOnce expired ones.
// Its condition fails when the ring is full.
func (s *Store) joinRing(p Principal, id string, e ringEntry, expired []string) *dynamo.Update {
	expired = expired[:min(len(expired), prunedAtOnce)]
	u := s.updateRing(p).Set(keyPath(id), e)
	for _, gone := range expired {
		u.Remove(keyPath(gone)).If("attribute_exists($.$)", attrKeys, gone)
	}
	return u.If("size($) < ?", attrKeys, maxActive[p.Type]+len(expired))
}

// leaveRing takes a key off the ring; one that is not on it changes nothing.
func (s *Store) leaveRing(p Principal, id string) *dynamo.Update {
	return s.updateRing(p).Remove(keyPath(id)).If("attribute_exists($)", topology.PK)
}

// keyPath returns a key's place on the ring, in the store library's notation.
func keyPath(id string) string { return "'" + attrKeys + "'.'" + id + "'" }
