package network

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/agency/changefeed"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Forget removes what a membership that is about to be erased leads to (its resume), and notes its other
// identities ([Membership.PersonHashes]).
type Forget = func(context.Context, Membership) error

// Erase removes every membership that the identity with a hash leads to, in every agency,
// except those submitted or added after at, and every identity of theirs that then leads to none and was not pre-excluded
// after at.
// It returns how many memberships it has removed; a failed run is repeated and finds the rest.
// The index of persons may lag behind what was written in the last second, so a caller that must
// be sure repeats it too.
func (s *Store) Erase(ctx context.Context, hash string, at time.Time, forget Forget) (removed int, err error) {
	defer fault.Wrap(&err, "network.Erase(hash)")

	keys, err := s.identitiesOf(ctx, hash)
	if err != nil {
		return 0, err
	}
	for _, key := range keys {
		n, err := s.eraseIdentity(ctx, key, at, forget)
		removed += n
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// identitiesOf returns the keys of the identities with a hash, one an agency.
func (s *Store) identitiesOf(ctx context.Context, hash string) ([]string, error) {
	var found []struct {
		PK string `dynamo:"pk"`
	}
	err := s.table.Get(topology.PersonIndex.Hash, hash).Index(topology.PersonIndex.Name).All(ctx, &found)
	keys := make([]string, len(found))
	for i, k := range found {
		keys[i] = k.PK
	}
	return keys, err
}

// LeadsToMember reports whether the identity with a hash leads to a membership in any
// agency: one that an erasure by another identity left is another person's.
func (s *Store) LeadsToMember(ctx context.Context, hash string) (_ bool, err error) {
	defer fault.Wrap(&err, "network.LeadsToMember(hash)")

	keys, err := s.identitiesOf(ctx, hash)
	if err != nil || len(keys) == 0 {
		return false, err
	}
	found, err := s.readStored(ctx, keys)
	return slices.ContainsFunc(found, func(k identityRecord) bool { return len(k.byOwner) > 0 }), err
}

// readStored reads identities by their keys, with all that they lead to; a missing one is left out.
func (s *Store) readStored(ctx context.Context, keys []string) ([]identityRecord, error) {
	stored, err := s.readIdentities(ctx, keys...)
	if err != nil {
		return stored, err
	}
	return stored, s.readSharedLinks(ctx, stored)
}

// eraseIdentity removes the memberships an identity leads to, then the identity, unless it still
// leads to one added after at, was pre-excluded after at, or another write has changed it since.
func (s *Store) eraseIdentity(ctx context.Context, key string, at time.Time, forget Forget) (removed int, err error) {
	for range maxRounds {
		found, err := s.readStored(ctx, []string{key})
		if err != nil || len(found) == 0 {
			return removed, err
		}
		erased := 0
		kept := 0
		for _, id := range found[0].allMemberships() {
			gone, stays, err := s.EraseMembership(ctx, id, at, forget)
			removed += gone
			erased += gone
			kept += stays
			if err != nil {
				return removed, err
			}
		}
		if kept > 0 || erased == 0 && found[0].Excluded > at.UnixMilli() {
			return removed, nil
		}
		if erased > 0 {
			continue // it was unlinked, and usually deleted
		}
		err = s.table.Delete(topology.PK, key).Range(topology.SK, identityKind).If("version = ?", found[0].Version).Run(ctx)
		if !dynamo.IsCondCheckFailed(err) {
			return removed, err
		}
	}
	return removed, errContention
}

// deleteUnlinked removes those of some identities that lead to no membership, unless they were
// pre-excluded after at, or have changed since they were read.
func (s *Store) deleteUnlinked(ctx context.Context, keys []string, at time.Time) error {
	found, err := s.readStored(ctx, keys)
	if err != nil {
		return err
	}
	for _, k := range found {
		if len(k.byOwner) > 0 || k.Excluded > at.UnixMilli() {
			continue
		}
		failed := s.table.Delete(topology.PK, k.Key).Range(topology.SK, identityKind).If("version = ?", k.Version).Run(ctx)
		err = errors.Join(err, cloud.IgnoreCondition(failed))
	}
	return err
}

// EraseMembership removes a membership with its rows and file and the links from all its
// identities, so that a person who comes back gets a new one. One that was submitted, and added,
// after at is kept, and one that does not exist counts as neither.
func (s *Store) EraseMembership(ctx context.Context, id string, at time.Time, forget Forget) (removed, kept int, err error) {
	defer fault.Wrap(&err, "network.EraseMembership(id)")

	for range maxRounds {
		m, found, err := s.Membership(ctx, id)
		switch {
		case err != nil || !found:
			return 0, 0, err
		case m.AddedAt.After(at) && (m.SubmittedAt.IsZero() || m.SubmittedAt.After(at)): // a role submission leaves SubmittedAt zero
			return 0, 1, nil
		}
		if err := forget(ctx, m); err != nil {
			return 0, 0, err
		}
		linked, err := s.readStored(ctx, m.identityKeys())
		if err != nil {
			return 0, 0, err
		}
		tx := s.write().Delete(s.table.Delete(topology.PK, membershipKey(id)).Range(topology.SK, membershipKind).If("version = ?", m.version))
		s.putRows(tx, m, Membership{})
		if s.Feed != nil {
			removed := changefeed.Change{Type: contract.CandidateRemoved, At: s.Feed.Now().UnixMilli(), CandidateUserID: id}
			m.version++
			s.recordChanges(tx, &m, []changefeed.Change{removed})
		}
		for _, k := range linked {
			tx.Update(s.updateIdentity(k).DeleteStringsFromSet(ownerAttribute(m.OwnerID), m.ID).If("attribute_exists(pk)"))
			if k.Shared {
				tx.Delete(s.table.Delete(topology.PK, k.Key).Range(topology.SK, itemkey.EmailLink.SK(m.ID)))
			}
		}
		err = tx.Run(ctx)
		if err == nil {
			return 1, 0, s.deleteUnlinked(ctx, m.identityKeys(), at)
		}
		if !dynamo.IsCondCheckFailed(err) {
			return 0, 0, err
		}
	}
	return 0, 0, errContention
}
