// Package demo is invented marketplace data to try the API with: two agencies,
// their members in every state, and recruiters. It goes in through the account
// package, like data from the marketplace would.
package demo

import (
	"context"

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

// Agencies are Northlight, which may do everything; Harbour, another tenant; and
// Lantern, without Talent Network management.
func Agencies() []Agency {
	return []Agency{
		{
			Agency: account.Agency{
				ID: AgencyID, Name: "Northlight Talent", APIAccess: true, TalentNetworkAccess: true, TalentNetworkManagement: true,
				PrimaryOwner: OwnerID, Version: 1,
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
				PrimaryOwner: OtherOwnerID, Version: 1,
			},
			Members: []account.Member{
				{ID: OtherOwnerID, Name: "Piet Verhoeven", Email: "piet.verhoeven@example.org", Owner: true, Approved: true},
			},
		},
		{
			Agency: account.Agency{
				ID: RestrictedID, Name: "Lantern Search", APIAccess: true, TalentNetworkAccess: true,
				PrimaryOwner: RestrictedOwnerID, Version: 1,
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
		{ID: OwnerID, Name: "Ingrid Solberg", Email: OwnerEmail, AgencyID: AgencyID, CanRecruit: true, PersonalKeys: true, Recommendations: true, Version: 1},
		{ID: MemberID, Name: "Amadou Keita", Email: MemberEmail, AgencyID: AgencyID, CanRecruit: true, PersonalKeys: true, Version: 1},
	}
}

// Load stores the demo data; it may run again at any time.
func Load(ctx context.Context, accounts *account.Store) error {
	for _, a := range Agencies() {
		if err := accounts.PutAgency(ctx, a.Agency, a.Members...); err != nil {
			return err
		}
	}
	for _, r := range Recruiters() {
		if err := accounts.PutRecruiter(ctx, r); err != nil {
			return err
		}
	}
	return nil
}
