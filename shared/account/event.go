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

// ApplyAgency stores an agency without its members; nil deletes it. If that switches API access
// off or on, the agency's keys are disabled, or all but the revoked ones restored, in the same
// transaction. Talent Network access is switched likewise; without it the keys are refused only on
// its routes.
func (s *Store) ApplyAgency(ctx context.Context, id string, version int64, a *Agency) (err error) {
	defer fault.Wrap(&err, "account.ApplyAgency(id)")

	next := itemHeader{Version: version, Absent: true}
	var stored Agency
	if a != nil {
		next = itemHeader{Version: version, KeysOn: a.APIAccess, NetworkOff: !a.TalentNetworkAccess, KeysOwner: a.PrimaryOwner}
		stored = *a
	}
	stored.ID = id
	p := Principal{Type: contract.AgencyKey, ID: id}
	return s.applyItem(ctx, p, next, func(h itemHeader) any { return agencyItem{h, stored} })
}

// ApplyRecruiter stores a recruiter; nil deletes them. If that switches the ability to recruit or
// to have personal keys, the keys are switched in the same transaction.
func (s *Store) ApplyRecruiter(ctx context.Context, id string, version int64, r *Recruiter) (err error) {
	defer fault.Wrap(&err, "account.ApplyRecruiter(id)")

	next := itemHeader{Version: version, Absent: true}
	var stored Recruiter
	if r != nil {
		next = itemHeader{Version: version, KeysOn: r.keysOn()}
		stored = *r
	}
	stored.ID = id
	p := Principal{Type: contract.PersonalKey, ID: id}
	return s.applyItem(ctx, p, next, func(h itemHeader) any { return recruiterItem{h, stored} })
}

// applyItem stores an account's item, which build makes of its header, unless the stored one is as
// new as next.
func (s *Store) applyItem(ctx context.Context, p Principal, next itemHeader, build func(itemHeader) any) error {
	next.PK, next.SK = p.itemKey()
	for range attempts {
		var old itemHeader
		err := s.readItem(ctx, next.PK, next.SK, &old)
		if err != nil && !fault.IsMissing(err) {
			return err
		}
		if old.Version >= next.Version {
			return nil
		}
		next.Revision = newRevision()
		err = s.replaceItem(ctx, p, old, next, build(next))
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
