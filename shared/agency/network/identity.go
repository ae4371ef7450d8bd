package network

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
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
// leads to. A quote in the owner's id would end the name in an expression; no id
// holds a #.
const ownerPrefix = "o#"

var (
	quoted   = strings.NewReplacer("'", "#")
	unquoted = strings.NewReplacer("#", "'")
)

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
			k.leads[unquoted.Replace(owner)] = ids
		}
	}
	return k, err
}

// update changes an identity, and enters it into the index by which a person is
// erased.
func (s *Store) update(k known) *dynamo.Update {
	return s.table.Update(topology.PK, k.key).Range(topology.SK, identityKind).
		Add("version", 1).Set(topology.PersonIndex.Hash, k.person)
}

// link makes an identity lead to a membership of an owner, and drops a
// pre-exclusion that is older than the submission; if both are as they were read.
// What becomes of other owners meanwhile is no matter: one person may be
// submitted for all of an agency's members at once.
func (s *Store) link(k known, ownerID, id string, submitted time.Time) *dynamo.Update {
	owner := "'" + ownerPrefix + quoted.Replace(ownerID) + "'"
	u := s.update(k).AddStringsToSet(owner, id)
	if led := k.leads[ownerID]; len(led) == 0 {
		u.If("attribute_not_exists(" + owner + ")")
	} else {
		u.If(owner+" = ?", &types.AttributeValueMemberSS{Value: led})
	}
	if k.excluded.IsZero() {
		return u.If("attribute_not_exists(excluded)")
	}
	if u.If("excluded = ?", millis(k.excluded)); k.excluded.Before(submitted) {
		u.Remove("excluded")
	}
	return u
}

// exclude records that the person is pre-excluded under this identity. It
// answers false when the identity has changed since it was read: then it may
// lead to somebody.
func (s *Store) exclude(ctx context.Context, k known, now time.Time) (bool, error) {
	u := s.update(k).Set("excluded", millis(latest(k.excluded, now)))
	if k.version == 0 {
		u.If("attribute_not_exists(pk)")
	} else {
		u.If("version = ?", k.version)
	}
	err := u.Run(ctx)
	if dynamo.IsCondCheckFailed(err) {
		return false, nil
	}
	return err == nil, err
}

// get reads items consistently, at most 100 a call, all calls side by side: how
// many there are depends on how many owners a person has. What is not there is
// left out.
func (s *Store) get(ctx context.Context, keys []dynamo.Keyed) ([]dynamo.Item, error) {
	parts := slices.Collect(slices.Chunk(keys, 100))
	found := make([][]dynamo.Item, len(parts))
	group, ctx := errgroup.WithContext(ctx)
	for n, part := range parts {
		group.Go(func() error {
			err := s.table.Batch(topology.PK, topology.SK).Get(part...).Consistent(true).All(ctx, &found[n])
			if errors.Is(err, dynamo.ErrNotFound) {
				return nil
			}
			return err
		})
	}
	err := group.Wait()
	return slices.Concat(found...), err
}
