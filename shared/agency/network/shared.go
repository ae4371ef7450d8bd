package network

import (
	"context"
	"slices"

	"github.com/guregu/dynamo/v2"
	"golang.org/x/sync/errgroup"

	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

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
