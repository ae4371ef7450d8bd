package account

import (
	"context"
	"slices"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology/itemkey"
)

// Member is a recruiter of an agency. The zero value is no member.
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
// deactivated. A switched-off agency does not enter into it: its members stay
// members, only its keys stop.
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
// transactions that write them, and is gone with the last one.
type addressItem struct {
	PK       string            `dynamo:"pk,hash"`
	SK       string            `dynamo:"sk,range"`
	Members  map[string]Member `dynamo:"members"`
	Revision string            `dynamo:"revision"`
}

// preferred returns the member whom the address stands for: of several who share it, an
// active member goes first, then the lowest id.
func (a addressItem) preferred() Member {
	var first Member
	for _, m := range a.Members {
		if first.ID == "" || m.Active() && !first.Active() || m.Active() == first.Active() && m.ID < first.ID {
			first = m
		}
	}
	return first
}

// Members are those members of an agency that were asked for.
type Members struct{ byID, byEmail map[string]Member }

// ByID returns a member by id; the zero one if there is none, or it was not asked for.
func (m Members) ByID(id string) Member { return m.byID[id] }

// ByEmail returns a member by canonical e-mail address, as ByID. Of several who share
// one, an active member goes first, then the lowest id.
func (m Members) ByEmail(canonicalEmail string) Member { return m.byEmail[canonicalEmail] }

// Active reports whether there is an active member with the id.
func (m Members) Active(id string) bool { return m.byID[id].Active() }

// Member returns a member as it is now; the zero one if there is none.
func (s *Store) Member(ctx context.Context, agencyID, id string) (Member, error) {
	pk, sk := itemkey.Member.Key(agencyID, id)
	var item memberItem
	err := s.readItem(ctx, pk, sk, &item)
	if isMissing(err) {
		return Member{}, nil
	}
	return item.Member, err
}

// Members returns members by their ids: as they are now if consistent, and else, at half
// the cost, as they were a moment ago at worst.
func (s *Store) Members(ctx context.Context, agencyID string, ids []string, consistent bool) (Members, error) {
	found, err := s.readItems(ctx, memberKeys(agencyID, ids, nil), consistent)
	return found.members, err
}

// ActiveMember returns the active member of a canonical e-mail address that was sent as
// recruiterEmail. Any other address is a fault of that parameter.
func (s *Store) ActiveMember(ctx context.Context, agencyID, canonicalEmail string) (Member, error) {
	pk, sk := itemkey.MemberAddress.Key(agencyID, canonicalEmail)
	var item addressItem
	err := s.readItem(ctx, pk, sk, &item)
	if err != nil && !isMissing(err) {
		return Member{}, err
	}
	m := item.preferred()
	if !m.Active() {
		return Member{}, fault.Field(contract.ValidationFailed, "recruiterEmail",
			"recruiterEmail: is no currently approved member of the agency. Send the e-mail address of one.")
	}
	return m, nil
}

// RequireActiveMember returns a condition for a transaction: that the member is approved and not deactivated.
func (s *Store) RequireActiveMember(agencyID, memberID string) *dynamo.ConditionCheck {
	pk, sk := itemkey.Member.Key(agencyID, memberID)
	return s.table.Check(topology.PK, pk).Range(topology.SK, sk).If("$ = ? AND $ = ?", "approved", true, "deactivated", false)
}

// memberKeys returns the keys of members and of e-mail addresses, each once.
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
