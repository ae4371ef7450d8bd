package account

import (
	"cmp"
	"slices"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
	"github.com/recruiting-marketplace/external-api/shared/cloud/topology"
)

// Agency is a recruiting agency with its capabilities and members.
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
	// PrimaryOwner is the id of the one member whom candidates belong to if the
	// submission names no member.
	PrimaryOwner string `dynamo:"primaryOwner"`
	// Members by id, deactivated ones included.
	Members map[string]Member `dynamo:"members"`
	// Version is the marketplace's: a put that is older than what is stored
	// changes nothing. Puts of one version follow each other.
	Version int64 `dynamo:"version"`
}

// Member is a recruiter of an agency.
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

// MemberByEmail returns a member by canonical e-mail address. Of several that
// share one, an active member goes first, then the lowest id.
func (a Agency) MemberByEmail(canonicalEmail string) (Member, bool) {
	var found []Member
	for _, m := range a.Members {
		if canonicalEmail != "" && m.Email == canonicalEmail {
			found = append(found, m)
		}
	}
	if len(found) == 0 {
		return Member{}, false
	}
	return slices.MinFunc(found, func(x, y Member) int {
		switch {
		case x.Active() == y.Active():
			return cmp.Compare(x.ID, y.ID)
		case x.Active():
			return -1
		}
		return 1
	}), true
}

// ActiveMember returns the active member of a canonical e-mail address that was sent as
// recruiterEmail. Any other address is a fault of that parameter.
func (a Agency) ActiveMember(canonicalEmail string) (Member, error) {
	m, _ := a.MemberByEmail(canonicalEmail)
	if !m.Active() {
		return m, fault.Field(contract.ValidationFailed, "recruiterEmail",
			"recruiterEmail: is no currently approved member of the agency. Send the e-mail address of one.")
	}
	return m, nil
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

// RequireActiveMember returns a condition for a transaction: that the member is approved and not deactivated.
func (s *Store) RequireActiveMember(agencyID, memberID string) *dynamo.ConditionCheck {
	return s.table.Check(topology.PK, agencyKey(agencyID)).Range(topology.SK, agencySK).
		If("$.$.$ = ? AND $.$.$ = ? AND attribute_not_exists($)",
			attrMembers, memberID, "approved", true,
			attrMembers, memberID, "deactivated", false, "absent")
}
