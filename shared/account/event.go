package account

import (
	"context"
	"math/rand/v2"
	"strconv"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// The marketplace's events come in any order and more than once. Each of these changes is dropped
// unless it is newer than what is stored, and a deletion leaves its version behind. An agency and
// each of its members have separate events and separate items: members may arrive before their
// agency.

// ApplyAgency stores an agency without its members; nil deletes it. If that switches API or
// Talent Network access, the keys are switched in the same transaction.
func (s *Store) ApplyAgency(ctx context.Context, id string, version int64, a *Agency) (err error) {
	defer fault.Wrap(&err, "account.ApplyAgency(id)")

	next := agencyItem{itemHeader: itemHeader{Absent: a == nil}}
	if a != nil {
		next = agencyItem{newAgencyHeader(*a), *a}
	}
	next.ID = id
	next.Version = version
	p := Principal{Type: contract.AgencyKey, ID: id}
	return applyItem(ctx, s, p, next, func(old agencyItem) bool { return old.Version < version })
}

// ApplyRecruiter stores a recruiter; nil deletes them. If that switches the ability to recruit or
// to have personal keys, the keys are switched in the same transaction.
func (s *Store) ApplyRecruiter(ctx context.Context, id string, version int64, r *Recruiter) (err error) {
	defer fault.Wrap(&err, "account.ApplyRecruiter(id)")

	next := recruiterItem{itemHeader: itemHeader{Absent: r == nil}}
	if r != nil {
		next = recruiterItem{itemHeader{KeysOn: r.keysOn()}, *r}
	}
	next.ID = id
	next.Version = version
	p := Principal{Type: contract.PersonalKey, ID: id}
	return applyItem(ctx, s, p, next, func(old recruiterItem) bool { return old.Version < version })
}

// headedItem is an account's item of either kind.
type headedItem interface{ headerRef() *itemHeader }

func (m *itemHeader) headerRef() *itemHeader { return m }

// missingIfAbsent returns err, and fault.Missing for an item without its account.
func (m *itemHeader) missingIfAbsent(err error) error {
	if err == nil && m.Absent {
		return fault.Missing()
	}
	return err
}

// applyItem replaces an account's item if replaces reports that the old one may be replaced.
func applyItem[T any, P interface {
	*T
	headedItem
}](ctx context.Context, s *Store, p Principal, next T, replaces func(old T) bool) error {
	newHeader := P(&next).headerRef()
	newHeader.PK, newHeader.SK = p.itemKey()
	for range attempts {
		var old T
		err := s.readItem(ctx, newHeader.PK, newHeader.SK, &old)
		if err != nil && !fault.IsMissing(err) {
			return err
		}
		if !replaces(old) {
			return nil
		}
		oldHeader := *P(&old).headerRef()
		newHeader.Revision = newRevision()
		err = s.replaceItem(ctx, p, oldHeader, *newHeader, next)
		if !dynamo.IsCondCheckFailed(err) {
			return err
		}
	}
	return errContention
}

// replaceItem writes an item in place of the one that was read, with the resulting changes to its
// keys.
func (s *Store) replaceItem(ctx context.Context, p Principal, old, next itemHeader, item any) error {
	tx := s.write()
	if old.Revision != "" || !next.Absent {
		if err := s.switchKeys(ctx, tx, p, old, next); err != nil {
			return err
		}
	}
	return tx.Put(ifUnchanged(s.table.Put(item), old.Revision)).Run(ctx)
}

func newRevision() string { return strconv.FormatUint(rand.Uint64(), 36) }
