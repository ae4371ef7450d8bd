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

	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// identityRecord is what is stored of one identity in one agency; the zero version means
// nothing yet.
type identityRecord struct {
	key string
	// personHash is the hash of the identity, for the index of people.
	personHash string
	version    int64
	// excluded is when the person was last pre-excluded under this identity; zero: never. restored
	// is when the newest submission after that was sent.
	excluded, restored time.Time
	// byOwner are the memberships by owner. shared says that there are more, which
	// readSharedLinks adds.
	byOwner map[string][]string
	shared  bool
}

// ownerPrefix begins the attribute that holds, for one owner, what the identity
// leads to. A quote in the owner's id would end the name in an expression; no id
// holds a #.
const ownerPrefix = "o#"

var (
	quoteOwner   = strings.NewReplacer("'", "#")
	unquoteOwner = strings.NewReplacer("#", "'")
)

func parseIdentity(item dynamo.Item) (identityRecord, error) {
	var fixed struct {
		PK       string `dynamo:"pk"`
		Person   string `dynamo:"person"`
		Version  int64  `dynamo:"version"`
		Excluded int64  `dynamo:"excluded"`
		Restored int64  `dynamo:"restored"`
		Shared   bool   `dynamo:"shared"`
	}
	err := dynamo.UnmarshalItem(item, &fixed)
	k := identityRecord{
		key: fixed.PK, personHash: fixed.Person, version: fixed.Version, shared: fixed.Shared,
		excluded: cloud.FromMillis(fixed.Excluded), restored: cloud.FromMillis(fixed.Restored), byOwner: map[string][]string{},
	}
	for name, value := range item {
		if owner, ok := strings.CutPrefix(name, ownerPrefix); ok {
			var ids []string
			err = errors.Join(err, dynamo.Unmarshal(value, &ids))
			slices.Sort(ids)
			k.byOwner[unquoteOwner.Replace(owner)] = ids
		}
	}
	return k, err
}

// updateIdentity changes an identity, and enters it into the index by which a person is
// erased.
func (s *Store) updateIdentity(k identityRecord) *dynamo.Update {
	return s.table.Update(topology.PK, k.key).Range(topology.SK, identityKind).
		Add("version", 1).Set(topology.PersonIndex.Hash, k.personHash)
}

// exclusion returns since when the person is pre-excluded; zero: not.
func (k identityRecord) exclusion() time.Time {
	if k.excluded.Before(k.restored) {
		return time.Time{}
	}
	return k.excluded
}

// noteSubmission notes a submission under an identity if it ends a pre-exclusion, on the condition
// that the person was not excluded since k was read. The time of the exclusion stays, for submissions
// from before it that arrive later. Memberships may be added concurrently: one person may be
// submitted for all of an agency's members at once, and one e-mail address with many people.
func (s *Store) noteSubmission(k identityRecord, submitted time.Time) *dynamo.Update {
	u := s.updateIdentity(k)
	if k.excluded.IsZero() {
		return u.If("attribute_not_exists(excluded)")
	}
	if k.excluded.Before(submitted) {
		u.Set("restored", cloud.ToMillis(laterOf(k.restored, submitted)))
	}
	return u.If("excluded = ?", cloud.ToMillis(k.excluded))
}

// ifLeadsAsRead adds the condition that the identity still leads to the owner's memberships in k.
func ifLeadsAsRead(u *dynamo.Update, k identityRecord, ownerID string) *dynamo.Update {
	led := k.byOwner[ownerID]
	if len(led) == 0 {
		return u.If("attribute_not_exists(" + ownerAttribute(ownerID) + ")")
	}
	return u.If(ownerAttribute(ownerID)+" = ?", &types.AttributeValueMemberSS{Value: led})
}

// ownerAttribute returns the attribute of an owner, quoted for an expression.
func ownerAttribute(ownerID string) string {
	return "'" + ownerPrefix + quoteOwner.Replace(ownerID) + "'"
}

// excludeIdentity records that the person is pre-excluded under this identity since at. It reports
// false when the identity has changed since it was read: then it may lead to a membership.
func (s *Store) excludeIdentity(ctx context.Context, k identityRecord, at time.Time) (bool, error) {
	u := s.updateIdentity(k).Set("excluded", cloud.ToMillis(at))
	if k.version == 0 {
		u.If("attribute_not_exists(pk)")
	} else {
		u.If("version = ?", k.version)
	}
	err := u.Run(ctx)
	return err == nil, cloud.IgnoreCondition(err)
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

// linkEmail adds a membership of an owner to those that an e-mail address leads to. u is the update of
// the address's item.
func (s *Store) linkEmail(tx *dynamo.WriteTx, u *dynamo.Update, k identityRecord, ownerID, id string) {
	ids := k.allMemberships()
	hasRoom := !k.shared && len(ids) < maxOwnLinks // where an address is shared, id may have a link already
	if hasRoom || slices.Contains(ids, id) {
		tx.Update(u.AddStringsToSet(ownerAttribute(ownerID), id))
		return
	}
	tx.Update(u.Set("shared", true))
	tx.Put(s.table.Put(sharedLink{k.key, itemkey.EmailLink.SK(id), ownerID}))
}

// unlinkIdentity removes a membership from those that an identity leads to.
func (s *Store) unlinkIdentity(tx *dynamo.WriteTx, k identityRecord, m Membership) {
	tx.Update(s.updateIdentity(k).DeleteStringsFromSet(ownerAttribute(m.OwnerID), m.ID).If("attribute_exists(pk)"))
	if k.shared {
		tx.Delete(s.table.Delete(topology.PK, k.key).Range(topology.SK, itemkey.EmailLink.SK(m.ID)))
	}
}

// readSharedLinks adds to identities that were read what their further items lead to.
func (s *Store) readSharedLinks(ctx context.Context, identities []identityRecord) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxParallelWrites)
	for _, k := range identities {
		if k.shared {
			group.Go(func() error { return s.readLinksOf(ctx, k) })
		}
	}
	return group.Wait()
}

func (s *Store) readLinksOf(ctx context.Context, k identityRecord) error {
	var links []sharedLink
	query := s.table.Get(topology.PK, k.key).Range(topology.SK, dynamo.BeginsWith, itemkey.EmailLink.SK(""))
	err := query.Consistent(true).All(ctx, &links)
	for _, link := range links {
		values, _ := itemkey.EmailLink.ParseSK(link.SK)
		k.byOwner[link.Owner] = append(k.byOwner[link.Owner], values[0])
	}
	return err
}
