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
	itemKey
	Member
	Version  int64  `dynamo:"version"`
	Revision string `dynamo:"revision"`
}

// addressItem holds the members of one e-mail address, by id. It is written in the
// transactions that write those members, and deleted with the last of them.
type addressItem struct {
	itemKey
	Members  map[string]Member `dynamo:"members"`
	Revision string            `dynamo:"revision"`
}

// preferred returns the member that the address refers to: of several who share it, an active one
// takes precedence, then the one with the lowest id.
func (a addressItem) preferred() Member {
	var first Member
	for _, m := range a.Members {
		precedes := m.ID < first.ID
		if m.Active() != first.Active() {
			precedes = m.Active()
		}
		if first.ID == "" || precedes {
			first = m
		}
	}
	return first
}

// Members holds the members of an agency that were read.
type Members struct {
	byID    map[string]memberItem
	byEmail map[string]Member
}

// ByID returns a member by id; the zero value if the member does not exist or was not read.
func (m Members) ByID(id string) Member { return m.byID[id].Member }

// ByEmail returns a member by canonical e-mail address; the zero value as in [Members.ByID]. Of
// several who share an address, an active member takes precedence, then the lowest id.
func (m Members) ByEmail(canonicalEmail string) Member { return m.byEmail[canonicalEmail] }

// Member returns the current state of a member; the zero value if there is none. One
// consistent read.
func (s *Store) Member(ctx context.Context, agencyID, id string) (_ Member, err error) {
	defer fault.Wrap(&err, "account.Member(agencyID, id)")

	var item memberItem
	err = s.readItem(ctx, keyOf(itemkey.Member, agencyID, id), &item)
	if fault.IsMissing(err) {
		return Member{}, nil
	}
	return item.Member, err
}

// Members returns members by their ids.
func (s *Store) Members(ctx context.Context, agencyID string, ids []string) (_ Members, err error) {
	defer fault.Wrap(&err, "account.Members(agencyID, ids)")

	found, err := s.readItems(ctx, memberKeys(agencyID, ids, nil))
	return found.members, err
}

// ActiveMember returns the active member with the canonical e-mail address that was sent as
// recruiterEmail. Without such a member it returns a fault of that parameter.
func (s *Store) ActiveMember(ctx context.Context, agencyID, canonicalEmail string) (_ Member, err error) {
	defer fault.Wrap(&err, "account.ActiveMember(agencyID, canonicalEmail)")

	var item addressItem
	if canonicalEmail != "" { // DynamoDB has no empty keys
		err = s.readItem(ctx, keyOf(itemkey.MemberAddress, agencyID, canonicalEmail), &item)
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
	return s.check(keyOf(itemkey.Member, agencyID, memberID)).If("$ = ? AND $ = ?", "approved", true, "deactivated", false)
}

// memberKeys returns each key once.
func memberKeys(agencyID string, ids, emails []string) []dynamo.Keyed {
	var keys []dynamo.Keyed
	add := func(kind itemkey.Kind, values []string) {
		for _, value := range slices.Compact(slices.Sorted(slices.Values(values))) {
			if value != "" {
				keys = append(keys, keyOf(kind, agencyID, value))
			}
		}
	}
	add(itemkey.Member, ids)
	add(itemkey.MemberAddress, emails)
	return keys
}

// Standing is a recruiter with the agency for which he or she works.
type Standing struct {
	Recruiter Recruiter
	// Agency is nil for a recruiter without an agency.
	Agency *Agency
	// Member is the recruiter as a member of the agency; the zero value if he or she is not
	// an active member.
	Member Member
}

// FeesHidden reports whether the agency hides payment from the recruiter: from all
// members but its owners.
func (s Standing) FeesHidden() bool {
	return s.Agency != nil && s.Agency.HidesPayment && !s.Member.Owner
}

// Standing returns the current state of a recruiter and the agency; fault.Missing if there is no
// such recruiter. It costs one call if guess is the agency's id, otherwise two; guess may be empty.
func (s *Store) Standing(ctx context.Context, recruiterID, guess string) (_ Standing, err error) {
	defer fault.Wrap(&err, "account.Standing(recruiterID, guess)")

	wanted := []dynamo.Keyed{keyOf(itemkey.Recruiter, recruiterID)}
	if guess != "" {
		wanted = append(wanted, keyOf(itemkey.Agency, guess), keyOf(itemkey.Member, guess, recruiterID))
	}
	found, err := s.readItems(ctx, wanted)
	if err := found.recruiter.missingIfAbsent(err); err != nil {
		return Standing{}, err
	}
	r := found.recruiter.Recruiter
	if r.AgencyID != guess || found.agency.PK == "" {
		return s.StandingOf(ctx, r)
	}
	return newStanding(r, found.agency.Agency, found.members, found.agency.missingIfAbsent(nil))
}

// StandingOf returns a recruiter who was already read, with the current state of the agency.
func (s *Store) StandingOf(ctx context.Context, r Recruiter) (_ Standing, err error) {
	defer fault.Wrap(&err, "account.StandingOf(recruiterID)")

	if r.AgencyID == "" {
		return Standing{Recruiter: r}, nil
	}
	agency, members, err := s.AgencyWithMembers(ctx, r.AgencyID, []string{r.ID}, nil)
	return newStanding(r, agency, members, err)
}

// newStanding returns the standing of a recruiter. err is that of reading the agency; the
// agency's event may not have arrived yet.
func newStanding(r Recruiter, a Agency, members Members, err error) (Standing, error) {
	out := Standing{Recruiter: r}
	switch {
	case fault.IsMissing(err):
		return out, nil
	case err != nil:
		return Standing{}, err
	}
	out.Agency = &a
	if m := members.ByID(r.ID); m.Active() {
		out.Member = m
	}
	return out, nil
}
