package network

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
	"github.com/recruiting-marketplace/external-api/shared/identity"
)

// identityRecord is what is stored of one identity in one agency; the zero version means
// nothing yet.
type identityRecord struct {
	Key     string `dynamo:"pk"`
	Version int64  `dynamo:"version"`
	// Excluded is when the person was last pre-excluded under this identity, in milliseconds; 0: never. Restored
	// is when the newest submission after that was sent.
	Excluded int64 `dynamo:"excluded"`
	Restored int64 `dynamo:"restored"`
	// Shared says that the identity leads to more memberships, which readSharedLinks adds.
	Shared bool `dynamo:"shared"`
	// byOwner are the memberships by owner.
	byOwner map[string][]string
}

// ownerPrefix begins the attribute that holds, for one owner, what the identity
// leads to. A quote in the owner's id would end the name in an expression; no id
// holds a #.
const ownerPrefix = "o#"

var (
	quoteOwner   = strings.NewReplacer("'", "#")
	unquoteOwner = strings.NewReplacer("#", "'")
)

// UnmarshalDynamoItem implements dynamo.ItemUnmarshaler.
func (k *identityRecord) UnmarshalDynamoItem(item dynamo.Item) error {
	err := cloud.DecodeItem(item, k)
	k.byOwner = map[string][]string{}
	for name, value := range item {
		if owner, ok := strings.CutPrefix(name, ownerPrefix); ok {
			var ids []string
			err = errors.Join(err, dynamo.Unmarshal(value, &ids))
			slices.Sort(ids)
			k.byOwner[unquoteOwner.Replace(owner)] = ids
		}
	}
	return err
}

func (k identityRecord) allMemberships() (ids []string) {
	for _, led := range k.byOwner {
		ids = append(ids, led...)
	}
	return ids
}

func (s *Store) readIdentities(ctx context.Context, keys ...string) ([]identityRecord, error) {
	wanted := make([]dynamo.Keyed, len(keys))
	for i, key := range keys {
		wanted[i] = dynamo.Keys{key, identityKind}
	}
	return cloud.GetItems[identityRecord](ctx, s.table, wanted, true)
}

// hashOf returns the hash of the identity with a key, for the index of people, and the prefix of its kind.
func hashOf(key string) (prefix, hash string) {
	prefix = LinkedInPrefix
	values, isLinkedIn := itemkey.LinkedInIdentity.Parse(key, identityKind)
	if !isLinkedIn {
		prefix = EmailPrefix
		values, _ = itemkey.EmailIdentity.Parse(key, identityKind)
	}
	return prefix, identity.Hash(values[1])
}

func (m Membership) identityKeys() []string {
	keys := slices.Clone(m.others)
	if m.LinkedInURL != "" {
		keys = append(keys, linkedInKey(m.Tenant, m.LinkedInURL))
	}
	if m.Email != "" {
		keys = append(keys, emailKey(m.Tenant, m.Email))
	}
	return keys
}

// LinkedInPrefix and EmailPrefix tell the hashes of [Membership.PersonHashes] apart.
const LinkedInPrefix, EmailPrefix = "li#", "em#"

// PersonHashes returns the hashes of the LinkedIn URLs and of the e-mail addresses that
// lead to the membership, each after its prefix.
func (m Membership) PersonHashes() (hashes []string) {
	for _, key := range m.identityKeys() {
		prefix, hash := hashOf(key)
		hashes = append(hashes, prefix+hash)
	}
	return hashes
}

// updateIdentity also enters the identity into the index by which a person is erased.
func (s *Store) updateIdentity(k identityRecord) *dynamo.Update {
	_, hash := hashOf(k.Key)
	return s.table.Update(topology.PK, k.Key).Range(topology.SK, identityKind).Add("version", 1).Set(topology.PersonIndex.Hash, hash)
}

// exclusion returns since when the person is pre-excluded; zero: not.
func (k identityRecord) exclusion() time.Time {
	if k.Excluded < k.Restored {
		return time.Time{}
	}
	return cloud.FromMillis(k.Excluded)
}

// noteSubmission notes a submission under an identity if it ends a pre-exclusion, on the condition
// that the person was not excluded since k was read. The time of the exclusion stays, for submissions
// from before it that arrive later. Memberships may be added concurrently: one person may be
// submitted for all of an agency's members at once, and one e-mail address with many people.
func (s *Store) noteSubmission(k identityRecord, submitted time.Time) *dynamo.Update {
	u := s.updateIdentity(k)
	if k.Excluded == 0 {
		return u.If("attribute_not_exists(excluded)")
	}
	if at := cloud.ToMillis(submitted); k.Excluded < at {
		u.Set("restored", max(k.Restored, at))
	}
	return u.If("excluded = ?", k.Excluded)
}

// ownerAttribute returns the attribute of an owner, quoted for an expression.
func ownerAttribute(ownerID string) string {
	return "'" + ownerPrefix + quoteOwner.Replace(ownerID) + "'"
}

// maxOwnLinks is how many memberships an e-mail address's item leads to by itself. Each further one
// has its own item, so that a write costs the same however many people share the
// address. A person with few owners never has one.
const maxOwnLinks = 10

// sharedLink is one further membership of an e-mail address.
type sharedLink struct {
	PK    string `dynamo:"pk"`
	SK    string `dynamo:"sk"`
	Owner string `dynamo:"owner"`
}

// readSharedLinks adds to identities that were read what their further items lead to.
func (s *Store) readSharedLinks(ctx context.Context, identities []identityRecord) error {
	return cloud.EachUntilError(ctx, maxParallelWrites, identities, func(ctx context.Context, _ int, k identityRecord) error {
		if !k.Shared {
			return nil
		}
		var links []sharedLink
		query := s.table.Get(topology.PK, k.Key).Range(topology.SK, dynamo.BeginsWith, itemkey.EmailLink.SK(""))
		err := query.Consistent(true).All(ctx, &links)
		for _, link := range links {
			values, _ := itemkey.EmailLink.ParseSK(link.SK)
			k.byOwner[link.Owner] = append(k.byOwner[link.Owner], values[0])
		}
		return err
	})
}
