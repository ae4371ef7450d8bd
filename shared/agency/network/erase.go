package network

import (
	"context"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Erase removes every membership and every identity of a person in every agency,
// by the hash of an identity. forget removes what a membership leads to (its resume),
// before it goes. It returns how many memberships it has removed; a failed run is
// repeated and finds the rest. The index of persons may lag behind what was written in
// the last second, so a caller that must be sure repeats it too.
func (s *Store) Erase(ctx context.Context, hash string, forget func(context.Context, Membership) error) (removed int, err error) {
	var keys []struct {
		PK string `dynamo:"pk"`
	}
	err = s.table.Get(topology.PersonIndex.Hash, hash).Index(topology.PersonIndex.Name).All(ctx, &keys)
	if err != nil {
		return 0, err
	}
	for _, k := range keys {
		n, err := s.eraseIdentity(ctx, k.PK, forget)
		if removed += n; err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// eraseIdentity removes what an identity leads to, then the identity, unless another
// write made it lead elsewhere since it was read.
func (s *Store) eraseIdentity(ctx context.Context, key string, forget func(context.Context, Membership) error) (removed int, err error) {
	for range maxRounds {
		items, err := s.getItems(ctx, []dynamo.Keyed{dynamo.Keys{key, identityKind}})
		if err != nil || len(items) == 0 {
			return removed, err
		}
		k, err := parseIdentity(items[0])
		if err != nil {
			return removed, err
		}
		for _, id := range k.activeMemberships(func(string) bool { return true }) {
			gone, err := s.eraseMembership(ctx, id, forget)
			if removed += gone; err != nil {
				return removed, err
			}
		}
		err = s.table.Delete(topology.PK, key).Range(topology.SK, identityKind).If("version = ?", k.version).Run(ctx)
		if !dynamo.IsCondCheckFailed(err) {
			return removed, err
		}
	}
	return removed, errContention
}

// eraseMembership removes a membership with its row and file; one that is not
// there is none.
func (s *Store) eraseMembership(ctx context.Context, id string, forget func(context.Context, Membership) error) (removed int, err error) {
	for range maxRounds {
		m, found, err := s.Membership(ctx, id)
		if err != nil || !found {
			return 0, err
		}
		if err := forget(ctx, m); err != nil {
			return 0, err
		}
		row := m.toRowItem()
		err = s.write().
			Delete(s.table.Delete(topology.PK, membershipKey(id)).Range(topology.SK, membershipKind).If("version = ?", m.version)).
			Delete(s.table.Delete(topology.PK, row.PK).Range(topology.SK, row.SK)).Run(ctx)
		if !dynamo.IsCondCheckFailed(err) {
			return 1, err
		}
	}
	return 0, errContention
}
