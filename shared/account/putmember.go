package account

import (
	"context"
	"slices"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// ApplyMember stores a member of an agency, together with the items of the old and the new e-mail
// address; nil deletes the member.
func (s *Store) ApplyMember(ctx context.Context, agencyID, id string, version int64, m *Member) (err error) {
	defer fault.Wrap(&err, "account.ApplyMember(agencyID, id)")

	next := memberItem{Version: version}
	if m != nil {
		next.Member = *m
		next.ID = id
	}
	next.PK, next.SK = itemkey.Member.Key(agencyID, id)
	for range attempts {
		var old memberItem
		if err := s.readItem(ctx, next.PK, next.SK, &old); err != nil && !fault.IsMissing(err) {
			return err
		}
		if old.Version >= version {
			return nil
		}
		next.Revision = newRevision()
		tx := s.write().Put(ifUnchanged(s.table.Put(next), old.Revision))
		for _, email := range slices.Compact([]string{old.Email, next.Email}) {
			if err := s.changeAddress(ctx, tx, agencyID, id, email, next.Member); err != nil {
				return err
			}
		}
		if err := tx.Run(ctx); !dynamo.IsCondCheckFailed(err) {
			return err
		}
	}
	return errContention
}

// changeAddress adds to the transaction the item of an e-mail address: with the member if it
// is the member's address, and without if the member was deleted or has another one now.
func (s *Store) changeAddress(ctx context.Context, tx *dynamo.WriteTx, agencyID, id, email string, m Member) error {
	if email == "" {
		return nil
	}
	item := addressItem{Members: map[string]Member{}}
	pk, sk := itemkey.MemberAddress.Key(agencyID, email)
	if err := s.readItem(ctx, pk, sk, &item); err != nil && !fault.IsMissing(err) {
		return err
	}
	read := item.Revision
	item.PK = pk
	item.SK = sk
	item.Revision = newRevision()
	if delete(item.Members, id); email == m.Email {
		item.Members[id] = m
	}
	if len(item.Members) > 0 {
		tx.Put(ifUnchanged(s.table.Put(item), read))
	} else if read != "" {
		tx.Delete(s.table.Delete(topology.PK, pk).Range(topology.SK, sk).If("$ = ?", attrRevision, read))
	}
	return nil
}
