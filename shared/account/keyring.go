package account

import (
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// keyring is the item that makes the number of a principal's active keys exact:
// every unrevoked key is in it, until a creation that needs the room finds it
// expired. It never holds more than the limit.
type keyring struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	// Version grows whenever a key comes or goes.
	Version int64 `dynamo:"version"`
	// Keys by key id.
	Keys map[string]entry `dynamo:"keys,allowempty"`
}

type entry struct {
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
	return keyring{PK: pk, SK: sk, Keys: map[string]entry{}}
}

// expired lists the ids that have expired, in order.
func (r keyring) expired(now time.Time) []string {
	var ids []string
	for id, e := range r.Keys {
		if e.ExpiresAt != 0 && e.ExpiresAt <= now.UnixMilli() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// active counts the keys that count towards the limit.
func (r keyring) active(now time.Time) int { return len(r.Keys) - len(r.expired(now)) }

func (s *Store) updateRing(p Principal) *dynamo.Update {
	pk, sk := p.ringKey()
	return s.table.Update(topology.PK, pk).Range(topology.SK, sk).Add(attrVersion, 1)
}

// join puts a key onto the ring and takes up to prunedAtOnce expired ones off.
// It holds only while there is room for it.
func (s *Store) join(p Principal, id string, e entry, expired []string) *dynamo.Update {
	expired = expired[:min(len(expired), prunedAtOnce)]
	u := s.updateRing(p).Set(path(id), e)
	for _, gone := range expired {
		u.Remove(path(gone)).If("attribute_exists($.$)", attrKeys, gone)
	}
	return u.If("size($) < ?", attrKeys, maxActive[p.Type]+len(expired))
}

// leave takes a key off the ring; one that is not on it changes nothing.
func (s *Store) leave(p Principal, id string) *dynamo.Update {
	return s.updateRing(p).Remove(path(id)).If("attribute_exists($)", topology.PK)
}

// path is a key's place on the ring, in the store library's notation.
func path(id string) string { return "'" + attrKeys + "'.'" + id + "'" }
