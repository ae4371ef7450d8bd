package network

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/topology"
)

// known is what is stored of one identity in one agency; the zero version means
// nothing yet.
type known struct {
	key string
	// person is the hash of the identity, for the index of persons.
	person  string
	version int64
	// excluded is when the person was pre-excluded under this identity; zero: not.
	excluded time.Time
	// leads are the memberships by owner.
	leads map[string][]string
}

// ownerPrefix begins the attribute that holds, for one owner, what the identity
// leads to.
const ownerPrefix = "o#"

func parseKnown(item dynamo.Item) (known, error) {
	var fixed struct {
		PK       string `dynamo:"pk"`
		Person   string `dynamo:"person"`
		Version  int64  `dynamo:"version"`
		Excluded int64  `dynamo:"excluded"`
	}
	err := dynamo.UnmarshalItem(item, &fixed)
	k := known{key: fixed.PK, person: fixed.Person, version: fixed.Version, excluded: moment(fixed.Excluded), leads: map[string][]string{}}
	for name, value := range item {
		if owner, ok := strings.CutPrefix(name, ownerPrefix); ok {
			var ids []string
			err = errors.Join(err, dynamo.Unmarshal(value, &ids))
			slices.Sort(ids)
			k.leads[owner] = ids
		}
	}
	return k, err
}

// update changes an identity, if it is as it was read. It enters it into the
// index by which a person is erased.
func (s *Store) update(k known) *dynamo.Update {
	u := s.table.Update(topology.PK, k.key).Range(topology.SK, identityKind).
		Set("version", k.version+1).Set(topology.PersonIndex.Hash, k.person)
	if k.version == 0 {
		return u.If("attribute_not_exists(pk)")
	}
	return u.If("version = ?", k.version)
}

// link makes an identity lead to a membership, and drops a pre-exclusion that is
// older than the submission.
func (s *Store) link(k known, ownerID, id string, submitted time.Time) *dynamo.Update {
	u := s.update(k).AddStringsToSet("'"+ownerPrefix+ownerID+"'", id)
	if !k.excluded.IsZero() && k.excluded.Before(submitted) {
		u.Remove("excluded")
	}
	return u
}

// exclude records that the person is pre-excluded under this identity. It
// answers false when the identity has changed since it was read: then it may
// lead to somebody.
func (s *Store) exclude(ctx context.Context, k known, now time.Time) (bool, error) {
	err := s.update(k).Set("excluded", millis(latest(k.excluded, now))).Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return false, nil
	}
	return err == nil, err
}

// get reads items consistently, at most 100 a call; what is not there is left out.
func (s *Store) get(ctx context.Context, keys []dynamo.Keyed) ([]dynamo.Item, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	var items []dynamo.Item
	err := s.table.Batch(topology.PK, topology.SK).Get(keys...).Consistent(true).All(ctx, &items)
	if errors.Is(err, dynamo.ErrNotFound) {
		err = nil
	}
	return items, err
}
