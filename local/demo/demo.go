// Package demo is invented marketplace data to try the API with: two agencies, their members in every state,
// and recruiters. It goes in through the account package, like data from the marketplace would.
package demo

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/local/demo/datafile"
	"github.com/recruiting-marketplace/external-api/shared/account"
	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
	"github.com/recruiting-marketplace/external-api/shared/api/fault"
)

// The ids and addresses in the demo's data that others name.
const (
	AgencyID          = "agy_northlight"
	OwnerID           = "rec_ingrid"
	OwnerEmail        = "ingrid.solberg@example.com"
	MemberID          = "rec_amadou"
	MemberEmail       = "amadou.keita@example.com"
	DeactivatedEmail  = "celeste.moreau@example.com"
	PendingEmail      = "haruto.mori@example.com"
	OtherAgencyID     = "agy_harbour"
	OtherOwnerID      = "rec_piet"
	RestrictedID      = "agy_lantern"
	RestrictedOwnerID = "rec_nomvula"
	ExcludedEmail     = "leila.haddad@example.org" // of a person who is pre-excluded and has no membership
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

// Load stores the demo data, as version 1; it may run again at any time.
func Load(ctx context.Context, accounts *account.Store) error {
	for _, a := range Agencies() {
		if err := a.Apply(ctx, accounts, 1); err != nil {
			return fmt.Errorf("load an agency: %w", err)
		}
	}
	for _, r := range datafile.MustRead[[]account.Recruiter](dataFiles, "data/recruiters.json") { // those of Northlight that can recruit
		if err := accounts.ApplyRecruiter(ctx, r.ID, 1, &r); err != nil {
			return fmt.Errorf("load a recruiter: %w", err)
		}
	}
	return nil
}

// samplePerson is an invented candidate of Northlight.
type samplePerson struct {
	network.Person
	OwnerID string
	DaysAgo int    // since the candidate was ingested; one of 120 days is expired
	Then    string // what the candidate became; "" for one that is on the market
}

// people show every state that a membership can be in, and one person that two members own.
var people = datafile.MustRead[[]samplePerson](dataFiles, "data/people.json")

// LoadPeople fills the demo agency's network in one key environment as ingestion would. It does
// nothing if that was done before, so that later changes stay.
func LoadPeople(ctx context.Context, store *network.Store, write func() *dynamo.WriteTx, environment string, now time.Time) error {
	t := tenant.Of(AgencyID, environment)
	if _, found, err := store.Membership(ctx, personID(t, len(people)-1)); found || err != nil {
		return err
	}
	for i, p := range people {
		if err := p.loadPerson(ctx, store, write(), t, personID(t, i), now); err != nil {
			return fmt.Errorf("demo person %d: %w", i, err)
		}
	}
	excluded := []contract.CandidateReference{{Email: new(ExcludedEmail)}}
	_, err := store.OffMarket(ctx, t, excluded, EveryOwner, network.Write{Now: now, ID: "demo"})
	return err
}

// EveryOwner takes every owner for an active member, without reading accounts.
func EveryOwner(context.Context, []string) (func(string) bool, error) {
	return func(string) bool { return true }, nil
}

func personID(t tenant.ID, i int) string {
	number := uint64(i)
	if !t.IsLive() {
		number |= uint64(crc32.ChecksumIEEE([]byte(t))) << 8
	}
	return fmt.Sprintf("cu_01DEM0%020d", number)
}

func (p samplePerson) loadPerson(
	ctx context.Context, store *network.Store, tx *dynamo.WriteTx, t tenant.ID, id string, now time.Time,
) (err error) {
	defer fault.Wrap(&err, "load a sample person")

	at := now.AddDate(0, 0, -p.DaysAgo)
	p.LinkedInURL = "https://www.linkedin.com/in/" + strings.ToLower(strings.ReplaceAll(p.Name, " ", "-"))
	candidate := network.Candidate{
		Tenant: t, OwnerID: p.OwnerID, SubmittedAt: at, Person: p.Person,
		Preferences: contract.WorkPreferences{
			Locations: []contract.Location{"europe"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE", "HYBRID"}, SalaryMin: 90_000,
			IdealFundingRounds: []contract.FundingRound{"SERIES_A", "SERIES_B"}, VisaAuthorization: "NO_VISA_AUTHORIZATION_NEEDED",
		},
	}
	place, err := store.FindPlace(ctx, candidate, id)
	if err != nil {
		return err
	}
	err = store.Ingest(tx, candidate, place, network.Write{Now: at, ID: "demo"}).Run(ctx)
	if err != nil || p.Then == "" {
		return err
	}
	m, _, err := store.Membership(ctx, place.ID)
	if err != nil {
		return err
	}
	then := network.Write{Now: at, ID: "demo, then"}
	switch p.Then {
	case "fast-track":
		_, err = store.SetFastTrack(ctx, m, true, then)
	case "locked":
		_, err = store.SetLocked(ctx, m, true, then)
	case "off market":
		_, err = store.OffMarket(ctx, t, []contract.CandidateReference{{CandidateUserID: &m.ID}}, EveryOwner, then)
	}
	return err
}
