// Package demo is invented marketplace data to try the API with: two agencies,
// their members in every state, and recruiters. It goes in through the account
// package, like data from the marketplace would.
package demo

import (
	"context"
	"errors"

	"github.com/recruiting-marketplace/external-api/shared/account"
)

// The demo's fixed ids and addresses.
const (
	AgencyID          = "agy_northlight"
	OwnerID           = "rec_ingrid"
	OwnerEmail        = "ingrid.solberg@example.com"
	MemberID          = "rec_amadou"
	MemberEmail       = "amadou.keita@example.com"
	DeactivatedID     = "rec_celeste"
	DeactivatedEmail  = "celeste.moreau@example.com"
	PendingEmail      = "haruto.mori@example.com"
	OtherAgencyID     = "agy_harbour"
	OtherOwnerID      = "rec_piet"
	RestrictedID      = "agy_lantern"
	RestrictedOwnerID = "rec_nomvula"
)

// Agency is an agency with its members.
type Agency struct {
	account.Agency
	Members []account.Member
}

// Apply stores the agency and its members as events of a version do.
func (a Agency) Apply(ctx context.Context, accounts *account.Store, version int64) error {
	err := accounts.ApplyAgency(ctx, a.ID, version, &a.Agency)
	for _, m := range a.Members {
		err = errors.Join(err, accounts.ApplyMember(ctx, a.ID, m.ID, version, &m))
	}
	return err
}

// Agencies are Northlight, which may do everything; Harbour, another tenant; and
// Lantern, without Talent Network management.
func Agencies() []Agency {
	return []Agency{
		{
			Agency: account.Agency{
				ID: AgencyID, Name: "Northlight Talent", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true,
				PrimaryOwner: OwnerID,
			},
			Members: []account.Member{
				{ID: OwnerID, Name: "Ingrid Solberg", Email: OwnerEmail, Owner: true, Approved: true, FastTrack: true},
				{ID: MemberID, Name: "Amadou Keita", Email: MemberEmail, Approved: true},
				{ID: DeactivatedID, Name: "Céleste Moreau", Email: DeactivatedEmail, Approved: true, Deactivated: true},
				{ID: "rec_haruto", Name: "Haruto Mori", Email: PendingEmail},
			},
		},
		{
			Agency: account.Agency{
				ID: OtherAgencyID, Name: "Harbour & Vale", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true,
				PrimaryOwner: OtherOwnerID,
			},
			Members: []account.Member{
				{ID: OtherOwnerID, Name: "Piet Verhoeven", Email: "piet.verhoeven@example.org", Owner: true, Approved: true},
			},
		},
		{
			Agency: account.Agency{
				ID: RestrictedID, Name: "Lantern Search", APIAccess: true, TalentNetworkAccess: true,
				PrimaryOwner: RestrictedOwnerID,
			},
			Members: []account.Member{
				{ID: RestrictedOwnerID, Name: "Nomvula Dube", Email: "nomvula.dube@example.org", Owner: true, Approved: true},
			},
		},
	}
}

// Recruiters are those of Northlight that can recruit.
func Recruiters() []account.Recruiter {
	return []account.Recruiter{
		{ID: OwnerID, Name: "Ingrid Solberg", Email: OwnerEmail, AgencyID: AgencyID, CanRecruit: true, PersonalKeys: true, Recommendations: true},
		{ID: MemberID, Name: "Amadou Keita", Email: MemberEmail, AgencyID: AgencyID, CanRecruit: true, PersonalKeys: true},
	}
}

// Load stores the demo data, as version 1; it may run again at any time.
func Load(ctx context.Context, accounts *account.Store) error {
	for _, a := range Agencies() {
		if err := a.Apply(ctx, accounts, 1); err != nil {
			return err
		}
	}
	for _, r := range Recruiters() {
		if err := accounts.ApplyRecruiter(ctx, r.ID, 1, &r); err != nil {
			return err
		}
	}
	return nil
}
