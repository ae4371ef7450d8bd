package account

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/api/optional"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// The marketplace's events come in any order and more than once. Each of these changes is dropped
// unless it is newer than what is stored, and a deletion leaves its version behind. An agency and
// each of its members have separate events and separate items: members may arrive before their
// agency.

// ApplyAgency stores an agency without its members; nil deletes it. If that switches API access
// off or on, the agency's keys are disabled, or all but the revoked ones restored, in the same
// transaction. Talent Network access is switched likewise; without it the keys are refused only on
// its routes.
func (s *Store) ApplyAgency(ctx context.Context, id string, version int64, a *Agency) (err error) {
	defer fault.Wrap(&err, "account.ApplyAgency(id)")

	stored := optional.Value(a)
	stored.ID = id
	next := itemHeader{
		itemKey: keyOf(itemkey.Agency, id), Version: version, Absent: a == nil,
		KeysOn: stored.APIAccess, NetworkOff: a != nil && !stored.TalentNetworkAccess, KeysOwner: stored.PrimaryOwner,
	}
	p := Principal{Type: contract.AgencyKey, ID: id}
	return s.applyItem(ctx, p, next, func(h itemHeader) any { return agencyItem{h, stored} })
}

// ApplyRecruiter stores a recruiter; nil deletes them. If that switches the ability to recruit or
// to have personal keys, the keys are switched in the same transaction.
func (s *Store) ApplyRecruiter(ctx context.Context, id string, version int64, r *Recruiter) (err error) {
	defer fault.Wrap(&err, "account.ApplyRecruiter(id)")

	stored := optional.Value(r)
	stored.ID = id
	next := itemHeader{
		itemKey: keyOf(itemkey.Recruiter, id), Version: version, Absent: r == nil, KeysOn: stored.CanRecruit && stored.PersonalKeys,
	}
	p := Principal{Type: contract.PersonalKey, ID: id}
	return s.applyItem(ctx, p, next, func(h itemHeader) any { return recruiterItem{h, stored} })
}

// applyItem stores an account's item, which build makes of its header, with the resulting changes to its keys,
// unless the stored one is as new as next.
func (s *Store) applyItem(ctx context.Context, p Principal, next itemHeader, build func(itemHeader) any) error {
	for range attempts {
		var old itemHeader
		err := s.readItem(ctx, next.itemKey, &old)
		if err != nil && !fault.IsMissing(err) {
			return err
		}
		if old.Version >= next.Version {
			return nil
		}
		next.Revision = newRevision()
		tx := s.write()
		if old.Revision != "" || !next.Absent {
			if err := s.switchKeys(ctx, tx, p, old, next); err != nil {
				return err
			}
		}
		err = tx.Put(ifUnchanged(s.table.Put(build(next)), old.Revision)).Run(ctx)
		if !dynamo.IsCondCheckFailed(err) {
			return err
		}
	}
	return errContention
}

func newRevision() string { return strconv.FormatUint(rand.Uint64(), 36) }

// ApplyMember stores a member of an agency, together with the items of the old and the new e-mail
// address; nil deletes the member.
func (s *Store) ApplyMember(ctx context.Context, agencyID, id string, version int64, m *Member) (err error) {
	defer fault.Wrap(&err, "account.ApplyMember(agencyID, id)")

	next := memberItem{itemKey: keyOf(itemkey.Member, agencyID, id), Version: version, Member: optional.Value(m)}
	if m != nil {
		next.ID = id
	}
	for range attempts {
		var old memberItem
		if err := s.readItem(ctx, next.itemKey, &old); err != nil && !fault.IsMissing(err) {
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
	key := keyOf(itemkey.MemberAddress, agencyID, email)
	if err := s.readItem(ctx, key, &item); err != nil && !fault.IsMissing(err) {
		return err
	}
	read := item.Revision
	item.itemKey = key
	item.Revision = newRevision()
	if delete(item.Members, id); email == m.Email {
		item.Members[id] = m
	}
	if len(item.Members) > 0 {
		tx.Put(ifUnchanged(s.table.Put(item), read))
	} else if read != "" {
		tx.Delete(s.table.Delete(topology.PK, key.PK).Range(topology.SK, key.SK).If("$ = ?", attrRevision, read))
	}
	return nil
}

// attrRevision changes with every write of an account's or member's item, so that others
// notice; it is the nonce of the last write.
const attrRevision = "revision"

// itemHeader has the attributes of both kinds of account item except the account itself.
type itemHeader struct {
	itemKey
	Version  int64  `dynamo:"version"`
	Revision string `dynamo:"revision"`
	// KeysOn says that the principal's keys are not disabled.
	KeysOn bool `dynamo:"keysOn"`
	// NetworkOff says that the keys are refused on the Talent Network.
	NetworkOff bool `dynamo:"networkOff,omitempty"`
	// KeysOwner is the id of the primary owner that the keys have.
	KeysOwner string `dynamo:"keysOwner,omitempty"`
	// Absent marks the item of a deleted account.
	Absent bool `dynamo:"absent,omitempty"`
}

type agencyItem struct {
	itemHeader
	Agency
}

type recruiterItem struct {
	itemHeader
	Recruiter
}

// missingIfAbsent returns err, and fault.Missing for an item that was not found or has no account.
func (m *itemHeader) missingIfAbsent(err error) error {
	if err == nil && (m.PK == "" || m.Absent) {
		return fault.Missing()
	}
	return err
}

// ifUnchanged adds the condition that the item still has the revision that was read; "" means
// that there was no item.
func ifUnchanged(put *dynamo.Put, revision string) *dynamo.Put {
	if revision == "" {
		return put.If("attribute_not_exists($)", topology.PK)
	}
	return put.If("$ = ?", attrRevision, revision)
}

// switchKeys adds to the transaction what the change means for the principal's
// keys: a new principal gets its keyring, a switched one has every key on the
// ring switched, provided the ring did not change since it was read.
func (s *Store) switchKeys(ctx context.Context, tx *dynamo.WriteTx, p Principal, old, next itemHeader) error {
	isSame := old.KeysOn == next.KeysOn && old.NetworkOff == next.NetworkOff && old.KeysOwner == next.KeysOwner
	if isSame && old.Revision != "" && !old.Absent {
		return nil
	}
	ring := keyring{itemKey: p.ringKey(), Keys: map[string]ringEntry{}}
	var err error = fault.Missing()
	if old.Revision != "" {
		err = s.readItem(ctx, ring.itemKey, &ring)
	}
	switch {
	case fault.IsMissing(err):
		tx.Put(s.table.Put(ring).If("attribute_not_exists($)", topology.PK))
		return nil
	case err != nil:
		return err
	}
	tx.Check(s.check(ring.itemKey).If("$ = ?", attrVersion, ring.Version))
	for _, e := range ring.Keys {
		tx.Update(apikey.Update(s.table, e.Hash).If("attribute_exists($)", topology.PK).
			Set(apikey.AttrDisabled, optional.NonZero(!next.KeysOn)). // which nil removes
			Set(apikey.AttrNetworkOff, optional.NonZero(next.NetworkOff)).
			Set(apikey.AttrPrimaryOwner, next.KeysOwner))
	}
	return nil
}
