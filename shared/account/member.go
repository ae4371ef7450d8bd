package account

import (
	"context"
	"slices"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Member is a recruiter of an agency. The zero value is not a member.
type Member struct {
	ID   string `dynamo:"id"`
	Name string `dynamo:"name"`
	// Email is canonical (package identity).
	Email string `dynamo:"email"`
	// Owner may administer the agency's keys.
	Owner    bool `dynamo:"owner"`
	Approved bool `dynamo:"approved"`
	// Deactivated is set by the agency on a member who left.
	Deactivated bool `dynamo:"deactivated"`
	// FastTrack says that fast-track is enabled for the member.
	FastTrack bool `dynamo:"fastTrack"`
}

// Active reports whether the member may act and be acted for: approved and not
// deactivated. API access of the agency does not matter: without it the keys stop, but the
// members stay members.
func (m Member) Active() bool { return m.Approved && !m.Deactivated }

// memberItem is a member as stored. A deleted one leaves its version behind, with the
// zero Member.
type memberItem struct {
	PK string `dynamo:"pk,hash"`
	SK string `dynamo:"sk,range"`
	Member
	Version  int64  `dynamo:"version"`
	Revision string `dynamo:"revision"`
}

// addressItem holds the members of one e-mail address, by id. It is written in the
// transactions that write those members, and deleted with the last of them.
type addressItem struct {
	PK       string            `dynamo:"pk,hash"`
	SK       string            `dynamo:"sk,range"`
	Members  map[string]Member `dynamo:"members"`
	Revision string            `dynamo:"revision"`
}

// preferred returns the member that the address refers to: of several who share it, an active one
// takes precedence, then the one with the lowest id.
func (a addressItem) preferred() Member {
	var first Member
	for _, m := range a.Members {
		if first.ID == "" || m.precedes(first) {
			first = m
		}
	}
	return first
}

// precedes reports whether an address that both members share refers to m.
func (m Member) precedes(other Member) bool {
	if m.Active() != other.Active() {
		return m.Active()
	}
	return m.ID < other.ID
}

// Members holds the members of an agency that were read.
type Members struct{ byID, byEmail map[string]Member }

// ByID returns a member by id; the zero value if the member does not exist or was not read.
func (m Members) ByID(id string) Member { return m.byID[id] }

// ByEmail returns a member by canonical e-mail address; the zero value as in [Members.ByID]. Of
// several who share an address, an active member takes precedence, then the lowest id.
func (m Members) ByEmail(canonicalEmail string) Member { return m.byEmail[canonicalEmail] }

// Active reports whether the member with the id was read and is active.
func (m Members) Active(id string) bool { return m.byID[id].Active() }

// Member returns the current state of a member; the zero value if there is none. One
// consistent read.
func (s *Store) Member(ctx context.Context, agencyID, id string) (_ Member, err error) {
	defer fault.Wrap(&err, "account.Member(agencyID, id)")

	pk, sk := itemkey.Member.Key(agencyID, id)
	var item memberItem
	err = s.readItem(ctx, pk, sk, &item)
	if fault.IsMissing(err) {
		return Member{}, nil
	}
	return item.Member, err
}

// Members returns members by their ids. A consistent read returns their current state; an
// inconsistent one costs half and may be a moment old.
func (s *Store) Members(ctx context.Context, agencyID string, ids []string, consistent bool) (_ Members, err error) {
	defer fault.Wrap(&err, "account.Members(agencyID, ids)")

	found, err := s.readItems(ctx, memberKeys(agencyID, ids, nil), consistent)
	return found.members, err
}

// ActiveMember returns the active member with the canonical e-mail address that was sent as
// recruiterEmail. Without such a member it returns a fault of that parameter.
func (s *Store) ActiveMember(ctx context.Context, agencyID, canonicalEmail string) (_ Member, err error) {
	defer fault.Wrap(&err, "account.ActiveMember(agencyID, canonicalEmail)")

	var item addressItem
	if canonicalEmail != "" { // DynamoDB has no empty keys
		pk, sk := itemkey.MemberAddress.Key(agencyID, canonicalEmail)
		err = s.readItem(ctx, pk, sk, &item)
	}
	if err != nil && !fault.IsMissing(err) {
		return Member{}, err
	}
	m := item.preferred()
	if !m.Active() {
		return Member{}, fault.Field(contract.ValidationFailed, "recruiterEmail",
			"recruiterEmail: must be the e-mail address of a currently approved member of the agency.")
	}
	return m, nil
}

// ListMembers returns at most limit of the approved members, deactivated ones included, by e-mail
// address: the member that each address refers to. It begins after the address after ("" for the
// first page). next is the position after the page; "" if it is the last one. One query. A page is
// shorter where addresses refer to members who are not approved.
func (s *Store) ListMembers(ctx context.Context, agencyID, after string, limit int) (page []Member, next string, err error) {
	defer fault.Wrap(&err, "account.ListMembers(agencyID, after)")

	var found []addressItem
	query := s.table.Get(topology.PK, itemkey.MemberAddress.PK(agencyID)).Consistent(!cloud.IsEventual(ctx))
	query.RequestLimit(1).SearchLimit(limit + 1)
	if after != "" {
		query.Range(topology.SK, dynamo.Greater, after)
	}
	cut, err := query.AllWithLastEvaluatedKey(ctx, &found)
	if err != nil {
		return nil, "", err
	}
	if len(found) > limit || cut != nil { // DynamoDB cuts a page of a megabyte off
		found = found[:min(len(found), limit)]
		next = found[len(found)-1].SK
	}
	for _, address := range found {
		if m := address.preferred(); m.Approved {
			page = append(page, m)
		}
	}
	return page, next, nil
}

// RequireActiveMember returns a condition for a transaction: that the member is approved and not deactivated.
func (s *Store) RequireActiveMember(agencyID, memberID string) *dynamo.ConditionCheck {
	pk, sk := itemkey.Member.Key(agencyID, memberID)
	return s.table.Check(topology.PK, pk).Range(topology.SK, sk).If("$ = ? AND $ = ?", "approved", true, "deactivated", false)
}

// memberKeys returns the keys of the members with these ids and of these e-mail addresses,
// without duplicates.
func memberKeys(agencyID string, ids, emails []string) []dynamo.Keyed {
	var keys []dynamo.Keyed
	add := func(kind itemkey.Kind, values []string) {
		for _, value := range slices.Compact(slices.Sorted(slices.Values(values))) {
			if value != "" {
				pk, sk := kind.Key(agencyID, value)
				keys = append(keys, dynamo.Keys{pk, sk})
			}
		}
	}
	add(itemkey.Member, ids)
	add(itemkey.MemberAddress, emails)
	return keys
}
