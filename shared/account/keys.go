package account

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/apikey"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// attempts bounds the retries of a write after conflicts. Each conflict is the
// success of another, so the bound is far above what contention takes.
const attempts = 100

var errContention = errors.New("too many concurrent updates")

// Principal is the account that a key acts as: an agency (agency key) or a recruiter
// (personal key).
type Principal struct {
	Type contract.KeyType
	ID   string
}

// maxActive is the number of active keys a principal may have (contract, Limits).
var maxActive = map[contract.KeyType]int{contract.AgencyKey: 50, contract.PersonalKey: 5}

func (p Principal) ringKey() itemKey { return keyOf(itemkey.Keyring, string(p.Type), p.ID) }

type administrator struct {
	Principal
	// actor is the owner of the agency, or the recruiter.
	actor Member
	// refusal says why the actor may create no key now; nil if allowed.
	refusal error
	// networkOff says that the principal is an agency without Talent Network access.
	networkOff bool
	// primaryOwner is the id of the agency's primary owner.
	primaryOwner string
	// unchanged are conditions for a transaction: the items of the principal and of the
	// actor have not changed since they were read.
	unchanged []*dynamo.ConditionCheck
}

// authorizeActor returns the actor if he or she may administer the principal's keys. It
// fails with fault.Missing for an outsider, and with fault.Forbidden and the reason for
// a member who is not an owner.
func (s *Store) authorizeActor(ctx context.Context, p Principal, actor string) (administrator, error) {
	switch p.Type {
	case contract.AgencyKey:
		return s.authorizeOwner(ctx, p, actor)
	case contract.PersonalKey:
		return s.authorizeRecruiter(ctx, p, actor)
	}
	return administrator{}, fault.Field(contract.ValidationFailed, "type", "Must be agency or personal.")
}

func (s *Store) authorizeOwner(ctx context.Context, p Principal, actor string) (administrator, error) {
	agencyKey := keyOf(itemkey.Agency, p.ID)
	memberKey := keyOf(itemkey.Member, p.ID, actor)
	found, err := s.readItems(ctx, []dynamo.Keyed{agencyKey, memberKey})
	agency := found.agency
	member := found.members.byID[actor]
	switch err := agency.missingIfAbsent(err); {
	case err != nil:
		return administrator{}, err
	case member.ID == "":
		return administrator{}, fault.Missing()
	case !member.Owner || !member.Active():
		return administrator{}, forbiddenError("Only an owner of the agency can manage its keys.")
	}
	out := administrator{
		Principal: p, actor: member.Member, networkOff: !agency.TalentNetworkAccess, primaryOwner: agency.PrimaryOwner,
		unchanged: []*dynamo.ConditionCheck{
			s.requireUnchanged(agencyKey, agency.Revision), s.requireUnchanged(memberKey, member.Revision),
		},
	}
	if !agency.APIAccess {
		out.refusal = forbiddenError("API access is not enabled for this agency. Ask the marketplace to enable it.")
	}
	return out, nil
}

func (s *Store) authorizeRecruiter(ctx context.Context, p Principal, actor string) (administrator, error) {
	if actor != p.ID {
		return administrator{}, fault.Missing()
	}
	var recruiter recruiterItem
	key := keyOf(itemkey.Recruiter, p.ID)
	if err := recruiter.missingIfAbsent(s.readItem(ctx, key, &recruiter)); err != nil {
		return administrator{}, err
	}
	out := administrator{
		Principal: p, actor: Member{ID: actor, Name: recruiter.Name, Email: recruiter.Email},
		unchanged: []*dynamo.ConditionCheck{s.requireUnchanged(key, recruiter.Revision)},
	}
	switch {
	case !recruiter.CanRecruit:
		out.refusal = forbiddenError("This account cannot recruit at the moment; no new keys can be created.")
	case !recruiter.PersonalKeys:
		out.refusal = forbiddenError("Personal keys are not enabled for this account. Ask the marketplace to enable them.")
	}
	return out, nil
}

func (s *Store) requireUnchanged(key itemKey, revision string) *dynamo.ConditionCheck {
	return s.check(key).If("$ = ?", attrRevision, revision)
}

