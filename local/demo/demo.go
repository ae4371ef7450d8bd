// Package demo is invented marketplace data to try the API with: two agencies,
// their members in every state, and recruiters. It goes in through the account
// package, like data from the marketplace would.
package demo

import (
	"context"
	"embed"
	"errors"

	"github.com/recruiting-marketplace/external-api/local/demo/datafile"
	"github.com/recruiting-marketplace/external-api/shared/account"
)

// The ids and addresses in the demo's data that others name.
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

//go:embed data/*.json
var dataFiles embed.FS

// Agencies are Northlight, which may do everything; Harbour, another tenant; and
// Lantern, without Talent Network management.
func Agencies() []Agency { return datafile.MustRead[[]Agency](dataFiles, "data/agencies.json") }

// Recruiters are those of Northlight that can recruit.
func Recruiters() []account.Recruiter {
	return datafile.MustRead[[]account.Recruiter](dataFiles, "data/recruiters.json")
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
