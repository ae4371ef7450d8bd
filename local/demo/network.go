package demo

import (
	"context"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/guregu/dynamo/v2"

	"github.com/recruiting-marketplace/external-api/shared/account/tenant"
	"github.com/recruiting-marketplace/external-api/shared/agency/network"
	"github.com/recruiting-marketplace/external-api/shared/api/contract"
)

// ExcludedEmail is the address of a person who is pre-excluded and has no membership.
const ExcludedEmail = "leila.haddad@example.org"

// samplePerson is an invented candidate of Northlight.
type samplePerson struct {
	name, email, slug, title, company, location string
	owner                                       string
	// daysAgo is how many days ago the candidate was ingested.
	daysAgo int
	// change makes the candidate what it shows, nil for one that is on the market.
	change func(*network.Store, context.Context, network.Membership, network.Write) error
}

// people show every state that a membership can be in, and one person that two
// members own.
var people = []samplePerson{
	{"Sofia Marchetti", "sofia.marchetti@example.com", "sofia-marchetti", "Staff Engineer", "Brightwater", "Milan", OwnerID, 3, nil},
	{"Sofia Marchetti", "sofia.marchetti@example.com", "sofia-marchetti", "Staff Engineer", "Brightwater", "Milan", MemberID, 2, nil},
	{"Kwame Boateng", "kwame.boateng@example.org", "kwame-boateng", "Data Scientist", "Fernleaf Labs", "London", OwnerID, 10, setFastTrack},
	{"Hana Sato", "hana.sato@example.com", "hana-sato", "Product Designer", "Quiet Harbor", "", OwnerID, 20, takeOffMarket},
	{"Erik Lund", "erik.lund@example.org", "erik-lund", "Account Executive", "Tallgrass", "Oslo", MemberID, 30, setLocked},
	{"Ana Popescu", "ana.popescu@example.com", "ana-popescu", "", "", "", MemberID, 120, nil}, // expired
	{"Noor Rahman", "noor.rahman@example.com", "noor-rahman", "Backend Engineer", "Lakeside", "Berlin", DeactivatedID, 40, nil},
}

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
	search := store.Search(t, []network.Reference{{Email: ExcludedEmail}})
	_, err := store.OffMarket(ctx, search, EveryOwner, network.Write{Now: now, Mark: "demo"})
	return err
}

// EveryOwner takes every owner for an active member, without reading accounts.
func EveryOwner(context.Context, []string) (func(string) bool, error) {
	return func(string) bool { return true }, nil
}

// personID returns the candidateUserId of a tenant's i-th person.
func personID(t tenant.ID, i int) string {
	number := uint64(i)
	if !t.IsLive() {
		number |= uint64(crc32.ChecksumIEEE([]byte(t))) << 8
	}
	return fmt.Sprintf("cu_01DEM0%020d", number)
}

func (p samplePerson) loadPerson(
	ctx context.Context, store *network.Store, tx *dynamo.WriteTx, t tenant.ID, id string, now time.Time,
) error {
	at := now.AddDate(0, 0, -p.daysAgo)
	candidate := network.Candidate{
		Tenant: t, OwnerID: p.owner, SubmittedAt: at,
		Person: network.Person{
			Name: p.name, Email: p.email, LinkedInURL: "https://www.linkedin.com/in/" + p.slug,
			Title: p.title, Company: p.company, Location: p.location,
		},
		Preferences: contract.WorkPreferences{
			Locations: []contract.Location{"europe"}, WorkplaceTypes: []contract.WorkplaceType{"REMOTE", "HYBRID"}, SalaryMin: 90_000,
			IdealFundingRounds: []contract.FundingRound{"SERIES_A", "SERIES_B"}, VisaAuthorization: "NO_VISA_AUTHORIZATION_NEEDED",
		},
	}
	place, err := store.FindPlace(ctx, candidate, id)
	if err != nil {
		return err
	}
	tx, err = store.Ingest(tx, candidate, place, network.Write{Now: at, Mark: "demo"})
	if err != nil {
		return err
	}
	if err := tx.Run(ctx); err != nil || p.change == nil {
		return err
	}
	m, _, err := store.Membership(ctx, place.ID)
	if err != nil {
		return err
	}
	return p.change(store, ctx, m, network.Write{Now: at, Mark: "demo, then"})
}

func setFastTrack(s *network.Store, ctx context.Context, m network.Membership, w network.Write) error {
	_, err := s.SetFastTrack(ctx, m, true, w)
	return err
}

func setLocked(s *network.Store, ctx context.Context, m network.Membership, w network.Write) error {
	_, err := s.SetLocked(ctx, m, true, w)
	return err
}

func takeOffMarket(s *network.Store, ctx context.Context, m network.Membership, w network.Write) error {
	search := s.Search(m.Tenant, []network.Reference{{ID: m.ID}})
	_, err := s.OffMarket(ctx, search, EveryOwner, w)
	return err
}
