// Package account stores agencies with their capabilities and members, recruiters, and
// the API keys of both.
//
// All of it lives in the table topology.Accounts, in the items that package itemkey lists; a key's item is laid out by
// package apikey.
//
// A key is created, revoked, disabled and restored in transactions over these
// items, so that the number of active keys and the state of a switched-off
// account are exact at every moment. Writes are safe to repeat: a repeat after a lost
// answer finds its own id and returns the same.
//
// The package decides who may administer which key. It does not authenticate:
// who acts comes in as a parameter, and so do the time, ids and the new key's
// hash. It never sees a key.
package account

import (
	"context"
	"errors"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Store reads and writes accounts. It is safe for use by several goroutines.
type Store struct {
	table dynamo.Table
	write func() *dynamo.WriteTx
}

// Open opens the store by the names in the function's environment.
func Open(o *cloud.Opener) *Store { return NewStore(o.Table(topology.Accounts), o.Write) }

// NewStore returns a store on the table topology.Accounts; write starts a transaction
// on the database that the table is in.
func NewStore(table dynamo.Table, write func() *dynamo.WriteTx) *Store {
	return &Store{table: table, write: write}
}

// Agency returns an agency as it is now; fault.Missing if there is none.
func (s *Store) Agency(ctx context.Context, id string) (_ Agency, err error) {
	defer fault.Wrap(&err, "account.Agency(id)")

	var item agencyItem
	err = s.readItem(ctx, keyOf(itemkey.Agency, id), &item)
	return item.Agency, item.missingIfAbsent(err)
}

// Recruiter returns a recruiter as it is now; fault.Missing if there is none.
func (s *Store) Recruiter(ctx context.Context, id string) (_ Recruiter, err error) {
	defer fault.Wrap(&err, "account.Recruiter(id)")

	var item recruiterItem
	err = s.readItem(ctx, keyOf(itemkey.Recruiter, id), &item)
	return item.Recruiter, item.missingIfAbsent(err)
}

type itemKey struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
}

func keyOf(kind itemkey.Kind, values ...string) itemKey {
	pk, sk := kind.Key(values...)
	return itemKey{pk, sk}
}

// HashKey implements dynamo.Keyed.
func (k itemKey) HashKey() any { return k.PK }

// RangeKey implements dynamo.Keyed.
func (k itemKey) RangeKey() any { return k.SK }

// readItem reads one item, consistently unless the context says otherwise ([cloud.Eventually]).
func (s *Store) readItem(ctx context.Context, key itemKey, out any) error {
	query := s.table.Get(topology.PK, key.PK).Range(topology.SK, dynamo.Equal, key.SK)
	err := query.Consistent(!cloud.IsEventual(ctx)).One(ctx, out)
	if errors.Is(err, dynamo.ErrNotFound) {
		return fault.Missing()
	}
	return err
}

// AgencyWithMembers returns the current state of an agency and of some of its members, by ids
// and by canonical e-mail addresses; fault.Missing if the agency does not exist. It costs one call
// for up to 99 ids and addresses.
func (s *Store) AgencyWithMembers(ctx context.Context, id string, ids, emails []string) (_ Agency, _ Members, err error) {
	defer fault.Wrap(&err, "account.AgencyWithMembers(id, ids, emails)")

	found, err := s.readItems(ctx, append(memberKeys(id, ids, emails), keyOf(itemkey.Agency, id)))
	return found.agency.Agency, found.members, found.agency.missingIfAbsent(err)
}

// accountItems holds items of the table by their kind; those that were not found are zero.
type accountItems struct {
	agency    agencyItem
	recruiter recruiterItem
	members   Members
}

func (s *Store) readItems(ctx context.Context, keys []dynamo.Keyed) (accountItems, error) {
	found := accountItems{members: Members{map[string]memberItem{}, map[string]Member{}}}
	items, err := cloud.GetItems[dynamo.Item](ctx, s.table, keys, !cloud.IsEventual(ctx))
	for _, item := range items {
		var sk string
		_ = dynamo.Unmarshal(item[topology.SK], &sk) // every key is a text
		var itemErr error
		switch sk {
		case itemkey.Agency.Sort:
			itemErr = cloud.DecodeItem(item, &found.agency)
		case itemkey.Recruiter.Sort:
			itemErr = cloud.DecodeItem(item, &found.recruiter)
		case itemkey.Member.Sort:
			var m memberItem
			itemErr = cloud.DecodeItem(item, &m)
			found.members.byID[m.ID] = m
		default:
			var a addressItem
			itemErr = dynamo.UnmarshalItem(item, &a)
			m := a.preferred()
			found.members.byEmail[m.Email] = m
		}
		err = errors.Join(err, itemErr)
	}
	return found, err
}

// Agency is a recruiting agency with its capabilities. Its members are separate items, so
// reading it costs the same for any number of members.
type Agency struct {
	ID   string `dynamo:"id"`
	Name string `dynamo:"name"`
	// APIAccess lets owners create agency keys; without it the agency's keys
	// are refused.
	APIAccess bool `dynamo:"apiAccess"`
	// TalentNetworkAccess offers the talent_network scopes.
	TalentNetworkAccess bool `dynamo:"talentNetworkAccess"`
	// TalentNetworkManagement lets the agency submit and take off market.
	TalentNetworkManagement bool `dynamo:"talentNetworkManagement"`
	// HidesPayment hides fees from its members, owners aside.
	HidesPayment bool `dynamo:"hidesPayment,omitempty"`
	// PrimaryOwner is the id of the one member that candidates belong to if the
	// submission names no member.
	PrimaryOwner string `dynamo:"primaryOwner"`
}

// RequireManagement refuses, with fault.Forbidden, an agency that may neither submit
// candidates nor take them off the market.
func (a Agency) RequireManagement() error {
	if a.TalentNetworkManagement {
		return nil
	}
	return fault.New(fault.Forbidden, contract.TalentNetworkDisabled,
		"Talent Network management is not enabled for this agency. Ask your marketplace contact to enable it.")
}

// Recruiter is an account of the recruiter surface.
type Recruiter struct {
	ID   string `dynamo:"id"`
	Name string `dynamo:"name"`
	// Email is canonical (package identity).
	Email string `dynamo:"email"`
	// AgencyID is empty for a recruiter of no agency.
	AgencyID string `dynamo:"agencyId,omitempty"`
	// CanRecruit: without it the recruiter's keys are refused.
	CanRecruit bool `dynamo:"canRecruit"`
	// PersonalKeys enables personal keys: without it none is created, and those that exist are refused.
	PersonalKeys bool `dynamo:"personalKeys"`
	// Recommendations says that recommended roles are enabled.
	Recommendations bool `dynamo:"recommendations,omitempty"`
}