func (s *Store) check(key itemKey) *dynamo.ConditionCheck {
	return s.table.Check(topology.PK, key.PK).Range(topology.SK, key.SK)
}

func forbiddenError(message string) error {
	return fault.New(fault.Forbidden, contract.NoCode, message)
}

// CreateKey stores the key with a hash, of its Principal and by its Creator, as asked: with what
// package apikey generated, and a unique id that sorts by time, as "key_" and a ULID. It fails with
// fault.Missing for an outsider, Forbidden where the actor, the account or the limit of active
// keys forbids it, and Invalid, naming the fields, where the request is wrong.
func (s *Store) CreateKey(ctx context.Context, asked apikey.Caller, hash string) (_ Key, err error) {
	defer fault.Wrap(&err, "account.CreateKey(principalID)")

	p := Principal{asked.Type, asked.Principal}
	now := cloud.FromMillis(asked.CreatedAt)
	for range attempts {
		by, err := s.authorizeActor(ctx, p, asked.Creator)
		if err != nil {
			return Key{}, err
		}
		record, err := by.buildRecord(asked, hash)
		if err != nil {
			return Key{}, err
		}
		var ring keyring
		if err := s.readItem(ctx, p.ringKey(), &ring); err != nil {
			return Key{}, err
		}
		limit := maxActive[by.Type]
		expired := ring.expiredIDs(now)
		switch {
		case ring.Keys[asked.KeyID].Hash == hash:
			return Key{record, by.actor}, nil // an attempt of ours that lost its answer
		case by.refusal != nil:
			return Key{}, by.refusal
		case len(ring.Keys)-len(expired) >= limit:
			return Key{}, forbiddenError(fmt.Sprintf("The limit of %d active keys is reached. Revoke one first.", limit))
		}
		// The key, its pointer and its place on the ring are written together, if the account is unchanged since it was
		// read and the ring is not full. Up to prunedAtOnce expired keys leave the ring.
		tx := s.write()
		for _, unchanged := range by.unchanged {
			tx.Check(unchanged)
		}
		lead := pointer{keyOf(itemkey.KeyPointer, string(p.Type), p.ID, record.KeyID), hash}
		expired = expired[:min(len(expired), prunedAtOnce)]
		join := s.updateRing(p).Set(keyPath(record.KeyID), ringEntry{Hash: hash, ExpiresAt: record.ExpiresAt})
		for _, gone := range expired {
			join.Remove(keyPath(gone)).If("attribute_exists($.$)", attrKeys, gone)
		}
		err = tx.
			Put(s.table.Put(record).If("attribute_not_exists($)", topology.PK)).
			Put(s.table.Put(lead).If("attribute_not_exists($)", topology.PK)).
			Update(join.If("size($) < ?", attrKeys, limit+len(expired))).
			Run(ctx)
		if err == nil {
			return Key{record, by.actor}, nil
		}
		if !dynamo.IsCondCheckFailed(err) {
			return Key{}, err
		}
	}
	return Key{}, errContention
}

// RevokeKey ends a key: the very next request with it is refused. Revoking it
// again returns the same. It fails with fault.Missing for an outsider or an
// unknown id, and Forbidden for a member who is not an owner.
func (s *Store) RevokeKey(ctx context.Context, p Principal, actor, id string, now time.Time) (_ Key, err error) {
	defer fault.Wrap(&err, "account.RevokeKey(actor, id)")

	by, hash, err := s.findHash(ctx, p, actor, id)
	if err != nil {
		return Key{}, err
	}
	err = s.write().
		Update(apikey.Update(s.table, hash).SetIfNotExists(apikey.AttrRevokedAt, cloud.ToMillis(now)).If("attribute_exists($)", topology.PK)).
		Update(s.updateRing(p).Remove(keyPath(id)).If("attribute_exists($)", topology.PK)).
		Run(ctx)
	if err != nil {
		return Key{}, err
	}
	var record apikey.Record
	if err := s.readItem(ctx, keyOf(itemkey.APIKey, hash), &record); err != nil {
		return Key{}, err
	}
	return s.toKey(ctx, by, record)
}

// RenameKey sets a key's display name; errors as RevokeKey, and Invalid
// for a name that is not 1 to 100 characters.
func (s *Store) RenameKey(ctx context.Context, p Principal, actor, id, name string) (_ Key, err error) {
	defer fault.Wrap(&err, "account.RenameKey(actor, id, name)")

	name, problem := cleanName(name)
	if problem != "" {
		return Key{}, fault.Field(contract.ValidationFailed, "name", problem)
	}
	by, hash, err := s.findHash(ctx, p, actor, id)
	if err != nil {
		return Key{}, err
	}
	var record apikey.Record
	err = apikey.Update(s.table, hash).Set(apikey.AttrName, name).
		If("attribute_exists($)", topology.PK).Value(ctx, &record)
	if err != nil {
		return Key{}, err
	}
	return s.toKey(ctx, by, record)
}

// findHash returns the hash of a key by its id, if the actor may administer it.
func (s *Store) findHash(ctx context.Context, p Principal, actor, id string) (by administrator, hash string, err error) {
	by, err = s.authorizeActor(ctx, p, actor)
	if err != nil {
		return by, "", err
	}
	var found pointer
	err = s.readItem(ctx, keyOf(itemkey.KeyPointer, string(p.Type), p.ID, id), &found)
	return by, found.Hash, err
}

// pageSize is how many keys a page of a list has: one batch of reads.
const pageSize = 100

// ListKeys lists a principal's keys, newest first: active, expired and revoked
// ones. cursor is empty or the next of the page before; next is empty
// on the last page. Errors as RevokeKey.
func (s *Store) ListKeys(ctx context.Context, p Principal, actor, cursor string) (keys []Key, next string, err error) {
	defer fault.Wrap(&err, "account.ListKeys(actor, cursor)")

	by, err := s.authorizeActor(ctx, p, actor)
	if err != nil {
		return nil, "", err
	}
	var found []pointer // one page and one more
	err = s.table.Get(topology.PK, itemkey.KeyPointer.PK(string(p.Type), p.ID)).
		Range(topology.SK, dynamo.Between, itemkey.KeyPointer.Prefix(), itemkey.KeyPointer.SK(cmp.Or(cursor, "~"))). // after every id
		Order(dynamo.Descending).Consistent(true).RequestLimit(1).SearchLimit(pageSize+1).All(ctx, &found)
	if err != nil {
		return nil, "", err
	}
	if len(found) > pageSize {
		values, _ := itemkey.KeyPointer.ParseSK(found[pageSize].SK)
		next = values[0]
		found = found[:pageSize]
	}
	wanted := make([]dynamo.Keyed, len(found))
	for i, f := range found {
		wanted[i] = keyOf(itemkey.APIKey, f.Hash)
	}
	records, err := cloud.GetItems[apikey.Record](ctx, s.table, wanted, true)
	if err != nil {
		return nil, "", err
	}
	slices.SortFunc(records, func(a, b apikey.Record) int { return cmp.Compare(b.KeyID, a.KeyID) })
	keys, err = s.toKeys(ctx, by, records)
	return keys, next, err
}

// toKeys returns keys as their administrator sees them, with their creators as they are now.
func (s *Store) toKeys(ctx context.Context, by administrator, records []apikey.Record) ([]Key, error) {
	var others []string
	for _, r := range records {
		if r.Creator != by.actor.ID {
			others = append(others, r.Creator)
		}
	}
	members, err := s.Members(ctx, by.ID, others)
	if err != nil {
		return nil, err
	}
	keys := make([]Key, len(records))
	for i, r := range records {
		creator := by.actor
		if r.Creator != by.actor.ID {
			creator = members.ByID(r.Creator)
		}
		keys[i] = Key{r, creator}
	}
	return keys, nil
}

func (s *Store) toKey(ctx context.Context, by administrator, record apikey.Record) (Key, error) {
	keys, err := s.toKeys(ctx, by, []apikey.Record{record})
	if err != nil {
		return Key{}, err
	}
	return keys[0], nil
}
